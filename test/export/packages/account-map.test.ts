// The account map: the first matching line applies, and every unusable line is named.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readAccountMap } from '../../../src/export/packages/account-map.ts';
import { packageOf } from '../../../src/export/packages/packages.ts';
import { newFolder } from '../../room.ts';

const HEAD = 'account,currency,counterparty_type,code,name,tax\n';
const mapOf = (lines: string, name: 'xero' | 'datev' | 'quickbooks' | 'holded' = 'datev') => {
  const file = join(newFolder(), 'map.csv');
  writeFileSync(file, HEAD + lines);
  return readAccountMap(file, packageOf(name));
};

test('path, currency and counterparty type, the first match applies', () => {
  const { find, codes, sha256 } = mapOf(
    [
      'assets:trading,BTC,,1201,Bitcoin,',
      'assets:trading,,,1200,Trading,',
      'assets:pocket:*,,,1300,Pockets,',
      'equity:external:bank,,own,1000,Bank,',
      'equity:external:*,,,9999,To be looked at,',
      '',
    ].join('\n'),
  );
  const code = (account: string, currency = 'EUR', counterpartyType = '') =>
    find({ account, currency, counterpartyType })?.code;
  expect([code('assets:trading', 'BTC'), code('assets:trading'), code('assets:pocket:7')]).toEqual([
    '1201',
    '1200',
    '1300',
  ]);
  expect([
    code('equity:external:bank', 'EUR', 'own'),
    code('equity:external:bank', 'EUR', 'unknown'),
  ]).toEqual(['1000', '9999']);
  expect([code('assets:pocket'), code('assets:trading-bots'), code('income:rewards')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(codes).toEqual(['1201', '1200', '1300', '1000', '9999']);
  expect(sha256).toMatch(/^[0-9a-f]{64}$/);
});

test.each([
  ['datev', 'Assets,,,1200,A,', 'line 2: the account Assets is not a path'],
  ['datev', 'assets:*:x,,,1200,A,', 'line 2: the account assets:*:x is not a path'],
  [
    'datev',
    'assets:x,,mine,1200,A,',
    'line 2: the counterparty type mine is none of own, own-entity, third-party, platform, unknown',
  ],
  ['datev', 'assets:x,,,12,A,', 'line 2: the code 12 is not 4 to 9 digits'],
  ['datev', 'assets:x,,,1200,A,19%', 'line 2: the tax 19% is not a BU-Schlüssel'],
  ['datev', 'assets:x,,,,A,', 'line 2: code is empty'],
  ['xero', 'assets:x,,,1200,A,', 'line 2: tax is empty: Xero wants the full name of a tax rate'],
  ['xero', 'assets:x,,,12345678901,A,None', 'line 2: 12345678901 has more than 10 characters'],
  ['xero', 'assets:x,,,=1+1,A,None', 'line 2: =1+1 begins like a formula'],
  ['quickbooks', 'assets:x,,,1,,', 'line 2: name is empty: QuickBooks finds an account by its name'],
  ['quickbooks', 'assets:x,,,1,A,\nassets:y,,,2,A,', 'line 3: A has two codes, 1 and 2'],
  ['quickbooks', 'assets:x,,,1,A,\nassets:y,,,2,a,', 'line 3: a has two codes, 1 and 2'],
  ['quickbooks', 'assets:x,,,1,A: B,', 'line 2: the name A: B is not written Parent:Sub'],
  ['quickbooks', 'assets:x,,,1,A::B,', 'line 2: the name A::B is not written Parent:Sub'],
  ['quickbooks', 'assets:x,,,1,A,VAT', 'line 2: tax must be empty'],
  ['holded', 'assets:x,,,43A,Clients,', 'line 2: the code 43A is not 4 to 12 digits'],
  ['holded', 'assets:x,,,0430,Clients,', 'line 2: the code 0430 is not 4 to 12 digits, the first not 0'],
] as const)('%s: %s', (name, lines, message) => {
  expect(() => mapOf(`${lines}\n`, name)).toThrow(message);
});

test('Holded: codes of one length', () => {
  const { settings } = packageOf('holded');
  const request = { datev: undefined, currency: 'EUR' };
  expect(settings({ ...request, codes: ['1200', '4300'] })).toEqual({});
  expect(() => settings({ ...request, codes: ['1200', '43000'] })).toThrow(
    'Holded has codes of one length: the map and earlier batches have 1200, 43000',
  );
});

test('DATEV: codes of one length, personal accounts one digit longer, and the client numbers', () => {
  const { settings } = packageOf('datev');
  const request = { datev: '29098/55003', currency: 'EUR' };
  expect(settings({ ...request, codes: ['1200', '70000'] })).toEqual({
    consultant: '29098',
    client: '55003',
    account_digits: '4',
  });
  expect(settings({ ...request, datev: '10000/1', codes: ['1200'] }).consultant).toBe('10000');
  expect(() => settings({ ...request, codes: ['1200', '700000'] })).toThrow('DATEV has codes of one length');
  for (const datev of ['0999/1', '1000/1', '29098', '29098/123456', '29098/0'])
    expect(() => settings({ ...request, datev, codes: ['1200'] })).toThrow('write --datev CONSULTANT/CLIENT');
  expect(() => settings({ ...request, currency: 'USDT', codes: ['1200'] })).toThrow(
    'three letters for a currency',
  );
});

const WIDE = 'account,currency,counterparty_type,code,name,tax,dimension1,dimension2,type\n';
const wideMap = (lines: string, name: 'xero' | 'datev' | 'quickbooks' | 'holded') => {
  const file = join(newFolder(), 'map.csv');
  writeFileSync(file, WIDE + lines);
  return readAccountMap(file, packageOf(name));
};

test('dimensions and the type of an account are columns that a map may leave out', () => {
  const source = { account: 'assets:x', currency: 'EUR', counterpartyType: '' };
  const { find } = wideMap('assets:x,,,1200,A,,100,B 2,\n', 'datev');
  expect(find(source)).toEqual({ code: '1200', name: 'A', tax: '', dimension1: '100', dimension2: 'B 2' });
  expect(mapOf('assets:x,,,1200,A,\n').find(source)).toEqual({
    code: '1200',
    name: 'A',
    tax: '',
    dimension1: '',
    dimension2: '',
  });
  expect(() =>
    wideMap('assets:x,,,8400,A,40,,,automatic\nassets:y,,,1400,A,,,,bank\n', 'datev'),
  ).not.toThrow();
  expect(() => wideMap('assets:x,,,1,A,,,Gateway Ltd,payable\n', 'quickbooks')).not.toThrow();
});

test.each([
  [
    'xero',
    '090,Bank,None,,,bank',
    'a manual journal of Xero cannot book 090, a bank account: map it to a clearing account',
  ],
  [
    'xero',
    '610,AR,None,,,receivable',
    'cannot book 610, accounts receivable: map it to a secondary current-asset account',
  ],
  ['xero', '800,AP,None,,,payable', 'cannot book 800, accounts payable'],
  ['xero', '960,RE,None,,,system', 'line 2: 960 is a system account, which its package books itself'],
  [
    'xero',
    '1,A,None,North,,',
    'the dimension North is not a tracking category and its option, Region: North',
  ],
  ['xero', '1,A,None,Region: North,Region: South,', 'both dimensions are of the category Region'],
  ['quickbooks', '1,Debtors,,,,receivable', 'QuickBooks books Debtors only with a customer or supplier'],
  ['quickbooks', '1,A,,Crypto: Fees,,', 'the class Crypto: Fees is not written Parent:Sub'],
  ['datev', '8400,A,3,,,automatic', '8400 is an Automatikkonto, which sets its own tax: leave tax empty'],
  ['datev', '1200,A,,1/2,,', 'the dimension 1/2 is not a Kostenstelle'],
  ['holded', '1200,A,,a-b,,', 'the tag a-b has a dash'],
  ['holded', '1200,A,,,,banks', 'the type banks is none of bank, receivable, payable, system, automatic'],
  ['holded', '1200,A,,=1,,', '=1 begins like a formula'],
] as const)('%s: %s', (name, target, message) => {
  expect(() => wideMap(`assets:x,,,${target}\n`, name)).toThrow(message);
});

test('a column that no map has is refused with those that it may have', () => {
  const file = join(newFolder(), 'map.csv');
  writeFileSync(file, 'account,currency,counterparty_type,code,name,tax,colour\nassets:x,,,1200,A,,red\n');
  expect(() => readAccountMap(file, packageOf('datev'))).toThrow(
    'its first line must be account,currency,counterparty_type,code,name,tax, and may add dimension1, dimension2, type',
  );
});
