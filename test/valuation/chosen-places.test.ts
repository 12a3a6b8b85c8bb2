// Lots that a person names where each place has its own: an entry before which an entity's lots are allotted is a disposal like any other.
import { expect, test } from 'vitest';
import { choose } from './choices.ts';
import {
  booked,
  books,
  buy,
  close,
  derived,
  derivedAgain,
  disposals,
  proved,
  sell,
  taxed,
  withBooks,
} from './month-stand.ts';

withBooks(() => taxed(['main'], { method: 'specific', rules: 'wallets-from:2026-02-01' }).then(() => {}));

const TO_EARN = ['assets:clearing:earn <- assets:trading 2 BTC', 'assets:earn <- assets:clearing:earn 2 BTC'];
const FROM_EARN = [
  'assets:clearing:earn <- assets:earn 2 BTC',
  'assets:trading <- assets:clearing:earn 2 BTC',
];
const SOLD = ['equity:conversion <- assets:earn 0.5 BTC', 'assets:trading <- equity:conversion 30000 EUR'];

/** The open lots in Earn, the oldest first. */
const inEarn = async (): Promise<string[]> => {
  const { rows } = await books.pool.query(
    "select lot_id from books.lots where pool = 'earn' and units > 0 order by acquired_at, lot_id",
  );
  return rows.map(({ lot_id }) => lot_id);
};

test('the first disposal from a place with lots of its own uses the lots that are named, and no more than it disposes of', async () => {
  await booked({ day: '2026-01-02', name: 'old' }, buy('1', '10000'));
  await booked({ day: '2026-01-03', name: 'dear' }, buy('1', '40000'));
  await booked({ day: '2026-01-04', name: 'moved' }, TO_EARN);
  await derived();
  await close('2026-01');
  await booked({ day: '2026-02-01', name: 's1', hour: '00' }, SOLD);
  await derived();
  expect(await disposals()).toEqual(['2026-02: 0.5 of s1 30000 5000 25000']);
  const [old, dear] = await inEarn();
  await expect(choose(`trades,s1,BTC,${dear},0.4`, `trades,s1,BTC,${old},0.2`)).rejects.toThrow(
    /line 2: 0\.6 BTC are named for trades s1, which uses 0\.5/,
  );
  await choose(`trades,s1,BTC,${dear},0.5`);
  await derived();
  expect(await disposals()).toEqual(['2026-02: 0.5 of s1 30000 20000 10000']);
  expect(await proved()).toEqual([]);
  await derivedAgain();
});

test('a lot that came by a transfer after the disposal is refused, although it was acquired before', async () => {
  await books.pool.query("update decide.profiles set lot_rules = 'wallets-from:2026-01-01'");
  await booked({ day: '2026-01-02', name: 'old' }, buy('1', '10000'));
  const { id: dear } = await booked({ day: '2026-01-03', name: 'dear' }, buy('2', '80000'));
  await booked({ day: '2026-01-05', name: 's1' }, sell('0.5', '30000'));
  await booked({ day: '2026-01-06', name: 'moved' }, TO_EARN);
  const { id: back } = await booked({ day: '2026-01-07', name: 'back' }, FROM_EARN);
  await derived();
  await expect(choose(`trades,s1,BTC,${back}/2.1,0.5`)).rejects.toThrow(
    /line 2: lot .*\/2\.1 came by a transfer or a reversal at 2026-01-07T12:00:00\.000Z, after trades s1 at 2026-01-05T12:00:00\.000Z/,
  );
  await choose(`trades,s1,BTC,${dear}/1,0.5`);
  await derived();
  expect(await disposals()).toEqual(['2026-01: 0.5 of dear 30000 20000 10000']);
});
