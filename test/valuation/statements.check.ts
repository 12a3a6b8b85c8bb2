// Reports in money over many seeded worlds: the trial balance sums to zero together with its missing value, and figures
// in the reporting currency are the same in units and in money.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Atto, attoOf, attoText, roundToCents } from '../../src/base/money.ts';
import { exportReports } from '../../src/export/export.ts';
import { post } from '../../src/ledger/entries.ts';
import { randomOf } from '../../src/sandbox/random.ts';
import { derive } from '../../src/valuation/valuation.ts';
import { verifyFolder } from '../../src/verify/report/report.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { reportRows } from '../export/reports/report-rows.ts';
import { cellOf, type Row, summed } from '../export/reports/ties.ts';
import { newFolder } from '../room.ts';
import { BOOKS, buy, made, sell } from './month-stand.ts';

const WORLDS = 60;
let books: TestDatabase;

/** A month of purchases and sales, some of units never bought, of gifts without a price and of transfers of euro. */
const lived = (entity: string) => {
  const random = randomOf(`statements ${entity}`);
  const euro = () => attoText((random.units(10n ** 21n) / 10n ** 12n) * 10n ** 12n + 10n ** 16n);
  return Array.from({ length: 24 }, (_, nth) => {
    const units = `${1 + random.below(3)}`;
    const legs = random.pick([
      buy(units, euro()),
      buy(units, euro()),
      sell(units, euro()),
      [...sell(units, euro()), `expenses:fees:trading <- assets:trading ${euro()} EUR`],
      [
        'assets:pocket:a <- equity:external:bank 100.005 EUR',
        `assets:trading <- assets:pocket:a ${euro()} EUR`,
      ],
      [`assets:pocket:g <- equity:external:platform ${units} GEM`],
      [
        `equity:conversion <- assets:pocket:g ${units} GEM`,
        `assets:pocket:a <- equity:conversion ${euro()} EUR`,
      ],
      [`assets:pocket:g <- equity:conversion ${units} FREE`],
    ]);
    const day = `2026-01-${String(1 + nth).padStart(2, '0')}`;
    return made({ day, name: `${entity} ${nth}`, entity }, legs);
  });
};

beforeAll(async () => {
  books = await freshDatabase();
  const names = Array.from({ length: WORLDS }, (_, nth) => `w${nth}`);
  await books.pool.query(
    `insert into run.entities (entity_id, name, timezone, currency, first_seen_at)
     select e, e, 'UTC', 'EUR', '2026-01-01' from unnest($1::text[]) e`,
    [names],
  );
  for (const name of names) await post(books.db, lived(name));
  await derive(books.db, BOOKS);
});
afterAll(() => books.close());

const SPANS = {
  'the month': { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' },
  'its middle': { from: '2026-01-08T00:00:00Z', to: '2026-01-16T00:00:00Z' },
  'the month after': { from: '2026-02-01T00:00:00Z', to: '2026-03-01T00:00:00Z' },
};
const read = (report: string, span: { from: string; to: string }) => reportRows(books.pool, report, span);
const cents = (text: string | null | undefined): Atto => roundToCents(attoOf(text ?? '0'));
const money = (row: Row, name: string): Atto => attoOf(row[name] ?? '0');

describe.each(Object.entries(SPANS))('%s', (_name, span) => {
  test('every check holds', async () => {
    const checks = await read('checks', span);
    expect(new Set(checks.map(({ entity_id }) => entity_id)).size).toBe(WORLDS);
    expect(checks.filter(({ verdict }) => verdict !== 'holds')).toEqual([]);
  });

  test('the trial balance sums to zero together with its missing value, and has every unvalued row', async () => {
    const rows = await read('trial_balance', span);
    const whole = rows.map((row) => ({
      ...row,
      whole: attoText(money(row, 'closing_value') + money(row, 'missing_value')),
    }));
    expect(summed(whole, ['entity_id'], cellOf('whole'))).toEqual({});
    const off = summed(rows, ['entity_id'], cellOf('closing_value'));
    const open = summed(rows, ['entity_id'], cellOf('unvalued'));
    expect(Object.keys(off).filter((entity) => !(entity in open))).toEqual([]);
    expect(Object.keys(off).length).toBeGreaterThan(WORLDS / 4);
    const { rows: lines } = await books.pool.query(
      'select count(*)::text as n from books.value_postings where value is null and posted_at < $1',
      [span.to],
    );
    expect(rows.reduce((sum, row) => sum + attoOf(row.unvalued ?? '0'), 0n)).toBe(attoOf(lines[0].n));
  });

  test('counterparties, cash and prices add up to the accounts, whatever has no value and however amounts round', async () => {
    const balance = await read('trial_balance', span);
    const outside = balance.filter(({ account }) => account?.startsWith('equity:external:'));
    const cash = outside.filter(({ account }) => account === 'equity:external:bank');
    const grown = (row: Row) => attoText(money(row, 'closing_value') - money(row, 'opening_value'));
    const less = (plus: string, minus: string) => (row: Row) =>
      attoText(money(row, plus) - money(row, minus));
    const [parties, paid, prices] = await Promise.all(
      ['counterparties', 'cash_list', 'prices_used'].map((report) => read(report, span)),
    );
    const byAccount = ['entity_id', 'account', 'currency'];
    expect(summed(parties ?? [], byAccount, less('out_value', 'in_value'))).toEqual(
      summed(outside, byAccount, grown),
    );
    expect(summed(paid ?? [], ['entity_id', 'currency'], cellOf('value'))).toEqual(
      summed(cash, ['entity_id', 'currency'], less('opening_value', 'closing_value')),
    );
    expect(summed(prices ?? [], ['entity_id', 'currency'], less('debit_value', 'credit_value'))).toEqual(
      summed(balance, ['entity_id', 'currency'], grown),
    );
  });

  test('the closing balances carry what the accounts carry, whatever has no value', async () => {
    const compared = /^assets:(trading|trading-bots|earn|pocket:.*|clearing:.*)$/;
    const balance = (await read('trial_balance', span)).filter(({ account }) => compared.test(account ?? ''));
    const closing = await read('closing_balances', span);
    const byAccount = ['entity_id', 'account', 'currency'];
    expect(summed(closing, byAccount, cellOf('booked_value'))).toEqual(
      summed(balance, byAccount, cellOf('closing_value')),
    );
    const keyOf = (row: Row) => byAccount.map((name) => row[name]).join(' ');
    const unvalued = new Map(balance.map((row) => [keyOf(row), row.unvalued]));
    expect(closing.filter((row) => row.unvalued !== unvalued.get(keyOf(row)))).toEqual([]);
    expect(closing.length).toBeGreaterThan(WORLDS);
  });

  test('an account of the reporting currency has the same in units and in money, each figure rounded once', async () => {
    const rows = (await read('trial_balance', span)).filter(
      ({ currency, account }) => currency === 'EUR' && !/^(income|expenses):/.test(account ?? ''),
    );
    const figures = ['opening', 'debit', 'credit', 'closing', 'prior_period'];
    const differing = rows.flatMap((row) =>
      figures
        .filter((name) => cents(row[name]) !== money(row, `${name}_value`))
        .map((name) => `${row.entity_id} ${row.account} ${name}`),
    );
    expect(rows.length).toBeGreaterThan(WORLDS);
    expect(differing).toEqual([]);
  });

  test('every figure rolls forward, with its rounding in a column', async () => {
    for (const row of await read('trial_balance', span)) {
      const [opening, late, debit, credit, rounding, closing] = [
        'opening',
        'prior_period',
        'debit',
        'credit',
        'rounding',
        'closing',
      ].map((name) => money(row, `${name}_value`)) as [Atto, Atto, Atto, Atto, Atto, Atto];
      expect(opening + late + debit - credit + rounding).toBe(closing);
    }
  });

  test('the roll-forward and the holdings show the same cents as the units of the reporting currency', async () => {
    const roll = (await read('asset_roll_forward', span)).filter(({ currency }) => currency === 'EUR');
    const names = ['in', 'out', 'traded_in', 'traded_out', 'fees', 'rewards', 'opened', 'prior_period'];
    for (const row of roll) {
      for (const name of names) expect(money(row, `${name}_value`)).toBe(cents(row[name]));
      expect(money(row, 'closing_value') - money(row, 'rounding_value')).toBe(cents(row.closing));
    }
    for (const row of (await read('valuation', span)).filter(({ currency }) => currency === 'EUR'))
      expect(money(row, 'cost') - money(row, 'rounding_value')).toBe(cents(row.units));
    expect(roll.length).toBe(WORLDS);
  });

  test('fee totals are the sums of the fees, and both what the accounts carry, to the cent', async () => {
    const [fees, totals, balance] = await Promise.all(
      ['fees', 'fee_totals', 'trial_balance'].map((report) => read(report, span)),
    );
    const keys = ['entity_id', 'account', 'currency'];
    for (const name of ['amount', 'in_cost', 'in_proceeds', 'expensed', 'paid_value', 'rounding_value'])
      expect(summed(totals ?? [], keys, cellOf(name === 'amount' ? 'paid' : name))).toEqual(
        summed(fees ?? [], keys, cellOf(name)),
      );
    const carried = (row: Row) => attoText(money(row, 'closing_value') - money(row, 'opening_value'));
    const accounts = (balance ?? []).filter(({ account }) => account?.startsWith('expenses:fees:'));
    const posted = (row: Row) => attoText(money(row, 'expensed') + money(row, 'rounding_value'));
    expect(summed(totals ?? [], keys, posted)).toEqual(summed(accounts, keys, carried));
    expect(accounts.length).toBeGreaterThan(WORLDS / 4);
  });

  test('the general ledger has every account of the trial balance, and its lines the same cents', async () => {
    const [ledger, balance] = [await read('general_ledger', span), await read('trial_balance', span)];
    const keys = (rows: readonly Row[]) =>
      [...new Set(rows.map((row) => `${row.entity_id} ${row.account} ${row.currency}`))].sort();
    expect(keys(ledger.filter(({ line }) => line === 'closing'))).toEqual(keys(balance));
    const euro = ledger.filter(
      ({ line, currency, leg, account }) =>
        line === 'posting' && currency === 'EUR' && leg !== null && /^(assets|equity)/.test(account ?? ''),
    );
    const differing = euro.filter(
      (row) =>
        row.value !== null &&
        cents(attoText(money(row, 'debit') - money(row, 'credit'))) !== money(row, 'value'),
    );
    expect(differing).toEqual([]);
  });
});

describe('an export of them', () => {
  const profiles = ['machine', 'excel-de'] as const;
  const written = async (profile: (typeof profiles)[number]): Promise<string> => {
    const outDir = join(newFolder(), profile);
    await exportReports({
      pool: books.pool,
      period: '2026-01',
      outDir,
      timezone: 'UTC',
      currency: 'EUR',
      profile,
    });
    return outDir;
  };
  const faultsIn = async (dir: string) =>
    (await verifyFolder(dir)).proofs
      .filter(({ proof }) => /trial balance/.test(proof))
      .map(({ first }) => first);

  test.each(profiles)('is verified to sum to zero, and one with a fault is named (%s)', async (profile) => {
    const dir = await written(profile);
    expect((await verifyFolder(dir)).proofs.filter(({ faults }) => faults !== '0')).toEqual([]);
    const path = join(dir, 'trial_balance.csv');
    const rows = readFileSync(path, 'utf8').split('\n');
    const gone = rows.findIndex((row) => row.includes('income:gains:realised'));
    const entity = rows[gone]?.split(/[,;]/)[0];
    writeFileSync(path, rows.toSpliced(gone, 1).join('\n'));
    expect(await faultsIn(dir)).toEqual([
      expect.stringMatching(
        `^trial_balance.csv: the accounts of ${entity} in EUR sum to -?[0-9.]+, expected 0$`,
      ),
    ]);
  });

  test('with a check that does not hold is named', async () => {
    const dir = await written('machine');
    const path = join(dir, 'checks.csv');
    const [head = '', first = '', ...rest] = readFileSync(path, 'utf8').split('\n');
    const place = head.split(',').indexOf('differing_rows');
    writeFileSync(path, [head, first.split(',').with(place, '2').join(','), ...rest].join('\n'));
    expect(await faultsIn(dir)).toEqual([
      expect.stringMatching(
        /^checks\.csv, row 1: trial_balance, "opening \+ changes = closing" does not hold in 2 rows, the first: /,
      ),
    ]);
  });
});
