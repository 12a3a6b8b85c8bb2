// Nights over records in the forms of newer clients: every account has the true balance, nothing is
// rejected, and an Earn movement that waits is followed until it is final, although its list has the same count.
import { expect, test } from 'vitest';
import { openStage, type Stage } from './stage.ts';

const FEES = ['network', 'teller', 'unclassified'].map((kind) => `expenses:fees:${kind}`);

/** Where books and world differ, over the accounts that both have. */
const differing = async ({ sandbox, rows }: Stage): Promise<string[]> => {
  const booked = await rows(`
    select entity_id, replace(account, 'assets:trading-bots', 'assets:trading') as account, currency,
      trim_scale(sum(balance))::text as balance
    from books.balances where account not like 'equity:%' group by 1, 2, 3 having sum(balance) <> 0`);
  const lines = (list: readonly object[]) =>
    list.map((it) => JSON.stringify(Object.entries(it).sort(([a], [b]) => (a < b ? -1 : 1)))).sort();
  const [ours, theirs] = [lines(booked), lines(sandbox.world.truth())];
  return [...ours.filter((item) => !theirs.includes(item)), ...theirs.filter((item) => !ours.includes(item))];
};

test('the newer forms are booked correctly, and pending ones once they are final', async () => {
  const stage = await openStage({ faults: ['newer-forms'] });
  expect((await stage.nightWithFiles()).exitCode).toBe(0);
  expect(await differing(stage)).toEqual([]);
  expect(await stage.rows('select * from books.rejects')).toEqual([]);
  const kinds = await stage.rows(
    `select distinct account from books.balances where account like 'expenses:fees:%' and entity_id = 'main' order by 1`,
  );
  expect(kinds.map(({ account }) => account)).toEqual(expect.arrayContaining(FEES));
  const earn = () =>
    stage.rows(`select payload::jsonb ->> 'status' as status, outcome from books.records
      where stream = 'earn-movements' and payload::jsonb ->> 'status' is not null order by 1, 2`);
  const done = { status: 'completed', outcome: 'booked' };
  const cancelled = { status: 'cancelled', outcome: 'set aside: cancelled' };
  expect(await earn()).toEqual([
    cancelled,
    done,
    done,
    { status: 'pending', outcome: 'set aside: not-final' },
  ]);
  await stage.advance(5);
  expect((await stage.night()).exitCode).toBe(0);
  expect(await earn()).toEqual([cancelled, done, done, done]);
  expect(await differing(stage)).toEqual([]);
});
