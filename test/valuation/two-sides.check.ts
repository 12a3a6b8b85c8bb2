// Transfers between own accounts whose two sides do not agree: each is one finding that says what to do.
import { expect, test } from 'vitest';
import { subtract } from '../../src/base/money.ts';
import { derive } from '../../src/valuation/valuation.ts';
import { reportRows } from '../export/reports/report-rows.ts';
import {
  BOOKS,
  booked,
  books,
  buy,
  chargedBy,
  closeBoth,
  gains,
  left,
  paired,
  reversed,
  twoEntities,
  withBooks,
} from './month-stand.ts';

withBooks(twoEntities);

/** The findings of values, each with what to do. */
const found = async () => {
  const rows = await reportRows(books.pool, 'value_findings', {
    from: '2026-01-01T00:00:00Z',
    to: '2026-04-01T00:00:00Z',
  });
  return rows
    .filter(({ severity }) => severity === 'finding')
    .map(({ kind, units, detail, remedy }) => [kind, units, detail, remedy]);
};

const sentAs = async (
  sent: readonly string[],
  arrived: string | readonly string[],
  amounts: readonly [string, string],
) => {
  await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
  const out = await booked({ day: '2026-01-20', name: 'sent' }, sent);
  const legs =
    typeof arrived === 'string' ? [`assets:trading <- equity:external:person ${arrived} BTC`] : arrived;
  const into = await booked({ day: '2026-01-21', name: 'received', entity: 'a' }, legs);
  await paired(out, into, amounts);
  return { out, into };
};

test('what arrived in excess of what was sent is one finding, and no missing lot', async () => {
  const sent = [
    'equity:external:person <- assets:trading 0.5 BTC',
    'expenses:fees:unclassified <- assets:trading 0.001 BTC',
  ];
  await sentAs(sent, '0.501', ['0.5', '0.501']);
  await left();
  const detail =
    'trades received: of this own transfer 0.001 BTC more arrived than were sent, so they have no lot: perhaps a fee that one side books, or a person entered, was never charged';
  expect(await found()).toEqual([['other-amount', '0.001', detail, 'compare both sides']]);
});

test('what did not arrive of what was sent is a finding', async () => {
  await sentAs(['equity:external:person <- assets:trading 0.5 BTC'], '0.4', ['0.5', '0.4']);
  expect(await left()).toEqual(['here 0.9 36000', 'in-transit 0.1 4000']);
  const detail =
    'trades received: of this own transfer 0.1 BTC fewer arrived than were sent, so they stay in transit with their cost: enter them as a fee with npx tieout adjust --transfer';
  expect(await found()).toEqual([['other-amount', '-0.1', detail, 'compare both sides']]);
});

test.each(['unknown', 'zero'])(
  'a departure that is cancelled after its arrival was closed is a finding that names the month to reopen (%s)',
  async (rule) => {
    await books.pool.query('update decide.profiles set lot_rules = $1', [`without-lot:${rule}`]);
    const { out } = await sentAs(['equity:external:person <- assets:trading 0.5 BTC'], '0.5', ['0.5', '0.5']);
    await derive(books.db, BOOKS);
    await closeBoth('2026-01');
    await reversed(out, '2026-02-10');
    await left();
    const detail =
      'trades sent: 0.5 BTC of this own transfer arrived in a closed month, so their cost counts on both sides: reopen that month';
    expect(await found()).toEqual([['closed-side', '0.5', detail, 'reopen the month of the other side']]);
    await books.pool.query('delete from decide.seals');
    expect(await left()).toEqual(['here 1.5 65000']);
  },
);

const SENT = ['equity:external:person <- assets:trading 0.5 BTC'];
/** What people outside the group hold of what it sent and received. */
const personOutside = async () => {
  const { rows } = await books.pool.query(
    "select person_outside::text as units from books.consolidated where currency = 'BTC'",
  );
  return rows[0]?.units;
};

const ARRIVED_LESS = [
  'assets:trading <- equity:external:person 0.49 BTC',
  'expenses:fees:unclassified <- equity:external:person 0.01 BTC',
];

/** By entity, the difference that intercompany.csv shows, and what its account for people has beyond what a group eliminates. */
const differences = async (): Promise<string[]> => {
  const rows = await reportRows(books.pool, 'intercompany', {
    from: '2026-01-01T00:00:00Z',
    to: '2026-02-01T00:00:00Z',
  });
  const { rows: accounts } = await books.pool.query(
    `select entity_id, sum(value)::text as value from books_internal.value_lines where account = 'equity:external:person' group by 1`,
  );
  return rows.map((row) => {
    const account = accounts.find(({ entity_id }) => entity_id === row.entity_id)?.value ?? '';
    return `${row.entity_id} ${row.difference_value} ${subtract(account, String(row.eliminated_value))}`;
  });
};

test('a fee that people enter for what did not arrive is no difference between two entities', async () => {
  const { out, into } = await sentAs(SENT, '0.48', ['0.5', '0.48']);
  await left();
  expect(await differences()).toEqual(['a 0.00 0', 'main 800.00 800']);
  await chargedBy(out, '2026-01-25', '0.01');
  await left();
  expect(await differences()).toEqual(['a 0.00 0', 'main 400.00 400']);
  await reversed(await chargedBy(into, '2026-01-26', '0.004'), '2026-01-27');
  await chargedBy(into, '2026-01-28', '0.01');
  await left();
  expect(await differences()).toEqual(['a -400.00 -400', 'main 400.00 400']);
});

test.each([
  ['', ['0.01 for 500 at 400'], ['expenses:fees:unclassified 500', 'income:gains:realised -100']],
  ['network-fee:cost', ['0.01 for 400 at 400'], ['expenses:fees:unclassified 400']],
])('a fee on the way uses the lots that were sent (%s)', async (rules, disposed, values) => {
  await books.pool.query("update decide.profiles set lot_rules = nullif($1, '')", [rules]);
  await sentAs(SENT, ARRIVED_LESS, ['0.5', '0.5']);
  expect(await left()).toEqual(['here 0.99 39600']);
  expect(await found()).toEqual([]);
  const { rows } = await books.pool.query(
    "select format('%s for %s at %s', units, proceeds, cost) as text from books.disposals where currency = 'BTC'",
  );
  expect(rows.map(({ text }) => text)).toEqual(disposed);
  const { rows: lines } = await books.pool.query(`
    select account || ' ' || trim_scale(sum(value)) as text from books.value_postings
    where account ~ '^(expenses|income)' group by account order by 1`);
  expect(lines.map(({ text }) => text)).toEqual(values);
});

test('a fee that both sides book has lots once', async () => {
  const sent = [
    'equity:external:person <- assets:trading 0.49 BTC',
    'expenses:fees:unclassified <- assets:trading 0.01 BTC',
  ];
  await sentAs(sent, ARRIVED_LESS, ['0.49', '0.5']);
  expect(await left()).toEqual(['here 0.99 39600']);
  expect((await found()).map(([kind, units]) => [kind, units])).toEqual([['other-amount', '0.01']]);
});

test.each([
  ['the sender', 'the same month', '2026-01-25'],
  ['the receiver', 'the same month', '2026-01-25'],
  ['the sender', 'a later month', '2026-02-05'],
  ['the receiver', 'a later month', '2026-02-05'],
])('what did not arrive is in transit until %s enters it as a fee, in %s', async (side, _, day) => {
  const { out, into } = await sentAs(SENT, '0.49', ['0.5', '0.49']);
  await books.pool.query("update reconcile.own_transfers set grounds = 'record'");
  const before = ['here 0.99 39600', 'in-transit 0.01 400'];
  expect(await left()).toEqual(before);
  expect(await found()).toHaveLength(1);
  const fee = await chargedBy(side === 'the sender' ? out : into, day, '0.01');
  expect(await left()).toEqual(['here 0.99 39600']);
  expect(await found()).toEqual([]);
  expect(await gains()).toBe('100');
  expect(await personOutside()).toBe('0');
  await reversed(fee, day);
  expect(await left()).toEqual(before);
  expect(await found()).toHaveLength(1);
});

test('what did not arrive of a transfer of a closed month leaves transit in the month of the fee', async () => {
  const { into } = await sentAs(SENT, '0.49', ['0.5', '0.49']);
  await derive(books.db, BOOKS);
  await closeBoth('2026-01');
  await chargedBy(into, '2026-02-05', '0.004');
  await chargedBy(into, '2026-02-06', '0.006');
  expect(await left()).toEqual(['here 0.99 39600']);
  expect(await gains()).toBe('100');
});

const REVERSE = 'reverse the fee or reopen its month';

test('a fee of a closed transfer whose two sides are cancelled is a finding that names it, until it is reversed', async () => {
  const { out, into } = await sentAs(SENT, '0.49', ['0.5', '0.49']);
  const fee = await chargedBy(out, '2026-01-25', '0.01');
  await derive(books.db, BOOKS);
  await closeBoth('2026-01');
  await reversed(out, '2026-02-05');
  await reversed(into, '2026-02-06');
  await left();
  const detail =
    'trades sent: 0.01 BTC of this own transfer had left as its fee (manual fee-2026-01-25), so their cost counts twice: reverse the fee';
  expect(await found()).toEqual([['transfer-fee', '0.01', detail, REVERSE]]);
  await reversed(fee, '2026-01-25', '2026-02');
  expect(await left()).toEqual(['here 1 40000']);
  expect(await found()).toEqual([]);
});

test('a fee of a transfer that is cancelled before its month is closed uses no lots, and is a finding until it is reversed', async () => {
  const { out, into } = await sentAs(SENT, '0.49', ['0.5', '0.49']);
  const fee = await chargedBy(into, '2026-01-25', '0.01');
  await reversed(out, '2026-02-05');
  await reversed(into, '2026-02-06');
  expect(await left()).toEqual(['here 1 40000']);
  expect(await gains()).toBeNull();
  const detail =
    'manual fee-2026-01-25: the own transfer whose fee this is does not stand, so the fee uses none of its lots: reverse the fee if the transfer stays cancelled';
  expect(await found()).toEqual([['transfer-fee', '0.01', detail, REVERSE]]);
  await reversed(fee, '2026-01-25');
  expect(await left()).toEqual(['here 1 40000']);
  expect(await found()).toEqual([]);
});

test.each([
  ['departure', 'sent', 'main', SENT],
  ['arrival', 'received', 'a', ['assets:trading <- equity:external:person 0.49 BTC']],
])(
  'a fee that was closed while its transfer lacked the %s is a finding once that stands again',
  async (_, name, entity, legs) => {
    const both = await sentAs(SENT, '0.49', ['0.5', '0.49']);
    await derive(books.db, BOOKS);
    await closeBoth('2026-01');
    await chargedBy(both.out, '2026-02-03', '0.01');
    const side = name === 'sent' ? both.out : both.into;
    await reversed(side, '2026-02-10');
    await derive(books.db, BOOKS);
    await closeBoth('2026-02');
    const day = side.effectiveAt.slice(0, 10);
    const again = await booked({ day, period: '2026-03', name, entity }, legs);
    await paired(name === 'sent' ? again : both.out, name === 'sent' ? both.into : again, ['0.5', '0.49']);
    await derive(books.db, BOOKS);
    const detail = `trades ${name}: 0.01 BTC of this own transfer are a fee (manual fee-2026-02-03) that a closed month valued without its lots, which stay in transit: reopen that month`;
    expect(await found()).toContainEqual(['transfer-fee', '0.01', detail, REVERSE]);
    await books.pool.query("delete from decide.seals where period = '2026-02'");
    expect(await left()).toEqual(['here 0.99 39600']);
    expect(await gains()).toBe('100');
    expect((await found()).filter(([kind]) => kind === 'transfer-fee')).toEqual([]);
  },
);

test('a part of what did not arrive leaves the rest in transit', async () => {
  const { into } = await sentAs(SENT, '0.49', ['0.5', '0.49']);
  await chargedBy(into, '2026-01-25', '0.004');
  expect(await left()).toEqual(['here 0.99 39600', 'in-transit 0.006 240']);
  expect((await found()).map(([kind, units]) => [kind, units])).toEqual([['other-amount', '-0.006']]);
});
