// Conservation: payloads and ledger give the same sums, by two computations that share no code;
// and every kind of loss is detected.
import { describe, expect, test } from 'vitest';
import { STREAM_NAMES, STREAMS, type StreamName } from '../../src/base/streams.ts';
import { conserve } from '../../src/normalize/conservation.ts';
import { RULES } from '../../src/normalize/rule-table.ts';
import { instantAt, movement } from '../land/stage.ts';
import { openBooks, withdrawal } from './books.ts';
import { dice, randomRecord } from './records.ts';

const books = openBooks();

const wrong = () => books.rows('select * from books_internal.conservation_sums where difference <> 0');
const unequal = () =>
  books.rows(`select * from books_internal.conservation_proof where landed <> booked + rejected + set_aside`);
const random = (seed: number, stream: StreamName, many: number) => {
  const d = dice(seed);
  return Array.from({ length: many }, (_, nth) => ({
    ...randomRecord(d, stream),
    [STREAMS[stream].id]: `${stream}-${nth}`,
  }));
};

describe('of random records, some of them invalid', () => {
  test.each(STREAM_NAMES)('%s', async (stream) => {
    await books.stage().read(
      'pocket',
      'after',
      ['p-1', 'P-2'].map((id) => ({ id, currency: 'EUR', balance: '0', blockedBalance: '0' })),
    );
    await books.tell(stream, ...random(5, stream, 1_500));
    await books.book();
    await books.tell(stream, ...random(6, stream, 700)); // the same ids with other content
    await books.book();
    expect(await wrong()).toEqual([]);
    expect(await unequal()).toEqual([]);
    const [counted] = await books.rows(
      'select landed::int, booked::int > 100 as many, rejected::int > 10 as some from books_internal.conservation_proof',
    );
    expect(counted).toEqual({ landed: 1_500, many: true, some: true });
    const sums = await books.rows('select 1 from books_internal.conservation_sums where booked <> 0');
    expect(sums.length).toBeGreaterThan(3);
  });

  test('of a wallet whose list of pockets was never read', async () => {
    await books.tell('wallet-transactions', ...random(7, 'wallet-transactions', 500));
    await books.book();
    expect(await wrong()).toEqual([]);
  });
});

test('the proofs of periods add up to the proof of all records', async () => {
  for (const stream of STREAM_NAMES) await books.tell(stream, ...random(5, stream, 400));
  await books.book();
  for (const stream of STREAM_NAMES) await books.tell(stream, ...random(6, stream, 100)); // newer versions
  await books.book();
  await books.tell('trades', ...random(7, 'trades', 450)); // some not decided yet
  const bounds = [
    '0001-01-01',
    '2026-10-31T23:59:59.999999Z',
    '2026-11-02',
    '2026-11-03T10:00:00.001Z',
    'infinity',
  ];
  const parts = bounds.slice(1).map((to, nth) => `('${bounds[nth]}'::timestamptz, '${to}'::timestamptz)`);
  const ofPeriods = (proof: string, keys: string, sums: readonly string[]) =>
    books.rows(`select ${keys}, ${sums.map((it) => `trim_scale(sum(${it})) as ${it}`).join()}
      from (values ${parts.join()}) as part (since, until) cross join lateral books_internal.${proof}(since, until) as p
      group by ${keys} order by ${keys}`);
  const ofAll = (proof: string, keys: string) =>
    books.rows(`select * from books_internal.${proof}('-infinity', 'infinity') order by ${keys}`);
  const counts = await ofAll('conservation_within', 'entity_id, stream, rule_version');
  expect(
    await ofPeriods('conservation_within', 'entity_id, stream, rule_version', [
      'landed',
      'booked',
      'rejected',
      'set_aside',
    ]),
  ).toEqual(counts);
  const keys = 'entity_id, stream, rule_version, side, currency';
  const sums = await ofAll('conservation_sums_within', keys);
  expect(
    await ofPeriods('conservation_sums_within', keys, ['landed', 'booked', 'set_aside', 'difference']),
  ).toEqual(sums);
  expect(counts.map(({ stream, rule_version }) => [stream, rule_version])).toContainEqual(['trades', 0]);
  expect(sums.length).toBeGreaterThan(20);
});

describe('sides', () => {
  const sums = () =>
    books.rows(
      'select stream, side, currency, landed, booked, set_aside from books_internal.conservation_sums order by 1, 2, 3',
    );

  test('of a trade, a fee on top, a waiting movement and a reward', async () => {
    const fill = {
      id: 't1',
      createdAt: instantAt(1),
      symbol: 'BTC/EUR',
      side: 'sell',
      amount: '2',
      cost: '70',
    };
    await books.tell('trades', { ...fill, feeAmount: '0.5', feeCurrency: 'EUR' });
    await books.tell('movements', movement('m1'), movement('m2', { status: 'pending', amount: '7' }));
    const equal = { class: 'bank', amount: '100', currency: 'EUR' };
    const fee = { network: { amount: '1.5', currency: 'EUR' } };
    await books.tell('wallet-transactions', withdrawal('completed', { destination: equal, fee }));
    const reward = { movementId: 'e1', createdAt: instantAt(2), type: 'reward', netAmount: '2.4' };
    await books.stage().land([{ rows: [{ ...reward, amount: { value: '3', currency: 'ETH' } }] }], {
      stream: 'earn-movements',
    });
    await books.book();
    const line = (stream: string, side: string, currency: string, rest: object) => ({
      stream,
      side,
      currency,
      set_aside: '0',
      ...rest,
    });
    expect(await sums()).toEqual([
      line('earn-movements', 'into earn', 'ETH', { landed: '2.4', booked: '2.4' }),
      line('earn-movements', 'tax withheld', 'ETH', { landed: '0.6', booked: '0.6' }),
      line('movements', 'into trading', 'EUR', { landed: '17', booked: '10', set_aside: '7' }),
      line('trades', 'into trading', 'EUR', { landed: '70', booked: '70' }),
      line('trades', 'out of trading', 'BTC', { landed: '2', booked: '2' }),
      line('trades', 'trading fees', 'EUR', { landed: '0.5', booked: '0.5' }),
      line('wallet-transactions', 'out of pockets', 'EUR', { landed: '101.5', booked: '101.5' }),
    ]);
  });

  test('of a difference that fees explain, with a network fee in another coin beside it', async () => {
    const fee = (network: string) => ({
      fee: { mercantile: { amount: '1', currency: 'EUR' }, network: { amount: network, currency: 'ETH' } },
    });
    const unexplained = { class: 'bank', amount: '98', currency: 'EUR' };
    await books.tell(
      'wallet-transactions',
      withdrawal('completed', fee('0.5')),
      withdrawal('completed', { ...fee('0.25'), id: 'w2', destination: unexplained }),
    );
    await books.book();
    expect((await sums()).map(({ side, currency, booked }) => [side, currency, booked])).toEqual([
      ['out of clearing', 'ETH', '0.5'],
      ['out of pockets', 'EUR', '200'],
    ]);
    expect(await wrong()).toEqual([]);
  });

  test('leave out manual entries', async () => {
    await books.tell('movements', movement('m1'));
    await books.book();
    await books.rows(`insert into ledger.entries
      select entity_id, gen_random_uuid(), effective_at, recorded_at, period, 'manual', stream, record_id, 1, 2, null, 1, ''
      from ledger.entries`);
    await books.rows(`insert into ledger.transfers
      select entity_id, entry_id, 1, 'assets:trading', 'equity:opening', 'EUR', 4 from ledger.entries where kind = 'manual'`);
    expect(await wrong()).toEqual([]);
  });
});

describe("a run's proof", () => {
  const prove = () => conserve(books.stage().db, books.stage().run, { entity: 'main' });
  const proof = () =>
    books.rows(`select stream, rule_version, landed, booked, rejected, set_aside, sums::text
      from books_internal.run_conservation order by 1, 2`);

  test('is stored as of the last reading of the run', async () => {
    await books.rows('truncate run.conservation');
    await books.tell('movements', movement('m1'));
    await prove();
    const undecided = {
      stream: 'movements',
      rule_version: 0,
      landed: 1,
      booked: 0,
      rejected: 0,
      set_aside: 0,
    };
    expect(await proof()).toEqual([{ ...undecided, sums: '[]' }]);
    await books.book();
    expect(await prove()).toEqual([]);
    expect(await proof()).toEqual([
      {
        ...undecided,
        rule_version: RULES.movements.version,
        booked: 1,
        sums: '[{"side": "into trading", "booked": "10", "landed": "10", "currency": "EUR", "set_aside": "0"}]',
      },
    ]);
  });

  test('stands on a quiet night, and is made again once a run between has landed and booked', async () => {
    const { stage } = books;
    await books.rows('truncate run.conservation');
    await books.tell('movements', movement('m1'));
    await books.book();
    await prove();
    await books.rows('update run.conservation set landed = 77'); // so that a copy shows
    const provedIn = async (isAdded: boolean) => {
      await books.rows('update run.runs set exit_code = 0');
      const { run, db } = await stage().nextRun();
      await conserve(db, run, { entity: 'main', isAdded });
      return books.rows(`select landed from run.conservation where run_id = '${run.id}'`);
    };
    expect(await provedIn(true)).toEqual([{ landed: 77 }]);
    await books.tell('movements', movement('m2'));
    await books.book();
    expect(await provedIn(false)).toEqual([{ landed: 2 }]);
    await books.rows('update run.conservation set landed = 78 where landed = 2');
    await books.rows(
      'update run.runs set exit_code = 2 where run_id in (select run_id from run.conservation)',
    );
    const { run, db } = await stage().nextRun();
    await conserve(db, run, { entity: 'main', isAdded: true });
    expect(await books.rows(`select landed from run.conservation where run_id = '${run.id}'`)).toEqual([
      { landed: 2 }, // the runs before have failed
    ]);
  });

  test('adds what is new to the last one, and is as one from nothing', async () => {
    const { stage } = books;
    await books.rows('truncate run.conservation');
    for (const stream of STREAM_NAMES) await books.tell(stream, ...random(8, stream, 300));
    await books.book();
    const first = await stage().nextRun();
    await first.read('pocket', 'after', [{ id: 'p-1', currency: 'EUR', balance: '0', blockedBalance: '0' }]);
    await conserve(first.db, first.run, { entity: 'main' });
    await books.rows('update run.runs set exit_code = 0');
    const { run, db } = await stage().nextRun();
    for (const stream of STREAM_NAMES) {
      const others = random(9, stream, 310);
      await books.tell(stream, ...others.slice(0, 15), ...others.slice(300)); // changed ones, and new ones
    }
    await books.book();
    const proofs = () =>
      books.rows(`select stream, rule_version, landed, booked, rejected, set_aside, sums from run.conservation
        where run_id = '${run.id}' order by reading desc, stream, rule_version limit ${STREAM_NAMES.length}`);
    await conserve(db, run, { entity: 'main', isAdded: true });
    const added = await proofs();
    expect(added.map(({ landed }) => landed)).toEqual(STREAM_NAMES.map(() => 310));
    await books.rows('update run.conservation set booked = booked + 1000 where reading = 1');
    await conserve(db, run, { entity: 'main', isAdded: true });
    const [wrongBefore] = await proofs();
    expect(wrongBefore?.booked).toBeGreaterThan(1_000); // so it was added, not made from nothing
    await conserve(db, run, { entity: 'main' });
    expect(await proofs()).toEqual(added);
  });

  test('proves some streams again beside those that stand in the same run', async () => {
    await books.rows('truncate run.conservation');
    await books.tell('movements', ...random(8, 'movements', 50));
    await books.tell('trades', ...random(8, 'trades', 50));
    await books.book();
    const { run, db } = await books.stage().nextRun();
    const proofs = () =>
      books.rows(`select stream, rule_version, landed, booked, rejected, set_aside, sums from run.conservation c
        where run_id = '${run.id}' and reading = (select max(reading) from run.conservation where run_id = c.run_id) order by stream`);
    await conserve(db, run, { entity: 'main', streams: ['trades'] }); // without a proof of this run: of everything
    expect((await proofs()).map(({ landed }) => landed)).toEqual([50, 50]);
    await books.tell('trades', ...random(9, 'trades', 70));
    await books.book();
    await conserve(db, run, { entity: 'main', streams: ['trades'] });
    const again = await proofs();
    expect(again.map(({ landed }) => landed)).toEqual([50, 70]);
    await books.rows(
      `update run.conservation set landed = 77 where run_id = '${run.id}' and stream = 'movements'`,
    );
    await conserve(db, run, { entity: 'main', streams: ['trades'] });
    expect((await proofs()).map(({ landed }) => landed)).toEqual([77, 70]); // it stands, so it was not read again
    await conserve(db, run, { entity: 'main' });
    expect(await proofs()).toEqual(again);
  });

  test('is made again after a pocket was listed for the first time, and if a record was undecided', async () => {
    const { stage } = books;
    await books.rows('truncate run.conservation');
    await books.tell('movements', movement('m1'));
    await books.book();
    const first = await stage().nextRun();
    await conserve(first.db, first.run, { entity: 'main' });
    const provedAgain = async () => {
      await books.rows('update run.runs set exit_code = 0');
      await books.rows('update run.conservation set landed = 77');
      const { run, db } = await stage().nextRun();
      await conserve(db, run, { entity: 'main', isAdded: true });
      return books.rows(`select landed from run.conservation where run_id = '${run.id}'`);
    };
    expect(await provedAgain()).toEqual([{ landed: 77 }]);
    const pocket = { id: 'new', currency: 'EUR', balance: '0', blockedBalance: '0' };
    await stage().read('pocket', 'after', [pocket]);
    expect(await provedAgain()).toEqual([{ landed: 1 }]);
    await books.rows('truncate land.pockets');
    expect(await provedAgain()).toEqual([{ landed: 77 }]);
    await books.rows('update run.conservation set rule_version = 0');
    expect(await provedAgain()).toEqual([{ landed: 1 }]);
  });

  test('counts the records with an outcome of another rule version', async () => {
    await books.tell('movements', movement('m1'), movement('m2'));
    await books.book();
    await books.rows('update ledger.outcomes set rule_version = 9');
    expect(await prove()).toEqual([
      { stream: 'movements', records: 2, rule: 9, today: RULES.movements.version },
    ]);
  });
});
