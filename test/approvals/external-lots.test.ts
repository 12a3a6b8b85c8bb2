// Externally held lots: a file of them, every mistake with its line, and the same file twice.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approve, lotsChange, propose, readExternalLots } from '../../src/approvals/approvals.ts';
import { post } from '../../src/ledger/entries.ts';
import { entryOf } from '../../src/ledger/posting.ts';
import { derive } from '../../src/valuation/valuation.ts';
import { reportValues } from '../../src/valuation/value-all.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { newFolder } from '../room.ts';
import { byBoth } from './both.ts';

const folder = newFolder();
let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
});
afterAll(async () => {
  await books.close();
});

const HEAD = 'currency,units,cost,cost_currency,acquired_on';
const fileOf = (...lines: string[]): string => {
  const path = join(folder, 'wallet.csv');
  writeFileSync(path, [HEAD, ...lines, ''].join('\n'));
  return path;
};

test.each([
  ['btc,1,2,EUR,2026-01-01', 'currency: the currency "btc" is no code'],
  ['BTC,0,2,EUR,2026-01-01', 'units: the amount 0 is not above zero: write how many units the lot has'],
  ['BTC,-1,2,EUR,2026-01-01', 'units: the amount -1 is not above zero: write how many units the lot has'],
  ['BTC,1,,EUR,2026-01-01', 'cost: the amount "" is not written out in digits'],
  ['BTC,1,-2,EUR,2026-01-01', 'cost: the cost -2 is negative'],
  [
    'BTC,0.5,9000,BTC,2026-01-01',
    'cost: 0.5 BTC cannot cost 9000 BTC: write the currency that was paid in cost_currency',
  ],
  ['BTC,1,2,EUR,01.01.2026', 'acquired_on: "01.01.2026" is not a date'],
])('%s is refused: %s', (line, message) => {
  expect(() => readExternalLots(fileOf('ETH,1,1,EUR,2026-01-01', line))).toThrow(
    expect.objectContaining({ exitCode: 64, message: expect.stringContaining(`line 3, column ${message}`) }),
  );
});

/** A rule that takes every payment on a chain for one of our own wallets. */
const OWN_WALLET = `
  insert into decide.counterparty_files (version, file_name, by_name, at) values (1, 'f', 'Ada', now());
  insert into decide.counterparty_rules (version, line, class, counterparty, counterparty_type) values (1, 1, 'blockchain', 'own wallet', 'own')`;

test('units received from our own wallet have exactly the cost and age of the imported lots', async () => {
  const { db, pool } = books;
  await pool.query(
    "insert into run.entities (entity_id, name, timezone, currency, first_seen_at) values ('main', 'main', 'UTC', 'EUR', now())",
  );
  await pool.query(OWN_WALLET);
  const file = readExternalLots(fileOf('BTC,1,9000,EUR,2020-03-01', 'BTC,2,60000,EUR,2021-05-01'));
  const isNew = [await byBoth(db, lotsChange(file)), await byBoth(db, lotsChange(file))];
  expect(isNew).toEqual([true, false]);
  const came = (name: string, amount: string, day: string) =>
    entryOf(
      {
        kind: 'wallet-transaction',
        effectiveAt: `${day}T12:00:00.000Z`,
        description: name,
        legs: [{ debit: 'assets:pocket:a', credit: 'equity:external:blockchain', currency: 'BTC', amount }],
      },
      {
        entity: 'main',
        stream: 'wallet-transactions',
        recordId: name,
        ordinal: 1,
        version: 1,
        ruleVersion: 1,
        recordedAt: `${day}T12:00:00Z`,
        period: day.slice(0, 7),
        originalPeriod: null,
      },
    );
  await post(db, [came('first', '1.5', '2026-01-10'), came('rest', '2', '2026-02-10')]);
  await derive(db, { timezone: 'UTC', currency: 'EUR' });
  const { rows } = await pool.query(`
    select origin, pool, acquired_at::date::text as acquired_on, units_left, cost_left from books.lots where units_left > 0 order by period, lot_id`);
  const returned = { pool: 'held', origin: 'returned' };
  expect(rows.filter(({ cost_left }) => cost_left !== null)).toEqual([
    { ...returned, acquired_on: '2020-03-01', units_left: '1', cost_left: '9000' },
    { ...returned, acquired_on: '2021-05-01', units_left: '0.5', cost_left: '15000' },
    { ...returned, acquired_on: '2021-05-01', units_left: '1.5', cost_left: '45000' },
  ]);
  const { rows: findings } = await pool.query(
    "select kind, units from books.value_findings where severity = 'finding'",
  );
  expect(findings).toEqual([{ kind: 'no-lot', units: '0.5' }]);
  const stored = await pool.query(
    'select line, units, evidence_name, reason from books.external_lots order by line',
  );
  expect(stored.rows.map(({ line }) => line)).toEqual([2, 3]);
});

const STORED = ['BTC,1,9000,EUR,2020-03-01', 'BTC,2,60000,EUR,2021-05-01'];

const storedLines = async () => {
  const { rows } = await books.pool.query('select line from books.external_lots order by lot_number');
  return rows.map(({ line }) => line);
};

test('the lots of a file that is stored under other line numbers are not added again', async () => {
  const file = readExternalLots(fileOf(...STORED));
  const renumbered = { ...file, lots: file.lots.map((lot) => ({ ...lot, line: lot.line + 7 })) };
  await expect(byBoth(books.db, lotsChange(renumbered))).rejects.toThrow(
    /^its lots are those of wallet.csv, which Ada imported at 20\S+: they are stored once$/,
  );
  expect(await storedLines()).toEqual([2, 3]);
});

test('a lot that equals a stored one is added only if that is meant', async () => {
  const file = readExternalLots(fileOf('ETH,1,1,EUR,2020-01-01', 'BTC,2.0,60000.00,EUR,2021-05-01'));
  await expect(byBoth(books.db, lotsChange(file))).rejects.toThrow(
    /^line 3 of wallet.csv \(BTC 2 60000 EUR 2021-05-01\) equals line 3 of wallet.csv, which Ada imported at 20\S+: leave it out, or add --allow-equal if it is another lot$/,
  );
  expect(await storedLines()).toEqual([2, 3]);
  await byBoth(books.db, lotsChange({ ...file, allowsEqual: true }));
  expect(await storedLines()).toEqual([2, 3, 2, 3]);
});

const EVIDENCE = { name: 'invoices.pdf', sha256: 'a'.repeat(64) };

test('of two files with an equal lot that wait, one can be approved', async () => {
  const desk = { db: books.db, decider: books.db, settings: { timezone: 'UTC', currency: 'EUR' } };
  const proposed = async (...lines: string[]) => {
    const content = lotsChange(readExternalLots(fileOf(...lines)));
    const request = { entity: 'main', content, reason: 'bought', by: 'Ada', evidence: EVIDENCE };
    return (await propose(desk, request)).proposal.proposal_id;
  };
  const [first, second] = [
    await proposed('SOL,1,1,EUR,2020-01-01'),
    await proposed('SOL,1.0,1,EUR,2020-01-01'),
  ];
  await approve(desk, { id: first, entity: 'main', by: 'Grace' });
  await expect(approve(desk, { id: second, entity: 'main', by: 'Grace' })).rejects.toThrow(
    'cannot be approved, only refused: line 2 of wallet.csv',
  );
});

test('a lot whose cost has no rate is a finding of each run', async () => {
  const { db, pool } = books;
  await byBoth(db, lotsChange(readExternalLots(fileOf('ADA,5,700,GBP,2018-01-02'))));
  await derive(db, { timezone: 'UTC', currency: 'EUR' });
  const { rows } = await pool.query(
    "insert into run.runs (run_id, job, started_at) values (gen_random_uuid(), 'test', now()) returning run_id",
  );
  await reportValues({ db, run: { id: rows[0].run_id, number: '1', job: 'test', startedAt: '' } });
  const { rows: found } = await pool.query(
    "select severity, detail from books.findings where subject = 'lots'",
  );
  expect(found).toEqual([
    {
      severity: 'finding',
      detail: expect.stringMatching(
        /^1 externally held lot without a cost, the first: lot external\/\d+ cost 700 GBP, which has no rate on 2018-01-02: import that rate before you close the month \(npx tieout rates import\)$/,
      ),
    },
  ]);
});
