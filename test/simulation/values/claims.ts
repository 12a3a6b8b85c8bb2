// What must hold of values whatever happened: each claim returns a line for each fault.
import { type Atto, attoOf, attoText } from '../../../src/base/money.ts';
import { restateMonth } from '../../../src/close/restate.ts';
import { monthAfter } from '../../../src/ledger/ledger.ts';
import type { Work } from '../../../src/run/work.ts';
import { verifyLedger, verifySeals } from '../../../src/verify/verify.ts';
import type { Month } from './books.ts';
import { foretoldLots, heldUnits } from './foretold.ts';
import { closedMonths, isWide, type World } from './world.ts';

type Reading = Pick<Work, 'db' | 'pool'>;

const rowsOf = async <Row extends object>(
  { pool }: Reading,
  text: string,
  values: readonly string[] = [],
): Promise<Row[]> => (await pool.query<Row>(text, [...values])).rows;

/** The books hold what the records moved. */
const holdings = async (books: Reading, world: World): Promise<string[]> => {
  const rows = await rowsOf<{ key: string; units: string }>(
    books,
    `select concat_ws(' ', entity_id, currency) as key, sum(balance)::text as units
     from books.balances where account like 'assets:%' group by 1`,
  );
  const booked = new Map(rows.map(({ key, units }) => [key, attoOf(units)]));
  const expected = heldUnits(world);
  return [...new Set([...booked.keys(), ...expected.keys()])].flatMap((key) =>
    differs(`holdings of ${key}`, booked.get(key) ?? 0n, expected.get(key)?.units ?? 0n),
  );
};

const differs = (what: string, found: Atto, expected: Atto): string[] =>
  found === expected ? [] : [`${what}: ${attoText(found)}, expected ${attoText(expected)}`];

/** What was acquired is what was disposed of and what is left, in units and at cost; unless a finding says that it is not. */
const lots = async (books: Reading, world: World): Promise<string[]> => {
  const rows = await rowsOf<{ key: string; units: string; cost: string; is_found: boolean }>(books, LOTS);
  const stored = new Map(rows.map((row) => [row.key, row]));
  return [...foretoldLots(world)].flatMap(([key, expected]) => {
    const { units, cost, is_found: isFound } = stored.get(key) ?? { units: '0', cost: '0', is_found: false };
    if (expected === null || isFound) return [];
    const rules = world.owners.find(({ taxpayer }) => key.startsWith(taxpayer))?.rules ?? '';
    const unpriced = isWide(world) ? /network-fee|received-fee|swap-fee:cost/ : /network-fee/;
    const isPriced = world.isForetold && !unpriced.test(rules);
    return [
      ...(world.areUnitsForetold ? differs(`units in lots of ${key}`, attoOf(units), expected.units) : []),
      ...(isPriced ? differs(`cost less gains of ${key}`, attoOf(cost), expected.paid) : []),
    ];
  });
};

const LOTS = `
  select concat_ws(' ', taxpayer, currency) as key, sum(units)::text as units, sum(cost)::text as cost, bool_or(is_found) as is_found
  from (
    select taxpayer, currency, units_left as units, coalesce(cost_left, 0) as cost, false as is_found from books.lots
    union all select taxpayer, currency, -units, 0, false from books.disposals_without_lot
    union all select taxpayer, currency, 0, -coalesce(gain, 0), false from books.disposals
    union all select f.taxpayer, t.currency, 0, 0, true from books.value_findings f join books.transfers t using (entity_id, entry_id)
      where f.kind in ('no-rate', 'no-lot', 'no-cost', 'not-understood', 'closed-side', 'not-arrived', 'other-amount', 'transfer-fee')
  ) as part
  group by 1`;

/** Every record has a rule. */
const rejects = async (books: Reading): Promise<string[]> => {
  const rows = await rowsOf<{ fault: string }>(
    books,
    "select concat_ws(' ', 'rejected:', entity_id, stream, record_id, reason) as fault from books.rejects limit 3",
  );
  return rows.map(({ fault }) => fault);
};

/** verify ledger holds. */
const proofs = async ({ db, pool }: Reading): Promise<string[]> => {
  const { proofs: ledger } = await verifyLedger({ pool, timezone: 'UTC', programs: [] });
  const all = [
    ...ledger.map(({ proof, faults, first }) => ({ proof, faults, first })),
    ...(await verifySeals({ db, pool, close: async () => {} } as never)),
  ];
  return all.flatMap(({ proof, faults, first }) => (faults === '0' ? [] : [`verify: ${proof}: ${first}`]));
};

/** The reports of each month, and of all together, agree with each other. */
const reports = async (books: Reading, until: string): Promise<string[]> => {
  const faults: string[] = [];
  for (let month = '2026-01'; month <= until; month = monthAfter(month))
    faults.push(...(await rulesBroken(books, month, monthAfter(month))));
  return [...faults, ...(await rulesBroken(books, '2026-01', monthAfter(until)))];
};

const rulesBroken = async (books: Reading, from: string, to: string): Promise<string[]> => {
  const rows = await rowsOf<{ fault: string }>(
    books,
    `select concat_ws(' ', entity_id, report, compared, subject, currency, shown, 'and not', expected) as fault
     from books_internal.report_sides($1, $2, '') where shown <> expected limit 3`,
    [`${from}-01T00:00:00Z`, `${to}-01T00:00:00Z`],
  );
  return rows.map(({ fault }) => `reports of ${from} until ${to}: ${fault}`);
};

/** The closing value of each account is its next opening value. */
const openings = async (books: Reading, until: string): Promise<string[]> => {
  const faults: string[] = [];
  for (let month = '2026-01'; month < until; month = monthAfter(month)) {
    const [start, end] = [monthAfter(month), monthAfter(monthAfter(month))].map(
      (one) => `${one}-01T00:00:00Z`,
    );
    const rows = await rowsOf<{ fault: string }>(books, OPENINGS, [
      `${month}-01T00:00:00Z`,
      `${start}`,
      `${end}`,
    ]);
    faults.push(...rows.map(({ fault }) => `opening after ${month}: ${fault}`));
  }
  return faults;
};

const OPENINGS = `
  select concat_ws(' ', entity_id, account, currency, a.closing, b.opening) as fault
  from books_internal.value_totals($1, $2, 'posted_at') a
  full join books_internal.value_totals($2, $3, 'posted_at') b using (entity_id, account, currency)
  where coalesce(a.closing, 0) <> coalesce(b.opening, 0) limit 3`;

/** Claims after each night. */
export const faultsIn = async (work: Reading, world: World): Promise<string[]> => [
  ...(await rejects(work)),
  ...(await holdings(work, world)),
  ...(await lots(work, world)),
  ...(await proofs(work)),
  ...(await moved(work, world)),
];

/** Claims that take longer. */
export const disagreements = async (work: Reading, month: string): Promise<string[]> => [
  ...(await reports(work, month)),
  ...(await openings(work, month)),
];

/** Nothing would change in a month that was just closed. */
export const restated = async ({ pool }: Reading, { entity, period }: Month): Promise<string[]> => {
  const [from, to] = [`${period}-01T00:00:00.000Z`, `${monthAfter(period)}-01T00:00:00.000Z`];
  const { late, reports: changed } = await restateMonth(pool, { entity, period, from, to });
  return [
    ...late.map(({ stream, record_id }) => `restate ${period} of ${entity}: late ${stream} ${record_id}`),
    ...changed.map(
      ({ report, removed, added }) =>
        `restate ${period} of ${entity}: ${report} -${removed.length} +${added.length}: ${removed[0] ?? ''} | ${added[0] ?? ''}`,
    ),
  ];
};

/** The values of a closed month, digit by digit. */
export const digitsOf = async (books: Reading, { entity, period }: Month): Promise<string> => {
  const digest = (table: string) =>
    `select '${table}' as name, md5(coalesce(string_agg(t::text, ',' order by t::text collate "C"), '')) as digest
     from value.${table} t where entity_id = $1 and period = $2`;
  const rows = await rowsOf(
    books,
    `${digest('postings')} union all ${digest('lots')} union all ${digest('uses')}`,
    [entity, period],
  );
  return JSON.stringify(rows);
};

/** Closed months whose values are others than when they were closed. */
const moved = async (books: Reading, world: World): Promise<string[]> => {
  const faults: string[] = [];
  for (const month of closedMonths(world)) {
    const { entity, period } = month;
    if ((await digitsOf(books, month)) !== world.digits.get(`${entity} ${period}`))
      faults.push(`values of ${period} of ${entity}, which is closed, have changed`);
  }
  return faults;
};
