// What a walk has to cover, read from the landed rows.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  isProvedBefore,
  landedAbove,
  landedBelow,
  landedSoFar,
  notFinal,
  type PlannedList,
  readAgainFrom,
  storedPlace,
  windowsToWalk,
} from '../../src/land/plan.ts';
import { normalize } from '../../src/normalize/normalize.ts';
import { instantAt, movement, openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
beforeEach(() =>
  stage.rows('truncate land.coverage, land.records, land.inbox, land.resume_tokens, ledger.outcomes'),
);

const LIST: PlannedList = { entity: 'main', stream: 'movements', scope: '' };
const HOUR_MS = 3_600_000;
const HOUR = 3_600;

/** Lands intervals as proved, with one record in the newest of them. */
const covered = async (intervals: readonly [string | null, string][], newest?: string) => {
  const steps = intervals.map(([from, to]) => ({ rows: [], covers: { from, to, proof: 'window' } as const }));
  await stage.land([...(newest ? [{ rows: [movement('m', { createdAt: newest })] }] : []), ...steps]);
};

const windows = (since: string | null) => windowsToWalk(stage.db, LIST, since);

describe('the windows to walk', () => {
  test('of a first walk are all of time', async () => {
    expect(await windows(null)).toEqual([{ from: null, to: null }]);
  });

  test('of a later night are the last days once more', async () => {
    await covered([[null, instantAt(100)]]);
    expect(await windows(instantAt(80))).toEqual([{ from: instantAt(80), to: null }]);
  });

  test('have every gap among them, newest first', async () => {
    await covered([
      [null, instantAt(10)],
      [instantAt(20), instantAt(30)],
      [instantAt(40), instantAt(100)],
    ]);
    expect(await windows(instantAt(80))).toEqual([
      { from: instantAt(80), to: null },
      { from: instantAt(30), to: instantAt(40) },
      { from: instantAt(10), to: instantAt(20) },
    ]);
  });

  test('continue below what a killed first walk proved', async () => {
    await covered([[instantAt(60), instantAt(100)]]);
    expect(await windows(instantAt(80))).toEqual([
      { from: instantAt(80), to: null },
      { from: null, to: instantAt(60) },
    ]);
  });

  test('merge a gap that touches the days read again', async () => {
    await covered([[null, instantAt(70)]]);
    expect(await windows(instantAt(50))).toEqual([{ from: instantAt(50), to: null }]);
  });

  test('of one list are independent of another', async () => {
    await covered([[null, instantAt(100)]]);
    expect(await windowsToWalk(stage.db, { ...LIST, entity: 'sub-1' }, null)).toEqual([
      { from: null, to: null },
    ]);
  });
});

describe('reading again begins', () => {
  const since = () => readAgainFrom(stage.db, LIST, 48 * HOUR_MS);

  test('nowhere on a first walk, nor after pages that proved nothing', async () => {
    expect(await since()).toBe(null);
    await stage.tell('movements', movement('m1'));
    expect(await since()).toBe(null);
  });

  test('48 hours before the newest record, if nothing has happened for long', async () => {
    await covered([[null, instantAt(1_000 * HOUR)]], instantAt(500 * HOUR));
    expect(await since()).toBe(instantAt(452 * HOUR));
  });

  test('48 hours before the end of the coverage, if a record is dated in the future', async () => {
    await covered([[null, instantAt(1_000 * HOUR)]], '2999-01-01T00:00:00Z');
    expect(await since()).toBe(instantAt(952 * HOUR));
  });

  test('48 hours before the end of the coverage, if there is no record at all', async () => {
    await covered([[null, instantAt(1_000 * HOUR)]]);
    expect(await since()).toBe(instantAt(952 * HOUR));
  });
});

describe('all time before an instant is proved', () => {
  const proved = (instant: string) => isProvedBefore(stage.db, LIST, instant);

  test('only if nothing is missing from the beginning on', async () => {
    expect(await proved(instantAt(10))).toBe(false);
    await covered([[instantAt(0), instantAt(100)]]);
    expect(await proved(instantAt(50))).toBe(false);
    await covered([[null, instantAt(0)]]);
    expect(await proved(instantAt(50))).toBe(true);
    expect(await proved(instantAt(100))).toBe(true);
    expect(await proved(instantAt(101))).toBe(false);
  });
});

describe('what is landed', () => {
  test('counts distinct records of one list, not versions', async () => {
    for (const amount of ['1', '2'])
      await stage.tell('movements', movement('m1', { amount }), movement('m2'));
    await stage.land([{ rows: [{ movementId: 'e1' }] }], { stream: 'earn-movements', scope: 'wallet-1' });
    expect(await landedSoFar(stage.db, LIST)).toEqual({
      known: 2,
      gone: 0,
      newest: instantAt(0),
      place: null,
    });
    const earn: PlannedList = { entity: 'main', stream: 'earn-movements', scope: 'wallet-1' };
    expect(await landedSoFar(stage.db, earn)).toEqual({ known: 1, gone: 0, newest: null, place: null });
    expect(await landedSoFar(stage.db, { ...earn, scope: 'wallet-2' })).toEqual({
      known: 0,
      gone: 0,
      newest: null,
      place: null,
    });
  });

  test('above an instant is in order of time, with the instant itself', async () => {
    const rows = [3, 1, 2, 0].map((second) => movement(`m${second}`, { createdAt: instantAt(second) }));
    await stage.tell('movements', ...rows);
    const above = await landedAbove(stage.db, LIST, instantAt(1));
    expect(above).toEqual([1, 2, 3].map((second) => ({ id: `m${second}`, time: instantAt(second) })));
  });

  test('below an instant is the newest, with the instant itself', async () => {
    const rows = [3, 1, 2, 0].map((second) => movement(`m${second}`, { createdAt: instantAt(second) }));
    await stage.tell('movements', ...rows);
    expect(await landedBelow(stage.db, LIST, instantAt(2))).toEqual([{ id: 'm2', time: instantAt(2) }]);
    expect(await landedBelow(stage.db, LIST, instantAt(-1))).toEqual([]);
  });

  test('a resume token is stored per list', async () => {
    await stage.land([{ rows: [], resume: 'c1' }], { stream: 'wallet-transactions' });
    expect(await storedPlace(stage.db, { ...LIST, stream: 'wallet-transactions' })).toBe('c1');
    expect(await storedPlace(stage.db, LIST)).toBe(null);
  });
});

describe('the records that are not final yet', () => {
  const row = (id: string, status: string, date: unknown) => ({ id, status, date });
  const landed = async (...rows: ReturnType<typeof row>[]) => {
    await stage.tell('wallet-transactions', ...rows);
    await normalize(stage.db, { entity: 'main', timezone: 'UTC', currency: 'EUR' });
  };
  const late = async (before: string) =>
    (await notFinal(stage.db, { ...LIST, stream: 'wallet-transactions' }, before)).map(
      ({ recordId }) => recordId,
    );

  test('and are older than the walk reaches are requested one by one, unknown status words included; final ones are not', async () => {
    await landed(
      row('old', 'pending', instantAt(0)),
      row('recent', 'pending', instantAt(100)),
      row('odd', 'in-limbo', instantAt(1)),
      row('waiting', 'waiting-user-information', instantAt(2)),
      row('timeless', 'pending', 'once'),
      row('gone', 'cancelled', instantAt(3)),
      row('done', 'completed', instantAt(4)),
    );
    expect(await late(instantAt(100))).toEqual(['odd', 'old', 'timeless', 'waiting']);
  });

  test('are no longer requested once a later version is final', async () => {
    await landed(row('old', 'pending', instantAt(0)));
    await landed(row('old', 'cancelled', instantAt(0)));
    expect(await late(instantAt(100))).toEqual([]);
  });
});
