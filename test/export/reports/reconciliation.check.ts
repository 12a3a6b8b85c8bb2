// The reconciliation statement and the closing balances: what moved between a month's end and the reading that it rests on.
import { expect, test } from 'vitest';
import { cellOf, negated, openTwoMonths, SPANS, summed } from './ties.ts';

const { stage, read } = openTwoMonths();

const BY_ACCOUNT = ['entity_id', 'account', 'currency'];

test('the reconciliation statement ties to the closing balances', async () => {
  const { 'the closed September': span } = SPANS;
  const lines = await read('reconciliation', span);
  const closing = await read('closing_balances', span);
  const booked = lines.filter((row) => row.item === 'booked');
  expect(summed(booked, BY_ACCOUNT, negated('amount'))).toEqual(
    summed(closing, BY_ACCOUNT, cellOf('booked')),
  );
  const after = lines.filter((row) => row.item === 'moved after');
  expect(after.length).toBeGreaterThan(0);
  expect(summed(after, BY_ACCOUNT, negated('amount'))).toEqual(
    summed(closing, BY_ACCOUNT, cellOf('moved_after')),
  );
});

test('a balance that was read a month after the end is reconciled in one item', async () => {
  const span = { from: '2026-07-01T00:00:00Z', to: '2026-09-01T00:00:00Z' };
  const after = (await read('reconciliation', span)).filter((row) => row.item === 'moved after');
  expect(after.length).toBeGreaterThan(0);
  expect(after.filter((row) => row.record_id !== null || row.stream !== null)).toEqual([]);
  const closing = await read('closing_balances', span);
  expect(closing.map((row) => row.records_after)).toEqual(closing.map(() => null));
  expect(summed(after, BY_ACCOUNT, negated('amount'))).toEqual(
    summed(closing, BY_ACCOUNT, cellOf('moved_after')),
  );
});

/** What moved between a cut-off and the reading of a closing balance, posting by posting. */
const MOVED = (to: string) => `
  select c.entity_id, c.account, c.currency, sum(p.amount)::text as moved, count(distinct (p.stream, p.record_id))::text as records
  from books.closing_balances('${to}') c
  join books.postings p on (p.entity_id, p.currency) = (c.entity_id, c.currency) and books_internal.tied_account(p.account) = c.account
  where p.posted_at >= '${to}' and p.effective_at < c.read_at
  group by 1, 2, 3`;

test.each([
  ...Object.values(SPANS).map(({ to }) => to),
  '2026-08-01T00:00:00Z',
  '2026-09-15T13:30:00Z',
  '2026-10-01T22:00:00Z',
])('what moved after %s is the sum of its postings', async (to) => {
  const moved = await stage().rows(MOVED(to));
  const closing = (await read('closing_balances', { from: to, to })).filter(
    ({ read_at }) => read_at !== null,
  );
  expect(summed(closing, BY_ACCOUNT, cellOf('moved_after'))).toEqual(
    summed(moved, BY_ACCOUNT, cellOf('moved')),
  );
  const near = closing.filter(({ records_after }) => records_after !== null);
  const names = new Set(near.map((row) => BY_ACCOUNT.map((name) => row[name]).join(' ')));
  expect(summed(near, BY_ACCOUNT, cellOf('records_after'))).toEqual(
    summed(
      moved.filter((row) => names.has(BY_ACCOUNT.map((name) => row[name]).join(' '))),
      BY_ACCOUNT,
      cellOf('records'),
    ),
  );
});
