// A stored cursor that the gateway has forgotten: however it says so, the list is read again from the newest record, unless the
// gateway answers nothing at all.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readWalletTransactions } from '../../jobs/wallet-transactions.ts';
import { CONTRACT } from '../../src/gateway/contract/contract.ts';
import { type Failure, GatewayError } from '../../src/gateway/errors.ts';
import { failureOf } from '../gateway-failure.ts';
import { instantAt, openStage, receipt, type Stage } from '../land/stage.ts';
import { readingContext } from './reading-context.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

const PAGES = 4;

type Failing = (cursor: string | null) => Failure | null;

type Night = { readonly isFull?: boolean; readonly pagesMax?: number; readonly lagHours?: number };

/** A night over a list of four pages of one record, newest first, and the cursors that it requested. */
const night = async (
  failing: Failing,
  { isFull = false, pagesMax = 100, lagHours = 48 }: Night = {},
): Promise<(string | null)[]> => {
  stage = await stage.nextRun();
  const requested: (string | null)[] = [];
  const call = async (_: unknown, { query: { cursor = null } }: { query: { cursor?: string | null } }) => {
    requested.push(cursor);
    const target = `/v3/wallet/transaction${cursor === null ? '' : `?cursor=${cursor}`}`;
    const failure = failing(cursor);
    if (failure !== null) throw failureOf(failure, CONTRACT.wallet.transactions, { target, tries: 13 });
    const nth = Number(cursor?.slice(1) ?? 0);
    const rows = [{ id: `w${nth}`, date: instantAt(1_000 - nth), status: 'completed' }];
    const next = nth + 1 < PAGES ? `c${nth + 1}` : null;
    return { page: { rows, next, hasNextPage: next !== null }, receipt: receipt(target) };
  };
  const config = { lagHours: { 'wallet-transactions': lagHours } };
  const perList = { limitMs: pagesMax, clockMs: () => requested.length };
  const context = { ...readingContext(stage, call, { config, isFull }), perList };
  await readWalletTransactions(context).catch((error: unknown) => {
    if (!(error instanceof GatewayError)) throw error;
    requested.push(`failed: ${error.failure}`);
  });
  return context.cutShort.size > 0 ? [...requested, 'cut short'] : requested;
};

const coverage = () => stage.rows('select covered_from, records::int from books.coverage');
const notes = async () =>
  (await stage.rows('select severity, detail from run.findings order by finding_id')).map(
    ({ severity, detail }) => `${severity}: ${String(detail).split(' (')[0]}`,
  );
const WHOLE = [{ covered_from: '-infinity', records: PAGES }];
const NOTE =
  'note: the stored cursor is no longer accepted, so the list is read again from the newest record';

/** The first night ends at the third page, whose cursor is stored. */
const interrupted = async () => {
  expect(await night((cursor) => (cursor === 'c2' ? 'unavailable' : null))).toEqual([
    null,
    'c1',
    'c2',
    'failed: unavailable',
  ]);
  expect(await coverage()).toEqual([]);
};

test.each(['invalid', 'missing', 'refused', 'unavailable', 'unreachable', 'badPage', 'oversized'] as const)(
  'a stored cursor whose answer is %s is given up for the newest record, with a note',
  async (failure) => {
    await interrupted();
    let isForgotten = true;
    const requested = await night((cursor) => {
      if (cursor !== 'c2' || !isForgotten) return null;
      isForgotten = false;
      return failure;
    });
    expect(requested).toEqual(['c2', null, 'c1', 'c2', 'c3']);
    expect([await coverage(), await notes()]).toEqual([WHOLE, [NOTE]]);
  },
);

test('a gateway that answers nothing ends the night, and the next one goes on at the stored cursor', async () => {
  await interrupted();
  expect(await night(() => 'unavailable')).toEqual(['c2', null, 'failed: unavailable']);
  expect(await notes()).toEqual([]);
  expect(await night(() => null)).toEqual(['c2', 'c3', null, 'c1', 'c2', 'c3']);
  expect([await coverage(), await notes()]).toEqual([WHOLE, []]);
});

test('a gateway that fails at a later page ends the night there', async () => {
  await interrupted();
  expect(await night((cursor) => (cursor === 'c3' ? 'unavailable' : null))).toEqual([
    'c2',
    'c3',
    'failed: unavailable',
  ]);
  expect(await night(() => null)).toEqual(['c3', null, 'c1', 'c2', 'c3']);
  expect([await coverage(), await notes()]).toEqual([WHOLE, []]);
});

test('a key that may not read the list is refused without a cursor too', async () => {
  await interrupted();
  expect(await night(() => 'refused')).toEqual(['c2', null, 'failed: refused']);
  expect(await notes()).toEqual([]);
});

test('a key that loses the list between two of its pages is refused without a cursor too', async () => {
  let isRefused = false;
  const requested = await night((cursor) => {
    isRefused ||= cursor === 'c1';
    return isRefused ? 'refused' : null;
  });
  expect(requested).toEqual([null, 'c1', null, 'failed: refused']);
  expect(await notes()).toEqual([]);
});

test('a full reading that takes longer than a night is completed by the next ones, then the newest are read', async () => {
  expect(await night(() => null)).toEqual([null, 'c1', 'c2', 'c3']);
  const full = { isFull: true, lagHours: 0 };
  expect(await night(() => null, { ...full, pagesMax: 2 })).toEqual([null, 'c1', 'cut short']);
  expect(await night(() => null, { ...full, pagesMax: 1 })).toEqual(['c2', 'cut short']);
  expect(await night(() => null, full)).toEqual(['c3', null, 'c1']);
  expect(await coverage()).toEqual(WHOLE);
});

test('a full reading after a night that was interrupted on its way to known records reads the whole list', async () => {
  await night(() => null);
  const interrupted = await night((cursor) => (cursor === 'c1' ? 'unavailable' : null), { lagHours: 0 });
  expect(interrupted).toEqual([null, 'c1', 'failed: unavailable']);
  expect(await night(() => null, { isFull: true })).toEqual(['c1', null, 'c1', 'c2', 'c3']);
});

test.each(['invalid', 'missing', 'refused'] as const)(
  'a cursor that is refused (%s) as soon as it is given is tried once more, and then a finding; what was read stays',
  async (failure) => {
    const requested = await night((cursor) => (cursor === 'c2' ? failure : null));
    expect(requested).toEqual([null, 'c1', 'c2', null, 'c1', 'c2', 'cut short']);
    expect(await notes()).toEqual([
      NOTE,
      'finding: the gateway twice refused a cursor that it had just given: the list was not read to its end',
    ]);
    expect(await coverage()).toEqual([]);
    expect(await night(() => null)).toEqual(['c2', 'c3', null, 'c1', 'c2', 'c3']);
    expect(await coverage()).toEqual(WHOLE);
  },
);
