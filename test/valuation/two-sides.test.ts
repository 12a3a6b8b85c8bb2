// Transfers between own accounts whose two sides do not agree: each is one finding that says what to do.
import { expect, test } from 'vitest';
import { derive } from '../../src/valuation/valuation.ts';
import { reportRows } from '../export/reports/report-rows.ts';
import {
  BOOKS,
  booked,
  books,
  buy,
  close,
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

const sentAs = async (sent: readonly string[], arrived: string, amounts: readonly [string, string]) => {
  await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
  const out = await booked({ day: '2026-01-20', name: 'sent' }, sent);
  const into = await booked({ day: '2026-01-21', name: 'received', entity: 'a' }, [
    `assets:trading <- equity:external:person ${arrived} BTC`,
  ]);
  await paired(out, into, amounts);
  return out;
};

test('what arrived in excess of what was sent is one finding, and no missing lot', async () => {
  const sent = [
    'equity:external:person <- assets:trading 0.5 BTC',
    'expenses:fees:unclassified <- assets:trading 0.001 BTC',
  ];
  await sentAs(sent, '0.501', ['0.5', '0.501']);
  await left();
  const detail =
    'trades received: of this own transfer 0.001 BTC more arrived than were sent, so they have no lot: perhaps a fee that one side books was never charged';
  expect(await found()).toEqual([['other-amount', '0.001', detail, 'compare both sides']]);
});

test('what did not arrive of what was sent is a finding', async () => {
  await sentAs(['equity:external:person <- assets:trading 0.5 BTC'], '0.4', ['0.5', '0.4']);
  expect(await left()).toEqual(['here 0.9 36000', 'in-transit 0.1 4000']);
  const detail =
    'trades received: of this own transfer 0.1 BTC fewer arrived than were sent, so they stay in transit with their cost, and no side books them as a fee';
  expect(await found()).toEqual([['other-amount', '-0.1', detail, 'compare both sides']]);
});

test.each(['unknown', 'zero'])(
  'a departure that is cancelled after its arrival was closed is a finding that names the month to reopen (%s)',
  async (rule) => {
    await books.pool.query('update decide.profiles set lot_rules = $1', [`without-lot:${rule}`]);
    const out = await sentAs(['equity:external:person <- assets:trading 0.5 BTC'], '0.5', ['0.5', '0.5']);
    await derive(books.db, BOOKS);
    for (const entity of ['main', 'a']) await close('2026-01', entity);
    await reversed(out, '2026-02-10');
    await left();
    const detail =
      'trades sent: 0.5 BTC of this own transfer arrived in a closed month, so their cost counts on both sides: reopen that month';
    expect(await found()).toEqual([['closed-side', '0.5', detail, 'reopen the month of the other side']]);
    await books.pool.query('delete from decide.seals');
    expect(await left()).toEqual(['here 1.5 65000']);
  },
);
