// reconciliation.csv across: for generated worlds, from what bank and chain state to what the books hold outside, to zero at any cut-off.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { WireRecord } from '../../src/base/streams.ts';
import { loadSql, readSql } from '../../src/database/sql.ts';
import { typed } from '../cli/played.ts';
import { folder } from '../cli/tieout.ts';
import { type Nights, openNights, wallet } from '../reconcile/stage.ts';
import {
  ADDRESS,
  camtOf,
  chainCsvOf,
  OTHER,
  type Payment,
  paymentsOf,
  recordOf,
  type StatedPayment,
  statedOf,
} from './bank.ts';

let nights: Nights;

const openBooks = async (): Promise<void> => {
  const opened = await openNights();
  onTestFinished(() => opened.close());
  nights = opened;
};

const POCKETS = { pocket: [wallet('p1', 'EUR', '0'), wallet('p2', 'ETH', '0')] };

const importFile = async (name: string, content: string, ...args: readonly string[]): Promise<void> => {
  const path = join(folder, name);
  writeFileSync(path, content);
  const [group = '', ...rest] = args;
  const { exitCode, stderr } = await typed([group, 'import', path, '--by', 'Ana', ...rest], {
    DATABASE_URL: nights.url,
  });
  expect(stderr).toBe('');
  expect([0, 1]).toContain(exitCode);
};

const reconciliation = async (to: string) => {
  const { text, values } = loadSql('reports/reconciliation.sql', { to, entity: 'main' });
  const rows = await nights.rows(text, values);
  return rows.filter(({ account }) => String(account).startsWith('equity:')) as Record<
    string,
    string | null
  >[];
};

const sorted = (lines: readonly StatedPayment[]) =>
  [...lines].sort((a, b) => (a.bookedOn < b.bookedOn ? -1 : a.bookedOn > b.bookedOn ? 1 : 0));

/** Closes February, so that what lands later of it counts in March. */
const closeFebruary = () =>
  nights.rows(`insert into decide.seals (entity_id, period, seal_number, requests_to, entries, root, seal, prepared_by, sealed_at)
    values ('main', '2026-02', 1, 0, 0, repeat('0', 64), repeat('0', 64), 'Ada', '2026-03-05T00:00:00Z')`);

/** A payment to somebody else's bank account, and one that is booked after its month was closed. */
const toElsewhere: Payment = {
  ...(paymentsOf(99, 1, ['bank'])[0] as Payment),
  day: '2026-02-15',
  units: 33_300,
};
const late: Payment = { ...(paymentsOf(98, 1, ['bank'])[0] as Payment), day: '2026-02-16', units: 44_400 };

/** A world with every kind of item: what the books and the statements have, by payment. */
const openWorld = async (seed: number) => {
  await openBooks();
  const payments = paymentsOf(seed, 90, ['bank', 'bank', 'card', 'chain']);
  const records = payments.map(recordOf);
  const elsewhere = recordOf(toElsewhere);
  const destination = { ...(elsewhere.destination as object), bankAccount: 'DE89370400440532013000' };
  await nights.night({
    records: { 'wallet-transactions': [...records, { ...elsewhere, destination }] },
    after: POCKETS,
  });
  const cancelled = { ...records[20], status: 'cancelled', canceledAt: '2026-03-02T00:00:00.000Z' };
  await nights.night({ records: { 'wallet-transactions': [cancelled as WireRecord] }, after: POCKETS });
  await closeFebruary();
  await nights.night({ records: { 'wallet-transactions': [recordOf(late)] }, after: POCKETS });
  const stated = [...payments, late].map((payment, index) => ({ payment, line: statedOf(payment, index) }));
  const shownBy = (isKind: (kind: string) => boolean) =>
    stated
      .filter(({ payment }, index) => isKind(payment.kind) && (index % 13 !== 5 || payment === late))
      .map(({ payment, line }, index) => {
        if (payment.kind !== 'chain' && index % 11 === 3 && payment.units > 0)
          return { ...line, units: line.units + payment.fee };
        return index % 11 === 7 ? { ...line, units: line.units + 3 } : line;
      });
  const rent = {
    bookedOn: '2026-02-12',
    valueOn: '2026-02-12',
    units: -90_000,
    reference: '',
    text: OTHER,
    hash: '',
  };
  const bank = sorted([...shownBy((kind) => kind !== 'chain'), rent]).filter(
    ({ bookedOn }) => bookedOn >= '2026-02-08',
  );
  const half = bank.findIndex(({ bookedOn }) => bookedOn >= '2026-02-20');
  const opening = 5_000_000;
  const middle = bank.slice(0, half).reduce((sum, { units }) => sum + units, opening);
  const account = ['bank', '--account', 'Main', '--counterparty', 'plataforma'];
  await importFile(
    'first.xml',
    camtOf({ opening, lines: bank.slice(0, half), number: 7, from: '2026-02-08', to: '2026-02-19' }),
    ...account,
  );
  await importFile(
    'second.xml',
    camtOf({ opening: middle, lines: bank.slice(half), number: 8, from: '2026-02-20', to: '2026-03-12' }),
    ...account,
  );
  const chain = sorted(shownBy((kind) => kind === 'chain'));
  await importFile(
    'chain.csv',
    chainCsvOf(chain),
    ...['chain', '--address', ADDRESS, '--currency', 'ETH', '--until', '2026-03-12'],
  );
  return { bank, chain };
};

/** The items that the worlds have shown. */
const seen = new Set<string | null | undefined>();

const CUTS = [
  '2026-02-10T00:00:00Z',
  '2026-02-20T00:00:00Z',
  '2026-03-01T00:00:00Z',
  '2026-03-02T15:00:00Z',
  '2026-03-13T00:00:00Z',
];

test.each([1, 2, 3])(
  'world %i runs to zero at every cut-off, and ties to the trial balance',
  async (seed) => {
    const { bank, chain } = await openWorld(seed);
    for (const to of CUTS) {
      const rows = await reconciliation(to);
      const last = rows.filter(({ item }) => item === 'left');
      expect(last.map(({ account, currency, remaining }) => ({ account, currency, remaining }))).toEqual([
        { account: 'equity:external:bank', currency: 'EUR', remaining: '0' },
        { account: 'equity:external:blockchain', currency: 'ETH', remaining: '0' },
      ]);
      const check = loadSql('reports/checks.sql', { from: '2026-01-01T00:00:00Z', to, entity: 'main' });
      const checked = (await nights.rows(check.text, check.values)).filter(({ compared }) =>
        String(compared).startsWith('stated - items'),
      );
      expect(checked).toMatchObject([{ compared_rows: '2', verdict: 'holds' }]);
      const closing = loadSql('reports/trial_balance.sql', {
        from: '2026-01-01T00:00:00Z',
        to,
        by: 'posted_at',
        entity: 'main',
      });
      const trial = (await nights.rows(closing.text, closing.values)).filter(({ account }) =>
        /^equity:external:(bank|card|blockchain)$/.test(String(account)),
      );
      const balances = trial.map(({ account, closing: balance }) => ({ account, balance }));
      const booked = rows
        .filter(
          ({ item }) => item?.startsWith('booked') && item !== 'booked earlier' && item !== 'booked later',
        )
        .map(({ item, account, amount }) => ({
          account: item === 'booked on cards' ? 'equity:external:card' : account,
          balance: amount?.startsWith('-') ? amount.slice(1) : `-${amount}`,
        }));
      const byAccount = (a: { account?: unknown }, b: { account?: unknown }) =>
        String(a.account) < String(b.account) ? -1 : 1;
      expect(booked.sort(byAccount)).toEqual(balances.sort(byAccount));
      for (const { item } of rows) seen.add(item);
      const stated = rows.filter(({ item }) => item === 'stated');
      const total = (lines: readonly StatedPayment[], digits: number) =>
        lines
          .filter(({ bookedOn }) => bookedOn < to.slice(0, 10))
          .reduce((sum, { units }) => sum + units, 0) /
        10 ** digits;
      expect(stated.map(({ amount }) => Number(amount))).toEqual([
        expect.closeTo(total(bank, 2), 6),
        to.endsWith('15:00:00Z') ? expect.any(Number) : expect.closeTo(total(chain, 6), 9),
      ]);
    }
    const rows = await reconciliation('2026-03-13T00:00:00Z');
    const open = rows.filter(({ status, item }) => status === 'break' && item !== 'left');
    expect(open.length).toBeGreaterThan(3);
    expect(open.filter(({ break_id }) => break_id === null)).toEqual([]);
    const breaks = await nights.rows(
      "select break_id from books.breaks where check_name in ('bank_lines', 'chain_lines') and status <> 'resolved'",
    );
    expect(new Set(open.map(({ break_id }) => break_id))).toEqual(
      new Set(breaks.map(({ break_id }) => break_id)),
    );
  },
);

test('the worlds have every item that the report knows', () => {
  const { text } = readSql('views/37-external-reconciliation.sql');
  const body = text.slice(text.indexOf('external_reconciliation('));
  const items = [
    'stated',
    'unrelated',
    'only on the statement',
    'another amount',
    'fee on the statement',
    'booked earlier',
    'booked later',
  ].concat([
    'stated later',
    'only in the books',
    'of other accounts',
    'reversed',
    'before the first statement',
    'posted later',
    'booked',
    'booked on cards',
    'left',
  ]);
  for (const item of items) if (item !== 'left') expect(body).toContain(`'${item}'`);
  expect([...seen].sort()).toEqual(items.sort());
});

test('without statements the report has no such line', async () => {
  await openBooks();
  await nights.night({
    records: { 'wallet-transactions': paymentsOf(1, 10, ['bank']).map(recordOf) },
    after: POCKETS,
  });
  expect(await reconciliation('2026-03-13T00:00:00Z')).toEqual([]);
});
