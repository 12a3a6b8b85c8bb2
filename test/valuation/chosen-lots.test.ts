// Specific identification: the lots that a person names for a disposal, the oldest for what is not named, and what is refused.
import { beforeEach, describe, expect, test } from 'vitest';
import { byBoth } from '../approvals/both.ts';
import { choiceOf, choose, method } from './choices.ts';
import {
  booked,
  books,
  buy,
  close,
  derived,
  derivedAgain,
  disposals,
  proved,
  reversed,
  sell,
  withBooks,
} from './month-stand.ts';

/** Lots by the name of the trade that brought them. */
const lots: Record<string, string> = {};
const bought = async (name: string, day: string, units: string, euro: string) => {
  lots[name] = `${(await booked({ day, name }, buy(units, euro))).id}/1`;
};

withBooks(async () => {
  await method('specific');
  await bought('old', '2026-01-02', '1', '10000');
  await bought('dear', '2026-01-03', '2', '80000');
  await bought('new', '2026-01-04', '1', '30000');
});

test('a disposal uses the named lots first, then the oldest; what it did not use is left for the others', async () => {
  await booked({ day: '2026-01-10', name: 's1' }, sell('2', '100000'));
  await booked({ day: '2026-01-11', name: 's2' }, sell('1', '50000'));
  await derived();
  expect(await disposals()).toEqual([
    '2026-01: 1 of old 50000 10000 40000',
    '2026-01: 1 of dear 50000 40000 10000',
    '2026-01: 1 of dear 50000 40000 10000',
  ]);
  await choose(`trades,s1,BTC,${lots.dear},1.5`, `trades,s2,BTC,${lots.new},1`);
  expect(await derived()).toMatchObject({ from: '2026-01' });
  const chosen = [
    '2026-01: 1.5 of dear 75000 60000 15000',
    '2026-01: 0.5 of old 25000 5000 20000',
    '2026-01: 1 of new 50000 30000 20000',
  ];
  expect(await disposals()).toEqual(chosen);
  expect(await proved()).toEqual([]);
  await derivedAgain();
  expect((await derived())?.from).toBeNull();
  await choose(`trades,s1,BTC,${lots.new},1`); // a later file replaces the whole choice of the disposal
  await derived();
  expect((await disposals()).slice(0, 2)).toEqual([
    '2026-01: 1 of new 50000 30000 20000',
    '2026-01: 1 of old 50000 10000 40000',
  ]);
  const { rows } = await books.pool.query(`select detail from books.value_findings`);
  expect(rows).toEqual([
    {
      detail: `1 BTC of lot ${lots.new}, named for trades s2, are not left at that time: the oldest lots were used instead`,
    },
  ]);
  expect(await proved()).toEqual([]);
});

test('of what a disposal and its fee use in one asset, both use the named lots', async () => {
  const legs = [...sell('1', '50000'), 'expenses:fees:trading <- assets:trading 0.1 BTC'];
  await booked({ day: '2026-01-10', name: 's1' }, legs);
  await derived();
  await choose(`trades,s1,BTC,${lots.dear},1`, `trades,s1,BTC,${lots.new},0.1`);
  await derived();
  const fee = '0.1 of new 5000 3000 2000';
  expect(await disposals()).toEqual(['2026-01: 1 of dear 45000 40000 5000', `2026-01: ${fee}`]);
  await choose(`trades,s1,BTC,${lots.dear},1.05`, `trades,s1,BTC,${lots.new},0.05`);
  await derived();
  expect((await disposals()).slice(1)).toEqual([
    '2026-01: 0.05 of dear 2500 2000 500',
    '2026-01: 0.05 of new 2500 1500 1000',
  ]);
});

test('a choice that was replaced may be made again, and one that another overtook is prepared again', async () => {
  await booked({ day: '2026-01-10', name: 's1' }, sell('1', '50000'));
  await derived();
  const [dear, recent] = [`trades,s1,BTC,${lots.dear},1`, `trades,s1,BTC,${lots.new},1`];
  for (const line of [dear, recent, dear]) expect(await choose(line)).toBe(true);
  await derived();
  expect(await disposals()).toEqual(['2026-01: 1 of dear 50000 40000 10000']);

  const overtaken = await choiceOf(recent);
  await choose(`trades,s1,BTC,${lots.old},1`);
  await expect(byBoth(books.db, overtaken)).rejects.toThrow(
    'other lot choices took effect since it was prepared',
  );
});

test('a later month continues with what is left of each lot, and a reversal returns units to the lots that were named', async () => {
  const sold = await booked({ day: '2026-01-10', name: 's1' }, sell('2', '100000'));
  await derived();
  await choose(`trades,s1,BTC,${lots.dear},1.5`, `trades,s1,BTC,${lots.new},0.5`);
  await derived();
  await close('2026-01');
  await reversed(sold, '2026-02-05');
  await booked({ day: '2026-02-10', name: 's2' }, sell('1', '50000'));
  await derived();
  await choose(`trades,s2,BTC,${lots.dear},1`);
  await derived();
  expect((await disposals()).at(-1)).toBe('2026-02: 1 of dear 50000 40000 10000');
  const { rows } = await books.pool.query(
    'select lot_id, units_left, cost_left from books.lots where units_left > 0 order by acquired_at',
  );
  expect(rows.map((row) => Object.values(row))).toEqual([
    [lots.old, '1', '10000'],
    [lots.dear, '1', '40000'],
    [lots.new, '1', '30000'],
  ]);
  expect(await proved()).toEqual([]);
  await derivedAgain();
});

describe('refused, with nothing half done:', () => {
  beforeEach(async () => {
    lots.eth = `${(await booked({ day: '2026-01-05', name: 'eth' }, ['assets:trading <- equity:conversion 5 ETH', 'equity:conversion <- assets:trading 50 EUR'])).id}/1`;
    await booked({ day: '2026-01-10', name: 's1' }, sell('2', '100000'));
    await booked({ day: '2026-01-12', name: 's2' }, sell('0.5', '20000'));
    await bought('late', '2026-01-20', '1', '1');
    await derived();
  });

  const REFUSED: Readonly<Record<string, [lines: () => string[], says: RegExp]>> = {
    'a lot named twice for a disposal': [
      () => [`trades,s1,BTC,${lots.old},0.5`, `trades,s1,BTC,${lots.old},0.1`],
      /lots\.csv: line 3: trades s1 names lot \S+ in line 2 already: write all of its units in one line/,
    ],
    'a lot of another asset': [
      () => [`trades,s1,BTC,${lots.eth},1`],
      /line 2: lot \S+ is of ETH, and trades s1 uses BTC/,
    ],
    'a lot that does not exist': [
      () => ['trades,s1,BTC,none/1,1'],
      /line 2: no lot none\/1 of this taxpayer/,
    ],
    'a lot acquired after the disposal': [
      () => [`trades,s1,BTC,${lots.late},1`],
      /line 2: lot \S+ was acquired at 2026-01-20T\S+, after trades s1 at 2026-01-10T/,
    ],
    'more units than the lot has': [
      () => [`trades,s1,BTC,${lots.old},1.5`],
      /line 2: lot \S+ has 1 BTC left at that time, and 1\.5 are named/,
    ],
    'more units than earlier disposals left of it': [
      () => [`trades,s2,BTC,${lots.old},0.5`],
      /line 2: lot \S+ has 0 BTC left at that time, and 0\.5 are named/,
    ],
    'more units than the lot has, over two disposals': [
      () => [`trades,s1,BTC,${lots.old},0.8`, `trades,s2,BTC,${lots.old},0.3`],
      /line 3: lot \S+ has 1 BTC left at that time, and 1\.1 are named/,
    ],
    'more units than are disposed of': [
      () => [`trades,s1,BTC,${lots.dear},1.9`, `trades,s1,BTC,${lots.new},0.2`],
      /line 2: 2\.1 BTC are named for trades s1, which uses 2/,
    ],
    'a disposal that does not exist': [
      () => [`trades,s9,BTC,${lots.old},1`],
      /line 2: no entry of trades s9 in the books of main/,
    ],
    'a record that disposes of nothing': [
      () => [`trades,new,BTC,${lots.old},1`],
      /line 2: trades new uses no BTC: name a disposal of BTC/,
    ],
    'no units': [() => [`trades,s1,BTC,${lots.old},0`], /line 2, column units: /],
    'no lot': [() => ['trades,s1,BTC,,1'], /line 2, column lot_id: is empty/],
  };
  test.each(Object.entries(REFUSED))('%s', async (_name, [lines, says]) => {
    await expect((async () => choose(...lines()))()).rejects.toThrow(says);
    expect((await books.pool.query('select from decide.lot_choices')).rowCount).toBe(0);
  });

  test('a month that is closed', async () => {
    await close('2026-01');
    await expect(choose(`trades,s1,BTC,${lots.dear},1`)).rejects.toThrow(
      /line 2: trades s1 counts in 2026-01, which is closed: its lots stay as they are/,
    );
  });

  test('a month that another entity of the taxpayer has closed', async () => {
    await books.pool.query(
      `insert into run.entities (entity_id, name, first_seen_at) values ('a', 'a', now()) on conflict do nothing`,
    );
    await books.pool.query(`insert into decide.profiles (entity_id, version, taxpayer, owner, cost_method, by_name, at)
      values ('main', 2, 'T', 'own', 'specific', 'Ada', now()), ('a', 1, 'T', 'own', 'specific', 'Ada', now())`);
    await derived();
    await close('2026-01', 'a');
    await expect(choose(`trades,s1,BTC,${lots.dear},1`)).rejects.toThrow(
      /trades s1 counts in 2026-01, and a of the same taxpayer, .* is closed to 2026-01: reopen it there first \(npx tieout reopen 2026-01 --entity a\)/,
    );
  });

  test('another cost method', async () => {
    await books.pool.query("update decide.profiles set cost_method = 'fifo'");
    await expect(choose(`trades,s1,BTC,${lots.dear},1`)).rejects.toThrow(
      /line 2: the cost method of main is fifo: named lots count with specific alone/,
    );
  });
});
