// Landing: records are stored as received, by version, a page in one transaction or not at all.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CountedVersion } from '../../src/land/records.ts';
import { sumOf } from '../../src/land/seals.ts';
import { instantAt, movement, openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const TABLES =
  'land.inbox, land.people, land.records, land.leaves, land.pages, land.coverage, land.resume_tokens';
beforeEach(() => stage.rows(`truncate ${TABLES}, land.requests, run.findings cascade`));

const versions = () =>
  stage.rows('select record_id, version, payload from land.records order by record_id, version');

describe('a record', () => {
  test('that was never seen is new, and waits in the inbox', async () => {
    const tally = await stage.tell('movements', movement('m1'));
    expect(tally).toEqual({ pages: 1, rows: 1, fresh: 1, changed: 0 });
    expect(await stage.rows('select stream, record_id, version from land.inbox')).toEqual([
      { stream: 'movements', record_id: 'm1', version: 1 },
    ]);
  });

  test('that arrives again with its fields in another order is unchanged, and nothing is written', async () => {
    await stage.tell('movements', movement('m1', { amount: '10', currency: 'EUR' }));
    const reordered = Object.fromEntries(Object.entries(movement('m1')).reverse());
    expect(await stage.tell('movements', reordered)).toMatchObject({ fresh: 0, changed: 0 });
    expect(await versions()).toHaveLength(1);
  });

  test('with any change is a new version, and the old one stays', async () => {
    await stage.tell('movements', movement('m1', { amount: '10' }));
    const tally = await stage.tell('movements', movement('m1', { amount: '10.0' }));
    expect(tally).toMatchObject({ fresh: 0, changed: 1 });
    expect((await versions()).map(({ payload }) => JSON.parse(String(payload)).amount)).toEqual([
      '10',
      '10.0',
    ]);
  });

  test('that changes and changes back has three versions', async () => {
    for (const amount of ['10', '11', '10']) await stage.tell('movements', movement('m1', { amount }));
    expect((await versions()).map(({ version }) => version)).toEqual([1, 2, 3]);
  });

  test('that an answer for it alone shows with more fields is unchanged in a list that lacks only those', async () => {
    const row = { id: 't1', date: instantAt(0), status: 'pending', destination: { amount: '1.10' } };
    const richer = { ...row, transaction: { hash: '0x1' } };
    const changes = [];
    for (const [target, record] of [
      ['/v3/wallet/transaction?limit=100', row],
      ['/v1/wallet/transaction/t1', richer],
      ['/v3/wallet/transaction?limit=100', row],
      ['/v1/wallet/transaction/t1', richer],
      ['/v1/wallet/transaction/t1', row], // an answer for it alone that lost a field
      ['/v1/wallet/transaction/t1', richer],
      ['/v3/wallet/transaction?limit=100', { ...row, destination: { amount: '1.1' } }],
      ['/v3/wallet/transaction?limit=100', { id: 't1', date: instantAt(0) }], // a list that lost a field of the list
    ] as const)
      changes.push(
        (await stage.land([{ rows: [record], target }], { stream: 'wallet-transactions' })).changed,
      );
    expect(changes).toEqual([0, 1, 0, 0, 1, 1, 1, 1]);
  });

  test('twice in one page, alike, is landed once', async () => {
    const tally = await stage.tell('movements', movement('m1'), movement('m1'));
    expect(tally).toEqual({ pages: 1, rows: 2, fresh: 1, changed: 0 });
    expect(await stage.rows('select from run.findings')).toEqual([]);
  });

  test('twice in one page, with two amounts, is two versions in the order sent', async () => {
    await stage.tell('movements', movement('m1', { amount: '1' }), movement('m1', { amount: '2' }));
    expect((await versions()).map(({ payload }) => JSON.parse(String(payload)).amount)).toEqual(['1', '2']);
    expect(await stage.rows('select severity, subject, detail from run.findings')).toEqual([
      {
        severity: 'finding',
        subject: 'movements: contradiction',
        detail: 'shown twice in one page with different content, the last counts: m1',
      },
    ]);
  });

  test('with the same id in two streams, or two entities, is two records', async () => {
    await stage.tell('movements', movement('m1'));
    await stage.land([{ rows: [movement('m1')] }], { stream: 'trades' });
    await stage.land([{ rows: [movement('m1')] }], { entity: 'sub-1' });
    expect((await versions()).map(({ version }) => version)).toEqual([1, 1, 1]);
  });

  test('without a readable time is landed all the same', async () => {
    await stage.tell('movements', movement('m1', { createdAt: 'yesterday' }));
    expect(await stage.rows('select record_at from land.records')).toEqual([{ record_at: null }]);
  });

  test('preserves a time finer than a millisecond', async () => {
    await stage.tell('movements', movement('m1', { createdAt: '2026-03-01T10:00:00.123456Z' }));
    expect(await stage.rows('select record_at from land.records')).toEqual([
      { record_at: '2026-03-01T10:00:00.123456Z' },
    ]);
  });
});

describe('one transaction', () => {
  const nothing = async () => {
    for (const table of [...TABLES.split(', '), 'land.requests', 'run.findings'])
      expect([table, await stage.rows(`select * from ${table}`)]).toEqual([table, []]);
  };
  const whole = {
    rows: [movement('m1', { note: 'for Ana' })],
    covers: { from: null, to: instantAt(60), proof: 'window' },
  } as const;

  test('leaves no trace of a page with a reversed interval', async () => {
    const covers = { from: instantAt(60), to: instantAt(0), proof: 'window' } as const;
    await expect(stage.land([{ ...whole, covers, resume: 'there' }])).rejects.toThrow('range lower bound');
    await nothing();
  });

  test('leaves no trace of a page whose resume token cannot be stored', async () => {
    await stage.rows("alter table land.resume_tokens add constraint poison check (token <> 'poison')");
    await expect(stage.land([{ ...whole, resume: 'poison' }])).rejects.toThrow('poison');
    await nothing();
  });

  test('leaves no trace of a page with personal data that cannot be stored', async () => {
    await stage.rows('alter table land.people add constraint nobody check (value <> \'"nobody"\')');
    await expect(
      stage.land([{ ...whole, rows: [movement('m1'), movement('m2', { note: 'nobody' })] }]),
    ).rejects.toThrow('nobody');
    await nothing();
  });

  test('preserves the pages landed before a walk failed, with their coverage and resume token', async () => {
    const steps = [{ ...whole, resume: 'c1' }, new Error('the socket closed'), { rows: [movement('m2')] }];
    await expect(stage.land(steps)).rejects.toThrow('the socket closed');
    expect((await versions()).map(({ record_id }) => record_id)).toEqual(['m1']);
    expect(await stage.rows('select covered::text from land.coverage')).toHaveLength(1);
    expect(await stage.rows('select token from land.resume_tokens')).toEqual([{ token: 'c1' }]);
  });
});

describe('beside the records', () => {
  test('there is the request that returned them, with its digest', async () => {
    await stage.tell('movements', movement('m1'), movement('m2'));
    expect(await stage.rows('select stream, method, target, status, rows from land.requests')).toEqual([
      { stream: 'movements', method: 'GET', target: '/v1/trading/movement', status: 200, rows: 2 },
    ]);
    const brought = await stage.rows(
      'select distinct r.rows from land.records join land.requests r using (request_id)',
    );
    expect(brought).toEqual([{ rows: 2 }]);
  });

  test('a resume token is stored, replaced, left unchanged, and removed', async () => {
    const token = async () => (await stage.rows('select token from land.resume_tokens'))[0]?.token;
    await stage.land([{ rows: [], resume: 'c1' }]);
    expect(await token()).toBe('c1');
    await stage.land([{ rows: [], resume: 'c2' }, { rows: [] }]);
    expect(await token()).toBe('c2');
    await stage.land([{ rows: [], resume: null }]);
    expect(await token()).toBe(undefined);
  });

  test('a fault of the walk is a finding of the run, once', async () => {
    const trouble = { subject: 'gap', detail: 'an instant stays full' };
    await stage.land([{ rows: [], trouble }, { trouble }]);
    expect(await stage.rows('select severity, subject, detail from run.findings')).toEqual([
      { severity: 'finding', subject: 'movements: gap', detail: 'an instant stays full' },
    ]);
  });

  test('a record that is landed in an interval and no longer listed there is a finding, and stays landed', async () => {
    const covers = { from: null, to: instantAt(60), proof: 'window' } as const;
    await stage.land([{ rows: [movement('m1'), movement('m2')], covers }]);
    await stage.land([{ rows: [movement('m2')], covers }]);
    expect(await stage.rows('select detail from run.findings')).toEqual([
      { detail: 'no longer listed, still in the books: m1' },
    ]);
    expect(await versions()).toHaveLength(2);
  });
});

describe('coverage', () => {
  const covers = (from: string | null, to: string) => ({ covers: { from, to, proof: 'window' } as const });
  const gaps = () => stage.rows('select gap_from, gap_to from books.coverage_gaps order by 1');

  test('joins intervals that touch, and shows the gap between those that do not', async () => {
    await stage.land([
      { rows: [], ...covers(instantAt(0), instantAt(10)) },
      covers(instantAt(10), instantAt(20)),
      covers(instantAt(30), instantAt(40)),
    ]);
    expect(await stage.rows('select covered_from, covered_to from books.coverage order by 1')).toEqual([
      { covered_from: instantAt(0), covered_to: instantAt(20) },
      { covered_from: instantAt(30), covered_to: instantAt(40) },
    ]);
    expect(await gaps()).toEqual([
      { gap_from: instantAt(20), gap_to: instantAt(30) },
      { gap_from: null, gap_to: instantAt(0) },
    ]);
  });

  test('has no gap once everything is proved, from the beginning', async () => {
    await stage.land([
      { rows: [], ...covers(null, instantAt(10)) },
      covers(instantAt(30), instantAt(40)),
      covers(instantAt(5), instantAt(35)),
    ]);
    expect(await gaps()).toEqual([]);
  });

  test('counts the distinct records inside an interval, without its end', async () => {
    const rows = [0, 5, 10].map((seconds) => movement(`m${seconds}`, { createdAt: instantAt(seconds) }));
    await stage.land([{ rows, ...covers(null, instantAt(10)) }]);
    await stage.tell('movements', movement('m5', { createdAt: instantAt(5), amount: '11' }));
    expect(await stage.rows('select covered_from, covered_to, records::int from books.coverage')).toEqual([
      { covered_from: '-infinity', covered_to: instantAt(10), records: 2 },
    ]);
  });

  test('of a page and what was landed before it has the latest version of each record in the interval', async () => {
    const movementAt = (id: string, seconds: number, amount = '10') =>
      movement(id, { createdAt: instantAt(seconds), amount });
    await stage.tell(
      'movements',
      movementAt('changed', 2),
      movementAt('unchanged', 3),
      movementAt('moved in', 30),
      movementAt('moved out', 4),
    );
    const page = [
      movementAt('changed', 2, '11'),
      movementAt('changed', 2, '12'),
      movementAt('unchanged', 3),
      movementAt('moved in', 5),
    ];
    const others = [
      movementAt('moved out', 40),
      movementAt('at its end', 10),
      movementAt('at its start', 0),
      movementAt('new', 9),
    ];
    await stage.land([{ rows: [...page, ...others], ...covers(instantAt(0), instantAt(10)) }]);
    const inside = await stage.rows(
      `select distinct on (record_id) record_id as "recordId", version, encode(digest, 'hex') as digest,
         record_at as "recordAt", landed_at as "landedAt"
       from land.records where record_at >= $1 and record_at < $2 order by record_id, version desc`,
      [instantAt(0), instantAt(10)],
    );
    expect(inside.map(({ recordId, version }) => `${recordId} ${version}`)).toEqual([
      'at its start 1',
      'changed 3',
      'moved in 2',
      'moved out 1',
      'new 1',
      'unchanged 1',
    ]);
    expect(await stage.rows('select records, records_sum from land.leaves')).toEqual([
      { records: 6, records_sum: sumOf('', inside as CountedVersion[]) },
    ]);
  });

  test('of two Earn wallets is separate', async () => {
    const rows = [{ movementId: 'e1', createdAt: instantAt(1) }];
    await stage.land([{ rows, ...covers(null, instantAt(10)) }], {
      stream: 'earn-movements',
      scope: 'wallet-1',
    });
    await stage.land([{ rows: [], ...covers(null, instantAt(20)) }], {
      stream: 'earn-movements',
      scope: 'wallet-2',
    });
    expect(await stage.rows('select scope, records::int, covered_to from books.coverage order by 1')).toEqual(
      [
        { scope: 'wallet-1', records: 1, covered_to: instantAt(10) },
        { scope: 'wallet-2', records: 0, covered_to: instantAt(20) },
      ],
    );
  });
});
