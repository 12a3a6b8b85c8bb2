// A transfer of which one side is cancelled and stands again: as of every month, the reports across accounts and entities have it once.
import { expect, test } from 'vitest';
import { derive } from '../../../src/valuation/valuation.ts';
import {
  BOOKS,
  booked,
  books,
  buy,
  close,
  closeBoth,
  type made,
  paired,
  reversed,
  twoEntities,
  withBooks,
} from '../../valuation/month-stand.ts';
import { reportRows } from './report-rows.ts';

withBooks(twoEntities);

const CASES: readonly [
  string,
  { readonly isClosed: boolean; readonly day: string; readonly period?: string },
][] = [
  ['from before', { isClosed: false, day: '2026-01-10' }],
  ['from before, its month closed', { isClosed: true, day: '2026-01-10', period: '2026-02' }],
  ['from after', { isClosed: false, day: '2026-02-10' }],
];
const MONTHS = ['2026-02-01', '2026-03-01'];

const PERIODS = ['2026-01', '2026-02'];
/** What the months sent and received between the entities: per month, the sender's units and the receiver's. */
const movedByMonth = () =>
  Promise.all(
    PERIODS.map(async (month, nth) => {
      const span = { from: `${month}-01T00:00:00Z`, to: `${MONTHS[nth]}T00:00:00Z` };
      const rows = await reportRows(books.pool, 'intercompany', span);
      const total = (name: string) => rows.reduce((sum, row) => sum + Number(row[name]), 0);
      return [total('sent'), total('received'), total('transfers')];
    }),
  );

const monthClosed = async (isClosed: boolean): Promise<void> => {
  await derive(books.db, BOOKS);
  if (isClosed) await closeBoth('2026-01');
};

test.each(CASES)(
  'between two entities, cancelled after a month and again %s',
  async (_, { isClosed, ...again }) => {
    await booked({ day: '2026-01-05', name: 'bought' }, buy('3', '40000'));
    const out = ['equity:external:person <- assets:trading 1 BTC'];
    const sent = await booked({ day: '2026-01-10', name: 'sent' }, out);
    const received = await booked({ day: '2026-01-10', hour: '13', name: 'received', entity: 'a' }, [
      'assets:trading <- equity:external:person 1 BTC',
    ]);
    await paired(sent, received, ['1', '1']);
    await monthClosed(isClosed);
    await reversed(sent, '2026-02-05');
    await derive(books.db, BOOKS);
    expect(await movedByMonth()).toEqual([
      [1, 1, 2],
      [-1, -1, -2],
    ]);
    await paired(await booked({ ...again, name: 'sent' }, out), received, ['1', '1']);
    await derive(books.db, BOOKS);
    expect(await movedByMonth()).toEqual([
      [1, 1, 2],
      [0, 0, 0],
    ]);
    for (const until of MONTHS) {
      const { rows } = await books.pool.query(
        `select entity_id, units, is_settled from books_internal.own_sides('${until}', 'posted_at', '') order by entity_id`,
      );
      expect(rows).toEqual([
        { entity_id: 'a', units: '-1', is_settled: true },
        { entity_id: 'main', units: '1', is_settled: true },
      ]);
    }
    const { rows: byType } =
      await books.pool.query(`select period, counterparty_type, sum(amount)::text as amount from books.outside
    where entity_id = 'main' group by 1, 2 having sum(amount) <> 0`);
    expect(byType).toEqual([{ period: '2026-01', counterparty_type: 'own-entity', amount: '1' }]);
  },
);

type Entry = ReturnType<typeof made>;
type Chain = {
  readonly entity: string;
  readonly hour: string;
  readonly amounts: readonly string[];
  readonly period?: string;
};

/** A record that is booked in January, and cancelled and booked again at that time for each further amount, the last one in `period`. */
const chainOf = async (
  name: string,
  { amounts, period, ...place }: Chain,
  legsOf: (units: string) => string[],
) => {
  const entries: Entry[] = [];
  for (const [nth, units] of amounts.entries()) {
    const last = entries.at(-1);
    if (last !== undefined) await reversed(last, `2026-02-0${nth + 4}`);
    const late = nth > 0 && period !== undefined ? { period } : {};
    entries.push(await booked({ day: '2026-01-10', name, ...place, ...late }, legsOf(units)));
  }
  return entries;
};

test.each([
  ['each time the same', ['1', '1', '1'], ['1', '1']],
  ['with another amount', ['1', '0.7', '0.7'], ['1', '0.7']],
  ['each of the same number', ['1', '1'], ['1', '1']],
] as const)(
  'January closed for one of two entities alone, both sides cancelled and again, %s: each side is what its accounts hold',
  async (_, out, into) => {
    await booked({ day: '2026-01-05', name: 'bought' }, buy('3', '40000'));
    await close('2026-01', 'main');
    const sent = await chainOf(
      'sent',
      { entity: 'main', hour: '12', amounts: out, period: '2026-02' },
      (units) => [`equity:external:person <- assets:trading ${units} BTC`],
    );
    const received = await chainOf('received', { entity: 'a', hour: '13', amounts: into }, (units) => [
      `assets:trading <- equity:external:person ${units} BTC`,
    ]);
    for (const [nth, entry] of sent.entries()) {
      const last = Math.min(nth, into.length - 1);
      await paired(entry, received[last] as Entry, [out[nth] ?? '', into[last] ?? '']);
    }
    await derive(books.db, BOOKS);
    for (const until of MONTHS) {
      const { rows } = await books.pool.query(
        `select s.entity_id, s.is_settled, trim_scale(s.units)::text as units,
          (select trim_scale(debit - credit)::text from books_internal.totals_counted('${until}', 'posted_at') t
            where (t.entity_id, t.account) = (s.entity_id, 'equity:external:person')) as balance
        from books_internal.own_sides('${until}', 'posted_at', '') s order by 1`,
      );
      expect(rows.map(({ entity_id, is_settled }) => [entity_id, is_settled])).toEqual([
        ['a', true],
        ['main', true],
      ]);
      for (const { units, balance } of rows) expect(units).toBe(balance);
      const { rows: sums } = await books.pool.query(
        `select sum(eliminated_units)::float as units, sum(eliminated_value)::float as value from books_internal.own_sides('${until}', 'posted_at', '')`,
      );
      expect(sums).toEqual([{ units: 0, value: 0 }]);
    }
  },
);

const cleared = (into: Entry, from: Entry) =>
  books.pool.query(
    `with pairing as (insert into run.runs (run_id, job, started_at) values (gen_random_uuid(), 'test', now()) returning run_id)
    insert into reconcile.clearing_matches (entity_id, debit_entry_id, credit_entry_id, account, currency, amount, debit_stream, debit_record_id,
      debit_at, credit_stream, credit_record_id, credit_at, grounds, run_id, matched_at)
    select 'main', d.entry_id, c.entry_id, 'assets:clearing:earn', 'BTC', 1, d.stream, d.record_id, d.effective_at, c.stream, c.record_id,
      c.effective_at, 'pocket', run_id, now()
    from pairing join ledger.entries d on d.entry_id = $1 join ledger.entries c on c.entry_id = $2`,
    [into.id, from.id],
  );

test.each(CASES)(
  'on a clearing account, cancelled after a month and again %s',
  async (_, { isClosed, ...again }) => {
    await booked({ day: '2026-01-05', name: 'bought' }, buy('3', '40000'));
    const out = ['assets:clearing:earn <- assets:trading 1 BTC'];
    const sent = await booked({ day: '2026-01-10', name: 'sent' }, out);
    const arrived = await booked({ day: '2026-01-10', hour: '13', name: 'arrived' }, [
      'assets:earn <- assets:clearing:earn 1 BTC',
    ]);
    await cleared(sent, arrived);
    await monthClosed(isClosed);
    await reversed(sent, '2026-02-05');
    await cleared(await booked({ ...again, name: 'sent' }, out), arrived);
    for (const to of [...MONTHS, '2026-02-07']) {
      const lines = await reportRows(books.pool, 'in_transit', {
        to: `${to}T00:00:00Z`,
        from: '2026-01-01T00:00:00Z',
      });
      const { rows } = await books.pool.query(
        `select coalesce(sum(debit - credit), 0)::float as amount from books_internal.totals_counted('${to}', 'posted_at') where account = 'assets:clearing:earn'`,
      );
      expect(lines.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(rows[0]?.amount);
      expect(lines.length).toBe(rows[0]?.amount === 0 ? 0 : 1);
    }
  },
);
