// A pool for each place of an entity from a month on: pockets, trading and Earn. Transfers carry their lots along, and what the
// one pool had by then is allotted.
import { expect, test } from 'vitest';
import { attoText } from '../../src/base/money.ts';
import { post } from '../../src/ledger/entries.ts';
import { randomOf } from '../../src/sandbox/random.ts';
import {
  booked,
  books,
  buy,
  close,
  derived,
  derivedAgain,
  disposals,
  made,
  proved,
  reversed,
  sell,
  table,
  withBooks,
} from './month-stand.ts';

withBooks();

const profile = (rules: string, method = 'fifo', entity = 'main') =>
  books.pool.query(
    `insert into decide.profiles (entity_id, version, taxpayer, owner, cost_method, lot_rules, by_name, at)
     values ($3, 1, 'T', 'own', $1, $2, 'Ada', now())`,
    [method, rules, entity],
  );

const toTrading = (units: string) => [
  `assets:clearing:trading <- assets:pocket:a ${units} BTC`,
  `assets:trading <- assets:clearing:trading ${units} BTC`,
];
const toPocket = (units: string) => [
  `assets:clearing:trading <- assets:trading ${units} BTC`,
  `assets:pocket:a <- assets:clearing:trading ${units} BTC`,
];
const buyInPocket = (units: string, euro: string) => [
  `assets:pocket:a <- equity:conversion ${units} BTC`,
  `equity:conversion <- assets:pocket:e ${euro} EUR`,
];

const openLots = async () =>
  (
    await books.pool.query(
      `select concat_ws(' ', entity_id, pool, units_left, cost_left, acquired_at::date, origin) as text from books.lots
       where units_left > 0 order by entity_id, pool, acquired_at, lot_id`,
    )
  ).rows.map(({ text }) => text);

test('a sale uses the lots of its own place, oldest first, and a transfer carries lots along with cost and age', async () => {
  await profile('wallets-from:2026-01-01');
  await booked({ day: '2026-01-02', name: 'pocket' }, buyInPocket('2', '20000'));
  await booked({ day: '2026-01-03', name: 'trading' }, buy('1', '30000'));
  await booked({ day: '2026-01-04', name: 'sold' }, sell('0.5', '20000'));
  await booked({ day: '2026-01-05', name: 'moved' }, toTrading('1'));
  await booked({ day: '2026-01-06', name: 'sold again' }, sell('1.2', '60000'));
  await derived();
  expect(await disposals()).toEqual([
    '2026-01: 0.5 of trading 20000 15000 5000', // the universal pool would use the older lot in the pocket
    '2026-01: 1 of moved 50000 10000 40000', // the oldest in trading by its acquisition
    '2026-01: 0.2 of trading 10000 6000 4000',
  ]);
  expect(await openLots()).toEqual([
    'main pockets 1 10000 2026-01-02 exchange',
    'main trading 0.3 9000 2026-01-03 exchange',
  ]);
  expect(await proved()).toEqual([]);
  await derivedAgain();
  await books.pool.query(
    `update value.lots set pool = 'earn' where pool = 'trading' and origin = 'exchange'`,
  );
  expect(await proved()).toEqual([
    expect.stringMatching(/^BTC of T has .* in the lots of trading, the books 0.3$/),
  ]);
});

test('a transfer that arrives before it left, and one in transit, leave no place short', async () => {
  await profile('wallets-from:2026-01-01');
  await booked({ day: '2026-01-02', name: 'pocket' }, buyInPocket('2', '20000'));
  const [left = '', arrived = ''] = toTrading('1');
  await booked({ day: '2026-01-03', name: 'arrived' }, [arrived]);
  await booked({ day: '2026-01-03', name: 'sold', hour: '13' }, sell('1', '50000'));
  await booked({ day: '2026-01-04', name: 'left' }, [left]);
  await booked({ day: '2026-01-05', name: 'left too' }, toTrading('0.5').slice(0, 1));
  await derived();
  expect(await disposals()).toEqual(['2026-01: 1 of arrived 50000 10000 40000']);
  expect(await openLots()).toEqual(['main pockets 1 10000 2026-01-02 exchange']);
  expect(await proved()).toEqual([]);
});

test('from a month on: what the one pool has left is allotted to the places by the units that each holds', async () => {
  await profile('wallets-from:2026-02-01', 'fifo');
  await booked({ day: '2026-01-02', name: 'first' }, buy('1', '10000'));
  await booked({ day: '2026-01-03', name: 'second' }, buyInPocket('2', '40000'));
  await booked({ day: '2026-01-04', name: 'sold before' }, sell('0.5', '20000'));
  await derived();
  await close('2026-01');
  const before = (await table()).slice(0, 3);
  await booked({ day: '2026-02-10', name: 'sold after' }, sell('0.5', '20000'));
  await derived();
  expect(await disposals()).toEqual([
    '2026-01: 0.5 of first 20000 5000 15000',
    '2026-02: 0.5 of sold after 20000 10000 10000', // the pockets took the oldest 2 of 2.5
  ]);
  expect(await openLots()).toEqual([
    'main pockets 0.5 5000 2026-01-02 allotted',
    'main pockets 1.5 30000 2026-01-03 allotted',
  ]);
  const after = await table();
  for (const [nth, rows] of before.entries()) expect(after[nth]).toEqual(expect.arrayContaining(rows));
  expect(await proved()).toEqual([]);
  await derivedAgain();
});

test('a reversal of what was before the month returns its units to their places', async () => {
  await profile('wallets-from:2026-02-01');
  await booked({ day: '2026-01-02', name: 'first' }, buy('2', '20000'));
  const sold = await booked({ day: '2026-01-04', name: 'sold' }, sell('1', '20000'));
  const moved = await booked({ day: '2026-01-05', name: 'moved' }, toPocket('0.4'));
  await derived();
  await close('2026-01');
  await booked({ day: '2026-02-01', name: 'more' }, buy('1', '30000'));
  await reversed(sold, '2026-02-02');
  await reversed(moved, '2026-02-03');
  await booked({ day: '2026-02-10', name: 'all' }, sell('3', '90000'));
  await derived();
  expect(await openLots()).toEqual([]);
  expect((await disposals()).filter((line) => line.includes(' of nothing'))).toEqual([]);
  expect(await proved()).toEqual([]);
  await derivedAgain();
});

const otherEntity = async (method = 'fifo') => {
  await books.pool.query(`insert into run.entities (entity_id, name, timezone, currency, first_seen_at)
    values ('sub', 'sub', 'UTC', 'EUR', '2026-01-01')`);
  for (const entity of ['main', 'sub']) await profile('wallets-from:2026-02-01', method, entity);
};

test('the reversal of an earlier purchase removes its lot, wherever it lies, and each entity keeps lots for its units', async () => {
  await otherEntity();
  await booked({ day: '2026-01-01', name: 'of sub', entity: 'sub' }, buy('1', '30000'));
  const bought = await booked({ day: '2026-01-02', name: 'bought' }, buy('1', '10000'));
  await derived();
  await reversed(bought, '2026-02-02'); // its entity had taken the older lot
  await derived();
  expect(await proved()).toEqual([]);
  await booked({ day: '2026-02-04', name: 'sold', entity: 'sub' }, sell('1', '35000'));
  await derived();
  expect(await disposals()).toEqual(['2026-02: 1 of sold 35000 30000 5000']);
  expect(await openLots()).toEqual([]);
  expect(await proved()).toEqual([]);
  await derivedAgain();
});

test('what an entity gets back of a lot of another one waits in the one pool until its next entry', async () => {
  await otherEntity();
  await booked({ day: '2026-01-01', name: 'of sub', entity: 'sub' }, buy('1', '30000'));
  const bought = await booked({ day: '2026-01-02', name: 'bought' }, buy('1', '10000'));
  await booked({ day: '2026-02-01', name: 'more' }, buy('1', '20000'));
  await booked({ day: '2026-02-01', name: 'more of sub', entity: 'sub', hour: '13' }, buy('1', '25000'));
  await reversed(bought, '2026-02-02'); // sub had taken its lot, and main that of sub
  await derived();
  const ofSub = 'sub trading 1 25000 2026-02-01 exchange';
  const ofMain = 'main trading 1 20000 2026-02-01 exchange';
  expect(await openLots()).toEqual(['main held 1 30000 2026-01-01 allotted', ofMain, ofSub]);
  expect(await proved()).toEqual([]);
  await booked({ day: '2026-02-04', name: 'last', entity: 'sub' }, buy('1', '35000'));
  await derived();
  expect(await openLots()).toEqual([
    ofMain,
    'sub trading 1 30000 2026-01-01 allotted',
    ofSub,
    'sub trading 1 35000 2026-02-04 exchange',
  ]);
  expect(await proved()).toEqual([]);
  await derivedAgain();
});

test('the reversal of an earlier sale restores its lots at their place, for an entry at the same instant too', async () => {
  await profile('wallets-from:2026-02-01');
  await booked({ day: '2026-01-02', name: 'bought' }, buy('2', '20000'));
  const sold = await booked({ day: '2026-01-03', name: 'sold' }, sell('1', '20000'));
  await booked({ day: '2026-02-03', name: 'more' }, buy('1', '30000'));
  await reversed(sold, '2026-02-04');
  await derived();
  expect(await openLots()).toEqual([
    'main trading 1 10000 2026-01-02 allotted',
    'main trading 1 10000 2026-01-02 allotted',
    'main trading 1 30000 2026-02-03 exchange',
  ]);
  expect(await proved()).toEqual([]);
  await booked({ day: '2026-02-04', name: 'all' }, sell('3', '90000'));
  await derived();
  expect((await disposals()).filter((line) => line.includes(' of nothing'))).toEqual([]);
  expect(await openLots()).toEqual([]);
  expect(await proved()).toEqual([]);
  await derivedAgain();
});

test('a reversal that takes other units in place of some of unknown cost has no gain, which is a finding', async () => {
  await profile('wallets-from:2026-01-01');
  const moved = await booked({ day: '2026-01-02', name: 'moved' }, toTrading('1')); // no lot covers it
  await booked({ day: '2026-01-03', name: 'bought' }, buy('1', '30000'));
  await booked({ day: '2026-01-04', name: 'sold' }, sell('1', '40000'));
  await reversed(moved, '2026-01-05');
  await derived();
  const { rows } = await books.pool.query(
    "select detail from value.findings where detail like '%have no gain%'",
  );
  expect(rows).toEqual([
    { detail: '1 BTC in trades moved have no gain: they replace units whose cost is unknown' },
  ]);
  expect(await proved()).toEqual([]);
});

test('a place whose lots another had used gets those of what comes in where units were short', async () => {
  await profile('wallets-from:2026-02-01');
  await booked({ day: '2026-01-02', name: 'first' }, buy('3', '30000'));
  const [sold = '', paid = ''] = sell('1', '20000');
  await booked({ day: '2026-01-03', name: 'short' }, [
    sold.replace('assets:trading', 'assets:pocket:a'),
    paid,
  ]);
  await booked({ day: '2026-02-03', name: 'more' }, buy('1', '20000'));
  await derived();
  expect(await proved()).toEqual([]);
  await booked({ day: '2026-02-04', name: 'arrived' }, buyInPocket('1', '25000'));
  await derived();
  expect(await openLots()).toEqual([
    'main trading 2 20000 2026-01-02 allotted',
    'main trading 1 20000 2026-02-03 exchange',
    'main trading 1 25000 2026-02-04 allotted',
  ]);
  expect(await proved()).toEqual([]);
  await derivedAgain();
});

/** Three months of two entities: purchases, sales and transfers, some of them reversed later. */
const lived = async () => {
  const random = randomOf('wallets');
  const entries: ReturnType<typeof made>[] = [];
  for (let nth = 0; nth < 180; nth += 1) {
    const euro = attoText(random.units(10n ** 22n) + 10n ** 18n);
    const units = `0.${1 + random.below(9)}`;
    const legs = random.pick([
      buy(`${1 + random.below(3)}`, euro),
      buyInPocket(`${1 + random.below(3)}`, euro),
      sell(units, euro),
      sell(units, euro),
      toTrading(units),
      toPocket(units),
      toTrading(units).slice(1),
      [
        `assets:earn <- assets:clearing:earn ${units} BTC`,
        `assets:clearing:earn <- assets:pocket:a ${units} BTC`,
      ],
      [`expenses:fees:network <- assets:pocket:a 0.01 BTC`],
      [...buy('3', euro), `expenses:fees:trading <- assets:trading 0.1 BTC`],
    ]);
    const day = `2026-0${1 + Math.floor(nth / 60)}-${String(1 + Math.floor((nth % 60) / 3)).padStart(2, '0')}`;
    const entity = random.pick(['main', 'sub']);
    entries.push(made({ day, name: `t${nth}`, entity, hour: String(10 + (nth % 3)) }, legs));
  }
  return entries;
};

test.each(['fifo', 'average', 'hifo'])(
  '%s: lots tie in every place, and a run from a month on gives the same as one from the beginning',
  async (method) => {
    await otherEntity(method);
    const entries = await lived();
    const months = ['2026-01', '2026-02', '2026-03'];
    for (const month of months) {
      await post(
        books.db,
        entries.filter(({ period }) => period === month),
      );
      await derived();
    }
    expect(await proved()).toEqual([]);
    const { rows } = await books.pool.query('select distinct pool, origin from books.lots order by 1, 2');
    expect(rows.map(({ pool, origin }) => `${pool} ${origin}`)).toEqual(
      expect.arrayContaining([
        'earn transferred',
        'held exchange',
        'pockets allotted',
        'trading allotted',
        'trading transferred',
      ]),
    );
    await derivedAgain();
  },
);
