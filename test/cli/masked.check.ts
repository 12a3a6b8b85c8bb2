// No personal value is printed, exported or readable by query: a unique word is planted in every personal field
// of a valid and an invalid record of each stream, and every output is searched for it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { STREAM_NAMES, STREAMS, type StreamName, type WireRecord } from '../../src/base/streams.ts';
import { instantAt, movement } from '../land/stage.ts';
import { adjustment, type Nights, openNights, wallet, walletSide } from '../reconcile/stage.ts';
import { typed } from './played.ts';
import { folder } from './tieout.ts';

/** In every planted value, and nowhere else; in capitals like a currency, so that a rule might repeat it. */
const NEEDLE = 'ZANZIBAR';

const FIELDS = [
  'name',
  'firstName',
  'lastName',
  'surname',
  'fullName',
  'displayName',
  'senderName',
  'receiverName',
  'beneficiaryName',
  'holderName',
  'accountName',
  'userName',
  'contactName',
  'companyName',
  'pocketName',
  'email',
  'phone',
  'phoneNumber',
  'iban',
  'bankAccount',
  'accountNumber',
  'taxId',
  'passport',
  'birthDate',
  'holder',
  'beneficiary',
  'alias',
  'streetAddress',
  'homeAddress',
  'address',
  'note',
  'notes',
  'concept',
  'comment',
];

/** Every personal field, as a word, as words and as an object, at the top and in fields that rules read. */
const planted = (): WireRecord =>
  Object.fromEntries(
    FIELDS.map((field, n) => [
      field,
      [NEEDLE, `${NEEDLE} of ${field}`, { value: NEEDLE, code: '+34' }][n % 3],
    ]),
  );

const inside = (record: WireRecord, ...places: readonly string[]): WireRecord => ({
  ...planted(),
  ...record,
  ...Object.fromEntries(places.map((place) => [place, { ...planted(), ...(record[place] as object) }])),
});

const trade = (id: string, rest: WireRecord = {}): WireRecord => ({
  id,
  orderId: 'o1',
  symbol: 'BTC/EUR',
  side: 'buy',
  amount: '1',
  amountCurrency: 'BTC',
  createdAt: instantAt(0),
  cost: '10',
  price: '10',
  priceCurrency: 'EUR',
  feeAmount: '0',
  feeCurrency: 'EUR',
  ...rest,
});

const reward = (id: string, value: string): WireRecord => ({
  movementId: id,
  type: 'reward',
  createdAt: instantAt(0),
  amount: { value, currency: 'EUR' },
});

/** A valid and an invalid record of each stream. */
const RECORDS: Readonly<Record<StreamName, readonly WireRecord[]>> = {
  movements: [inside(movement('m1')), inside(adjustment('m2', 'much'))],
  trades: [inside(trade('t1')), inside(trade('t2', { side: 'sideways' }))],
  'wallet-transactions': [
    inside(walletSide('w1', '5'), 'origin', 'destination'),
    inside(
      walletSide('w2', '5', { destination: { class: 'nobody' } }),
      'origin',
      'destination',
      'denomination',
      'fee', // which may contain only amounts: with anything else the record is a reject
    ),
  ],
  'earn-movements': [inside(reward('e1', '1')), inside(reward('e2', '1.0000000000000000001'), 'amount')],
};

let nights: Nights;
let env: { DATABASE_URL: string };
beforeAll(async () => {
  nights = await openNights();
  env = { DATABASE_URL: nights.url };
  const balances = {
    trading: [inside(wallet('t', 'EUR', '99'))],
    pocket: [inside(wallet('p1', 'EUR', 'many'))],
  };
  await nights.night({ records: RECORDS, before: balances, after: balances });
});
afterAll(() => nights?.close());

const isTelling = (text: string): boolean => new RegExp(NEEDLE, 'i').test(text);

test('personal values exist in each stream and in rejects', async () => {
  const rows = await nights.rows('select stream, record_id, path from land.people where value ~* $1', [
    NEEDLE,
  ]);
  for (const stream of STREAM_NAMES)
    for (const record of RECORDS[stream]) {
      const paths = rows.filter((row) => row.record_id === record[STREAMS[stream].id]).map((row) => row.path);
      expect(paths, stream).toEqual(expect.arrayContaining(FIELDS));
    }
  const rejects = await nights.rows('select distinct stream, outcome from books.records order by 1, 2');
  expect(rejects).toEqual(
    STREAM_NAMES.toSorted().flatMap((stream) =>
      ['booked', 'rejected'].map((outcome) => ({ stream, outcome })),
    ),
  );
});

test('no table except that of people has one', async () => {
  const tables = await nights.rows(`
    select schemaname || '.' || tablename as name from pg_tables
    where schemaname in ('run', 'land', 'ledger', 'reconcile', 'decide') and tablename <> 'people'`);
  for (const { name } of tables) {
    const text = JSON.stringify(await nights.rows(`select * from ${name}`));
    expect(isTelling(text), String(name)).toBe(false);
  }
});

describe('no output shows one', () => {
  test('status, verify, erase and the rejects, as text and as json', async () => {
    const dry = ['erase', '--person', `${NEEDLE} of taxId`, '--by', 'Ana', '--reason', 'case 1', '--dry-run'];
    const commands = [
      ['status'],
      ['status', '--json'],
      ['rejects', 'list'],
      ['rejects', 'list', '--json'],
      dry,
      ['verify', 'coverage'],
      ['verify', 'ledger', '--json'],
      ['erase', '--list'],
      ['reconcile'],
    ];
    for (const args of commands) {
      const { stdout, stderr } = await typed(args, env);
      expect(stdout).not.toBe('');
      expect(isTelling(stdout + stderr), args.join(' ')).toBe(false);
    }
  });

  test('every view of the books', async () => {
    const views = await nights.rows(
      "select schemaname || '.' || viewname as name from pg_views where schemaname ~ '^books'",
    );
    expect(views.length).toBeGreaterThan(15);
    for (const { name } of views) {
      const rows = JSON.stringify(await nights.rows(`select * from ${name}`));
      expect([name, isTelling(rows)]).toEqual([name, false]);
    }
    const { stdout } = await typed(['query', 'select * from rejects'], env);
    expect(stdout).toContain('"(personal)"');
    expect(stdout).not.toMatch(/personal:[0-9a-f]/);
  });

  test('the files of an export, in every format', async () => {
    await typed(['normalize'], env); // with the values
    for (const format of ['csv', 'hledger', 'ledger', 'beancount']) {
      const out = join(folder, `masked-${format}`);
      await typed(['export', '--period', '2026', '--out', out, '--format', format], env);
      const names = readdirSync(out);
      expect(names.length).toBeGreaterThan(1);
      expect(names.filter((name) => isTelling(readFileSync(join(out, name), 'utf8')))).toEqual([]);
    }
  });
});
