// Counterparties of what leaves and enters: by pairs, by rules, by class, or unknown.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readRules, rulesChange } from '../../src/approvals/counterparties.ts';
import type { WireRecord } from '../../src/base/streams.ts';
import { loadSql } from '../../src/database/sql.ts';
import { normalize } from '../../src/normalize/normalize.ts';
import { instantAt, movement, openStage, type Stage, transfer } from '../land/stage.ts';
import { byBoth } from './both.ts';
import { fileOf } from './desk.ts';

const IBAN = 'ES91 2100 0418 4502 0005 1332';
const SPACELESS = IBAN.replaceAll(' ', '');
const ADDRESS = '0xAbCdEf0000000000000000000000000000000001';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
beforeEach(() =>
  stage
    .rows(`truncate land.records, land.inbox, land.people, ledger.outcomes, ledger.entries, ledger.transfers, ledger.daily, ledger.totals,
    decide.counterparty_files, decide.proposals, reconcile.own_transfers, run.entities cascade`)
    .then(() =>
      stage.rows(
        `insert into run.entities (entity_id, name, timezone, currency, first_seen_at) values ('main', 'main', 'UTC', 'EUR', '${instantAt(0)}')`,
      ),
    ),
);

const rulesIn = (...lines: string[]) =>
  readRules(
    fileOf(
      ['class,address,bank_account,operation,counterparty,counterparty_type', ...lines].join('\n'),
      'rules.csv',
    ),
  );
const rule = async (...lines: string[]) =>
  byBoth(stage.db, await rulesChange(stage.db, { rules: rulesIn(...lines), fileName: 'rules.csv' }));

const pocket = (amount: string, currency = 'EUR') => ({ class: 'pocket', pocketId: 'p1', amount, currency });
const bank = (amount: string, bankAccount = SPACELESS) => ({
  class: 'bank-transfer',
  bankAccount,
  amount,
  currency: 'EUR',
});
const chain = (amount: string, address = ADDRESS) => ({
  class: 'blockchain',
  address,
  amount,
  currency: 'ETH',
});
const landAndBook = async (...rows: WireRecord[]) => {
  await stage.tell('wallet-transactions', ...rows);
  await normalize(stage.db, { entity: 'main', timezone: 'UTC', currency: 'EUR' });
};
const outside = async () =>
  (
    await stage.rows(
      'select record_id, trim_scale(amount) as amount, counterparty, counterparty_type, rule from books.outside order by entry_id, leg',
    )
  ).map((it) => Object.values(it).join(' | '));

test('the first matching rule applies; the platform is of type platform; the rest is unknown', async () => {
  await landAndBook(
    transfer('b1', bank('100'), pocket('100')),
    transfer('b2', pocket('40'), bank('40', 'DE00 elsewhere')),
    transfer('c1', pocket('1', 'ETH'), chain('1', ADDRESS.toLowerCase())),
    transfer(
      's1',
      pocket('7'),
      { class: 'email', email: 'ana@example.com', amount: '7', currency: 'EUR' },
      { subtype: 'social-pay' },
    ),
    transfer('g1', null, pocket('5'), { method: 'promo-referral' }),
  );
  await rule(
    `bank,,${IBAN},,Acme treasury,own`,
    `,${ADDRESS},,,Cold wallet,own`,
    ',,,social-pay,Staff,third-party',
    'person,,,,Somebody,third-party',
  );
  expect((await outside()).sort()).toEqual([
    'b1 | -100 | Acme treasury | own | version 1, line 2',
    'b2 | 40 |  | unknown | ',
    'c1 | 1 | Cold wallet | own | version 1, line 3',
    'g1 | -5 | the platform | platform | platform',
    's1 | 7 | Staff | third-party | version 1, line 4',
  ]);
  await rule('platform,,,,Bitvault,platform', 'bank,,,,Any bank,third-party');
  expect((await outside()).sort()).toEqual([
    'b1 | -100 | Any bank | third-party | version 2, line 3',
    'b2 | 40 | Any bank | third-party | version 2, line 3',
    'c1 | 1 |  | unknown | ',
    'g1 | -5 | Bitvault | platform | version 2, line 2',
    's1 | 7 |  | unknown | ',
  ]);
});

test('a bank account is stored as a commitment and masked; an entity that began later is named', async () => {
  await rule(`,,${IBAN},,Acme treasury,own`);
  const stored = JSON.stringify([
    await stage.rows('select * from decide.counterparty_files'),
    await stage.rows('select * from decide.counterparty_rules'),
    await stage.rows('select * from decide.counterparty_accounts'),
  ]);
  expect(stored.replaceAll(' ', '')).not.toMatch(/21000418/); // so long that no commitment holds it by chance
  await stage.rows(
    `insert into run.entities (entity_id, name, first_seen_at) values ('late', 'late', '${instantAt(0)}')`,
  );
  expect(await stage.rows('select bank_account, not_known_to from books.counterparty_rules')).toEqual([
    { bank_account: 'ES91…1332', not_known_to: 'late' },
  ]);
  expect(
    await stage.rows('select count(distinct commitment)::int as many from decide.counterparty_accounts'),
  ).toEqual([
    { many: 3 }, // as in the file, in groups of four; without blanks; in small letters
  ]);
});

const entry = (addressId: string, rest: WireRecord = {}): WireRecord => ({
  addressId,
  address: ADDRESS,
  currency: 'ETH',
  network: 'ethereum',
  status: 'verified',
  name: 'Dora',
  personType: 'person',
  walletOwnership: 'own',
  walletType: 'unhosted',
  createdAt: instantAt(-60),
  updatedAt: instantAt(-60),
  ...rest,
});
const declare = (...rows: WireRecord[]) => stage.land([{ rows }], { stream: 'address-book' });

test('a verified entry of the address book names the owner of an address; an approved rule goes before it', async () => {
  await declare(
    entry('a1'),
    entry('a2', {
      address: '0x02',
      walletOwnership: 'other',
      walletType: 'exchange',
      exchangeName: 'Kestrel',
    }),
    entry('a3', { address: '0x03', walletOwnership: 'other', personType: 'company' }),
    entry('a4', { address: '0x04', status: 'validating' }),
    entry('a5', { address: '0x05', currency: 'USDC' }),
    entry('a6', { address: '0x06', network: 'solana' }),
    entry('a7', { address: '0x07', tag: '7' }),
    entry('a8', { address: '0x08', walletOwnership: 'mine' }),
  );
  const to = (id: string, address: string, rest: WireRecord = {}) =>
    transfer(id, pocket('1', 'ETH'), { ...chain('1', address), addressNetwork: 'Ethereum', ...rest });
  await landAndBook(
    to('w1', ADDRESS.toLowerCase()),
    to('w2', '0x02'),
    to('w3', '0x03'),
    ...['4', '5', '6', '7', '8'].map((nth) => to(`w${nth}`, `0x0${nth}`)),
    to('w9', '0x07', { addressTag: '7' }),
    transfer('x1', chain('1'), pocket('1', 'ETH')),
  );
  const owners = [
    'w1 | 1 | own wallet | own | address book: a1',
    'w2 | 1 | Kestrel | third-party | address book: a2',
    'w3 | 1 | other, company | third-party | address book: a3',
    ...['4', '5', '6', '7', '8'].map((nth) => `w${nth} | 1 |  | unknown | `),
    'w9 | 1 | own wallet | own | address book: a7',
    'x1 | -1 | own wallet | own | address book: a1',
  ];
  expect((await outside()).sort()).toEqual(owners);
  await rule(`,${ADDRESS},,,Custodian,third-party`);
  expect((await outside()).sort()[0]).toBe('w1 | 1 | Custodian | third-party | version 1, line 2');
});

test('the version of the address book that was in force decides; an entry that is younger counts as first verified', async () => {
  const on = (id: string, day: number) => ({
    ...transfer(id, pocket('1', 'ETH'), chain('1')),
    date: instantAt(day * 86_400),
    completedAt: instantAt(day * 86_400),
  });
  await declare(entry('a1', { status: 'validating', updatedAt: instantAt(86_000) }));
  await declare(entry('a1', { updatedAt: instantAt(2 * 86_400) }));
  await declare(entry('a1', { walletOwnership: 'other', updatedAt: instantAt(5 * 86_400) }));
  await declare(
    entry('a1', { walletOwnership: 'other', status: 'disabled', updatedAt: instantAt(8 * 86_400) }),
  );
  await declare(
    entry('a2', { walletOwnership: 'other', personType: 'company', updatedAt: instantAt(9 * 86_400) }),
  );
  const days = [1, 3, 6, 8, 9];
  await landAndBook(...days.map((day) => on(`w${day}`, day)));
  expect(await outside()).toEqual([
    'w1 | 1 | own wallet | own | address book: a1',
    'w3 | 1 | own wallet | own | address book: a1',
    'w6 | 1 | other, person | third-party | address book: a1',
    'w8 | 1 | other, company | third-party | address book: a2',
    'w9 | 1 | other, company | third-party | address book: a2',
  ]);
});

test('a reversal has the counterparty type of the entry that it reverses, whatever the record contains now', async () => {
  await rule(`bank,,${SPACELESS},,Acme treasury,own`);
  await landAndBook(transfer('b1', bank('100'), pocket('100')));
  await landAndBook(transfer('b1', bank('90', 'DE00 elsewhere'), pocket('90')));
  expect((await outside()).sort()).toEqual([
    'b1 | -100 | Acme treasury | own | version 1, line 2',
    'b1 | -90 |  | unknown | ',
    'b1 | 100 | Acme treasury | own | version 1, line 2',
  ]);
});

test('a transfer to another of our entities is recognised by its pair, before any rule; one to a client goes to a third party', async () => {
  await rule('person,,,,Somebody,third-party');
  await landAndBook(
    transfer('s1', pocket('7'), { class: 'email', email: 'ana@example.com', amount: '7', currency: 'EUR' }),
  );
  await stage.rows(
    `insert into run.entities (entity_id, name, first_seen_at) values ('sub', 'sub', '${instantAt(0)}')`,
  );
  await stage.rows(
    `insert into ledger.entries overriding system value
     select (jsonb_populate_record(e, jsonb_build_object('entity_id', 'sub', 'entry_number', e.entry_number + 1))).* from ledger.entries e`,
  );
  await stage.rows(
    `insert into reconcile.own_transfers
     select 'main', entry_id, 'sub', entry_id, 'EUR', 7, 7, stream, record_id, effective_at, stream, record_id, effective_at, 'pocket', $1, now()
     from ledger.entries where entity_id = 'main'`,
    [stage.run.id],
  );
  expect(await outside()).toEqual(['s1 | 7 | sub | own-entity | own transfer: pocket']);
  await stage.rows(
    `insert into decide.profiles (entity_id, version, legal_name, owner, by_name, at) values ('sub', 1, 'Beta', 'client', 'Ada', now())`,
  );
  expect(await outside()).toEqual(['s1 | 7 | Beta | third-party | own transfer: pocket']);
  await stage.rows('truncate decide.profiles');
});

test('a limit on unknown counterparties allows or blocks a close; an amount without a price exceeds any limit', async () => {
  const way = async (unknown_limit: string) => {
    const parameters = {
      entity: 'main',
      period: '2026-03',
      to: '2026-04-01T00:00:00Z',
      currency: 'EUR',
      unknown_limit,
    };
    return (
      await stage.rows(
        loadSql('close/counterparties.sql', parameters).text,
        loadSql('close/counterparties.sql', parameters).values,
      )
    ).map(({ detail }) => String(detail).split(':')[0]);
  };
  await landAndBook(transfer('b1', bank('100'), pocket('100')), transfer('b2', pocket('40'), bank('40')));
  await landAndBook(transfer('b1', bank('90'), pocket('90'))); // the correction counts, not both
  expect(await way('')).toEqual([]);
  expect(await way('130')).toEqual([]);
  expect(await way('129.99')).toEqual(['their gross value is 130.00 EUR, the limit is 129.99']);
  await landAndBook(transfer('c1', pocket('1', 'ETH'), chain('1')));
  expect(await way('130')).toEqual([
    '1 ETH with unknown counterparties has no price in EUR, so no limit covers it',
  ]);
  await rule('bank,,,,Acme,own', 'blockchain,,,,Acme,own');
  expect(await way('0')).toEqual([]);
});

test('rules apply to manual entries and to movements of the platform too', async () => {
  await stage.tell('movements', movement('m1', { serviceOrderName: 'admin' }));
  await normalize(stage.db, { entity: 'main', timezone: 'UTC', currency: 'EUR' });
  await rule(',,,admin,Refunds of the platform,third-party');
  expect(await outside()).toEqual(['m1 | -10 | Refunds of the platform | third-party | version 1, line 2']);
});

test.each([
  [',,,,Acme,own', /line 2, column class: and address, bank_account and operation are empty/],
  ['bank,,,,,own', /line 2, column counterparty: is empty: write who it is/],
  [
    'bank,,,,Acme,mine',
    /line 2, column counterparty_type: "mine": write own, own-entity, third-party, platform/,
  ],
  ['shop,,,,Acme,own', /line 2, column class: "shop": write bank, blockchain, card, person, platform/],
  [',,ES91 2,,Acme,own', /line 2, column bank_account: "ES91 2" has less than 10 characters/],
  [
    ',5.29084E+40,,,Acme,own',
    /line 2, column address: "5.29084E\+40" is a number that a spreadsheet shortened: write it whole, as text/,
  ],
  [
    ',,"9,12E+21",,Acme,own',
    /line 2, column bank_account: "9,12E\+21" is a number that a spreadsheet shortened/,
  ],
  ['bank,,,,A\u202ecme,own', /line 2, column counterparty: write one line of at most 200 visible characters/],
])('is refused: %s', (line, says) => {
  expect(() => rulesIn(line)).toThrow(says);
});
