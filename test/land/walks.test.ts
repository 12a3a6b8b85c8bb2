// Whole walks over lists that page, burst and shift, landed and then verified offline from landed rows alone.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { WireRecord } from '../../src/base/streams.ts';
import { readInstant } from '../../src/base/time.ts';
import { walkOffset } from '../../src/extract/offset.ts';
import type { Walk } from '../../src/extract/step.ts';
import { walkWindow } from '../../src/extract/window.ts';
import type { WindowQuery } from '../../src/extract/window-query.ts';
import type { Receipt } from '../../src/gateway/client.ts';
import { type Destination, landWalk } from '../../src/land/pages.ts';
import { landedSoFar } from '../../src/land/plan.ts';
import { peopleKey } from '../../src/privacy/people-key.ts';
import { verifyCoverage } from '../../src/verify/coverage/coverage.ts';
import { instant } from '../extract/drain.ts';
import { burst, LIMIT, type Movement, movementList, WORDS } from '../extract/movement-list.ts';
import { tradeList, tradesApart } from '../extract/trade-list.ts';
import { dice } from '../normalize/records.ts';
import { openStage, receipt, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
beforeEach(() =>
  stage.rows(
    'truncate land.inbox, land.records, land.leaves, land.pages, land.coverage, land.requests, run.findings cascade',
  ),
);

const NOW = instant(3_600_000);
const own = {
  now: () => NOW,
  idOf: (row: WireRecord) => String(row.id),
  timeOf: (row: WireRecord) => readInstant(row.createdAt),
};

const landed = async (walk: Walk<WireRecord, Receipt>, stream: Destination['stream']) => {
  const key = await peopleKey(stage.db, 'main');
  await landWalk({ db: stage.db, run: stage.run, entity: 'main', stream, scope: '', key }, walk, () => {});
  const [verified] = await verifyCoverage(stage.db);
  const count = await stage.rows('select count(distinct record_id)::int as records from land.records');
  return {
    fault: verified?.fault?.why ?? null,
    records: count[0]?.records,
    findings: await stage.rows('select subject, detail from run.findings'),
  };
};

const targetOf = ({ from, to, filters }: WindowQuery): string =>
  `/v1/trading/movement?${new URLSearchParams({ ...(from && { from }), ...(to && { to }), ...filters })}`;

const movementWalk = (rows: readonly Movement[]): Walk<WireRecord, Receipt> => {
  const { fetch } = movementList(rows);
  return walkWindow({
    ...own,
    window: { from: null, to: null },
    limit: LIMIT,
    cuts: () => Object.entries(WORDS).map(([filter, words]) => ({ filter, words })),
    isRefusal: () => false,
    fetch: async (query) => {
      const page = await fetch(query);
      return {
        rows: page.rows.map((row) => ({ ...row, createdAt: row.shown })),
        proof: receipt(targetOf(query)),
      };
    },
  });
};

/** Bursts of every kind of filter word, at instants whose microseconds may be compared and not shown. */
const movements = (seed: number): Movement[] => {
  const d = dice(seed);
  const randomInstant = () => instant(d.below(30), d.of([0, 0, d.below(1_000)]));
  const words = () => ({ kind: d.of(WORDS.kind), origin: d.of(WORDS.origin), coin: d.of(WORDS.coin) });
  const rows = Array.from({ length: 6 }, () => burst(d.of([3, 60, 120, 160]), randomInstant(), words)).flat();
  const isHidden = d.below(2) === 0;
  return rows.map((row, nth) => ({
    ...row,
    id: `${nth}`,
    shown: isHidden ? row.at.replace(/(\.\d{3})\d*Z/, '$1Z') : row.at,
  }));
};

for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
  test(`movements of seed ${seed} are landed completely, twice, without a finding`, async () => {
    const rows = movements(seed);
    const whole = { fault: null, records: rows.length, findings: [] };
    expect(await landed(movementWalk(rows), 'movements')).toEqual(whole);
    expect(await landed(movementWalk(rows), 'movements')).toEqual(whole);
  });
}

test('an instant that stays full is a finding, and verifying names it as a gap', async () => {
  const { fault, records, findings } = await landed(movementWalk(burst(150, instant(5))), 'movements');
  expect(findings.map(({ subject }) => subject)).toEqual(['movements: gap']);
  expect(fault).toBe('a gap: no interval proves this time');
  expect(records).toBe(100);
});

const tradeWalk = (
  trades: ReturnType<typeof tradeList>,
  { known = 0, gone = 0 } = {},
): Walk<WireRecord, Receipt> =>
  walkOffset({
    ...own,
    known,
    gone,
    newest: null,
    isFull: false,
    pageLimit: 50,
    fetch: async (offset) => {
      const page = await trades.fetch(offset);
      const rows = page.rows.map(({ id, at: createdAt }) => ({ id, createdAt }));
      return { rows, total: page.total, proof: receipt(`/v1/trading/trade?offset=${offset}`) };
    },
  });

for (const [what, count, clamp] of [
  ['fifty trades', 50, 50],
  ['a hundred and one, clamped to twenty', 101, 20],
  ['none', 0, 50],
] as const) {
  test(`a list of ${what} is landed completely, and the next night costs one page`, async () => {
    const trades = tradeList(tradesApart(count), { clamp });
    const whole = { fault: null, records: count, findings: [] };
    expect(await landed(tradeWalk(trades), 'trades')).toEqual(whole);
    const before = trades.asked.length;
    expect(await landed(tradeWalk(trades, { known: count }), 'trades')).toEqual(whole);
    expect(trades.asked.length - before).toBe(1);
  });
}

test('a record that is landed in another list of its stream leaves this one unproved, and verifying agrees', async () => {
  await stage.land([{ rows: [{ id: 't1' }] }], { stream: 'trades', scope: 'other' });
  const { fault, findings } = await landed(tradeWalk(tradeList(tradesApart(3))), 'trades');
  const detail =
    '1 of 3 listed records have the id of a record in another list of this stream, which keeps them';
  expect(findings).toEqual([{ subject: 'trades: total', detail }]);
  expect(fault).toBe('a gap: no interval proves this time');
});

test('a trade that disappears while the list is read costs another walk, stays landed, and is a finding', async () => {
  const trades = tradeList(tradesApart(120), {
    before: (nth, list) => {
      if (nth === 2) list.rows.shift();
    },
  });
  const { fault, records, findings } = await landed(tradeWalk(trades), 'trades');
  expect(fault).toBe(null);
  expect(records).toBe(120);
  expect(findings.map(({ detail }) => detail)).toEqual([
    '1 of 120 landed records are no longer listed; they stay in the books',
  ]);
});

test('trades that are no longer listed cost one reading of the list, one finding, and a page a night', async () => {
  const trades = tradeList(tradesApart(120));
  await landed(tradeWalk(trades), 'trades');
  trades.list.rows = trades.list.rows.slice(2);
  const nights = [];
  for (const _ of [1, 2, 3]) {
    const before = trades.asked.length;
    const soFar = await landedSoFar(stage.db, { entity: 'main', stream: 'trades', scope: '' });
    const { fault, findings } = await landed(tradeWalk(trades, soFar), 'trades');
    nights.push({
      gone: soFar.gone,
      requests: trades.asked.length - before,
      fault,
      findings: findings.length,
    });
  }
  expect(nights).toEqual([
    { gone: 0, requests: 4, fault: null, findings: 1 },
    { gone: 2, requests: 1, fault: null, findings: 1 },
    { gone: 2, requests: 1, fault: null, findings: 1 },
  ]);
});
