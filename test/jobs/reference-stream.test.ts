// Names that the gateway does not answer: each affects only itself, the others are read, and a gateway without the operation is not
// asked for every name.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readOrders, readReferences } from '../../jobs/references.ts';
import { CONTRACT } from '../../src/gateway/contract/contract.ts';
import type { Operation } from '../../src/gateway/contract/operation.ts';
import type { Failure } from '../../src/gateway/errors.ts';
import { failureOf } from '../gateway-failure.ts';
import { instantAt, openStage, receipt, type Stage } from '../land/stage.ts';
import { readingContext } from './reading-context.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

const pocketOf = (nth: number): string => `p${String(nth).padStart(2, '0')}`;
const pocket = (nth: number) => ({ id: pocketOf(nth), currency: 'EUR', balance: '1', blockedBalance: '0' });

/** Lands a bank transfer into each of so many pockets; those from `listed` on are still listed. */
const transfers = async (many: number, listed = 0) => {
  const all = Array.from({ length: many }, (_, nth) => pocket(nth));
  await stage.read('pocket', 'before', all);
  if (listed > 0) await stage.read('pocket', 'after', all.slice(listed));
  const rows = all.map(({ id }) => ({
    id: `w-${id}`,
    date: instantAt(1),
    status: 'completed',
    origin: { class: 'bank', amount: '1', currency: 'EUR' },
    destination: { class: 'pocket', pocketId: id, amount: '1', currency: 'EUR' },
  }));
  await stage.land([{ rows }], { stream: 'wallet-transactions' });
};

/** Reads what the records name; the gateway answers or fails for each pocket as `failing` decides, and has no other list. */
const read = async (failing: (nth: number) => Failure | null) => {
  stage = await stage.nextRun();
  const requested = new Set<string>();
  const call = async (operation: Operation, { query = {} }: { query?: { pocketId?: string } }) => {
    const { pocketId = '' } = query;
    const target = `${operation.path}?pocketId=${pocketId}`;
    const isReference = operation.name === CONTRACT.funding.pocketReference.name;
    if (isReference) requested.add(pocketId);
    const failure = isReference ? failing(Number(pocketId.slice(1))) : 'missing';
    if (failure !== null) throw failureOf(failure, operation, { target });
    return { page: { rows: [{ pocketId, reference: 'R' }] }, receipt: receipt(target) };
  };
  const context = readingContext(stage, call);
  const { wasRead } = await readReferences(context);
  const [landed] = await stage.rows(
    "select count(*)::int as landed from land.records where stream = 'pocket-references'",
  );
  return { wasRead, requests: requested.size, ...landed };
};

const findings = async () =>
  (await stage.rows("select severity, detail from run.findings where subject = 'pocket-references'")).map(
    ({ severity, detail }) => `${severity}: ${detail}`,
  );

test.each(['missing', 'invalid'] as const)(
  'names that the gateway answers with %s do not keep it from being asked for the others',
  async (failure) => {
    await transfers(30);
    const read9 = await read((nth) => (nth >= 10 && nth < 19 ? failure : null));
    expect(read9).toEqual({ wasRead: true, requests: 30, landed: 21 });
    expect(await findings()).toEqual([
      expect.stringMatching(
        /^note: 9 not read, so what they explain .*: \/v1\/teller\/pocket\/reference\?pocketId=p10, .*p14 and 4 more \(/,
      ),
    ]);
  },
);

test('requests that the gateway rejects before it has answered any are only those names', async () => {
  await transfers(30);
  expect(await read((nth) => (nth < 10 ? 'invalid' : null))).toMatchObject({ requests: 30, landed: 20 });
});

test('pockets that are no longer listed are asked for last', async () => {
  await transfers(10, 5);
  expect(await read((nth) => (nth < 5 ? 'missing' : null))).toMatchObject({ requests: 10, landed: 5 });
});

test.each(['refused', 'blocked', 'secondFactor'] as const)(
  'one name that the key may not read (%s) is a finding, and the others are read',
  async (failure) => {
    await transfers(10);
    expect(await read((nth) => (nth === 0 ? failure : null))).toEqual({
      wasRead: true,
      requests: 10,
      landed: 9,
    });
    expect(await findings()).toEqual([
      expect.stringMatching(/^finding: not read, so what it explains stays/),
    ]);
  },
);

test.each(['unavailable', 'unreachable', 'badPage', 'oversized'] as const)(
  'one name whose answer is %s does not end the night: it is a finding, and the next night asks for it again',
  async (failure) => {
    await transfers(10);
    expect(await read((nth) => (nth === 0 || nth === 5 ? failure : null))).toEqual({
      wasRead: false,
      requests: 10,
      landed: 8,
    });
    expect(await findings()).toEqual([expect.stringMatching(/^finding: 2 not read, /)]);
    expect(await read(() => null)).toEqual({ wasRead: true, requests: 2, landed: 10 });
  },
);

test('a gateway that fails three names in a row is not asked for the others', async () => {
  await transfers(10);
  expect(await read((nth) => (nth > 3 ? 'unavailable' : null))).toMatchObject({ wasRead: false, landed: 4 });
  expect(await findings()).toEqual([
    expect.stringMatching(
      /^finding: 3 not read, .*; after so many failures in a row 3 of 10 are not requested$/,
    ),
  ]);
});

test.each([
  ['missing', 3, true, /^note: 3 not read, .*; after so many failures in a row 37 of 40 are not requested$/],
  [
    'invalid',
    20,
    true,
    /^finding: 20 not read, .*; after so many failures in a row 20 of 40 are not requested$/,
  ],
  [
    'refused',
    2,
    false,
    /^finding: 2 not read, .*; after so many failures in a row 38 of 40 are not requested$/,
  ],
] as const)(
  'a gateway that answers every name with %s is asked %i times',
  async (failure, requests, wasRead, found) => {
    await transfers(40);
    expect(await read(() => failure)).toEqual({ wasRead, requests, landed: 0 });
    expect(await findings()).toEqual([expect.stringMatching(found)]);
  },
);

test('teller orders are left for the time when no trades are read any more', async () => {
  const paid = { id: 'w1', date: instantAt(1), status: 'pending', fee: { teller: { id: 't1' } } };
  await stage.land([{ rows: [paid] }], { stream: 'wallet-transactions' });
  const requested: string[] = [];
  const context = readingContext(stage, async (operation: Operation) => {
    requested.push(operation.name);
    throw failureOf('missing', operation);
  });
  const references = await readReferences(context);
  const before = [...requested];
  await readOrders(context, references);
  const { name } = CONTRACT.teller.orderStatus;
  expect([before.includes(name), requested.includes(name)]).toEqual([false, true]);
});
