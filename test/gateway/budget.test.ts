import { expect, test } from 'vitest';
import { openBudget, type Slot } from '../../src/gateway/budget.ts';
import { densest, timeline } from './timeline.ts';

const MINUTE_MS = 60_000;

type Load = {
  readonly rpm: number;
  readonly callers: number;
  readonly tookMs: number;
  readonly perSecond?: number;
};

/** Callers that send as often as they are allowed, for `minutes`; returns what was sent, by account. */
const run = async ({ rpm, callers, tookMs, perSecond }: Load, minutes: number) => {
  const time = timeline();
  const sends: { at: number; arrived: number; account: string }[] = [];
  const budget = openBudget({ rpm, inFlightMax: 4, clock: time.now, sleep: time.sleep });
  let inFlight = 0;
  let most = 0;
  const caller = async (account: string) => {
    while (time.now() < time.startMs + minutes * MINUTE_MS) {
      const slot = await budget.take({ account, perSecond });
      const travelMs = tookMs / 4 + ((sends.length * 37) % 100) * (tookMs / 200); // a quarter each way, the rest as unevenly as possible
      sends.push({ at: slot.sentAtMs, arrived: slot.sentAtMs + travelMs, account });
      inFlight += 1;
      most = Math.max(most, inFlight);
      await time.sleep(tookMs);
      inFlight -= 1;
      budget.release(slot, true);
    }
  };
  await time.play(Array.from({ length: callers }, (_, n) => caller(`account ${n % 2}`)));
  return { sends, most };
};

test.each([
  { rpm: 600, callers: 8, tookMs: 20 },
  { rpm: 600, callers: 8, tookMs: 300 },
  { rpm: 1000, callers: 4, tookMs: 150 },
  { rpm: 60, callers: 3, tookMs: 1_500 },
  { rpm: 7, callers: 2, tookMs: 100 },
])('never more than $rpm a minute, and nearly all of them ($callers callers, $tookMs ms)', async (load) => {
  const minutes = 3;
  const { sends, most } = await run(load, minutes);
  const times = sends.map(({ at: sentAtMs }) => sentAtMs);
  expect(densest(times, MINUTE_MS)).toBeLessThanOrEqual(load.rpm);
  const arrivals = sends.map(({ arrived }) => arrived);
  expect(densest(arrivals, MINUTE_MS)).toBeLessThanOrEqual(load.rpm);
  expect(most).toBeLessThanOrEqual(4);
  const from = times[0] ?? 0;
  for (let minute = 0; minute < minutes; minute += 1) {
    const used = times.filter(
      (sentAtMs) => sentAtMs >= from && sentAtMs < from + (minute + 1) * MINUTE_MS,
    ).length;
    expect(used).toBeGreaterThanOrEqual(load.rpm * (minute + 1) * 0.95);
  }
});

test('an operation with a limit per second respects it for each account', async () => {
  const { sends } = await run({ rpm: 6_000, callers: 4, tookMs: 30, perSecond: 5 }, 0.2);
  for (const account of ['account 0', 'account 1']) {
    const times = sends.filter((send) => send.account === account).map(({ at: sentAtMs }) => sentAtMs);
    expect(densest(times, 1_000)).toBeLessThanOrEqual(5);
    expect(times.length).toBeGreaterThan(50);
  }
});

test('an account that uses its limit up spreads its sends over the second, and loses none', async () => {
  const { sends } = await run({ rpm: 6_000, callers: 1, tookMs: 20, perSecond: 5 }, 0.5);
  const times = sends.map(({ at: sentAtMs }) => sentAtMs);
  const settled = times.filter((sentAtMs) => sentAtMs > (times[0] ?? 0) + 3_000);
  const gaps = settled.slice(1).map((sentAtMs, n) => sentAtMs - (settled[n] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(150);
  expect(times.length).toBeGreaterThan((30 / 1.015) * 5 - 5);
});

test.each([
  { tookMs: 1_500, callers: 8, least: 25 }, // one that is not answered yet may arrive now
  { tookMs: 100, callers: 2, least: (30 / 1.06) * 5 - 5 }, // a second, less half of the time of a request, from an answer to the fifth after it
])('a gateway that takes $tookMs ms gets no more a second, and nearly as many as it may', async (load) => {
  const { sends } = await run({ rpm: 6_000, perSecond: 5, ...load }, 0.5);
  for (const account of ['account 0', 'account 1']) {
    const arrivals = sends.filter((send) => send.account === account).map(({ arrived }) => arrived);
    expect(densest(arrivals, 1_000)).toBeLessThanOrEqual(5);
    expect(arrivals.length).toBeGreaterThan(load.least);
  }
});

test('an account with a limit of its own uses nearly all of it, although others stand in line', async () => {
  const time = timeline();
  const budget = openBudget({ rpm: 6_000, inFlightMax: 4, clock: time.now, sleep: time.sleep });
  const sends: number[] = [];
  const caller = async (tookMs: number, perSecond?: number) => {
    while (time.now() < time.startMs + 20_000) {
      const slot = await budget.take({ account: 'main', perSecond });
      if (perSecond !== undefined) sends.push(slot.sentAtMs);
      await time.sleep(tookMs);
      budget.release(slot, true);
    }
  };
  await time.play([caller(20, 5), ...Array.from({ length: 6 }, () => caller(600))]);
  expect(densest(sends, 1_000)).toBe(5);
  expect(sends.length).toBeGreaterThan(0.9 * 5 * 20);
});

test('the first request goes alone until it is answered', async () => {
  const budget = openBudget({ rpm: 600, inFlightMax: 4 });
  const first = await budget.take({ account: '' });
  const taken: Slot[] = [];
  for (let n = 0; n < 6; n += 1) budget.take({ account: '' }).then((slot) => taken.push(slot));
  const takenAfter = async (slot: Slot | undefined, answered: boolean) => {
    if (slot) budget.release(slot, answered);
    await new Promise(setImmediate);
    return taken.length;
  };
  expect(await takenAfter(undefined, false)).toBe(0);
  expect(await takenAfter(first, false)).toBe(1); // a broken socket is not an answer: again one alone
  expect(await takenAfter(taken[0], true)).toBe(5);
  expect(await takenAfter(taken[1], true)).toBe(6);
});

test('a hold stops all calls, for a minute at most', async () => {
  const time = timeline();
  const budget = openBudget({ rpm: 600, inFlightMax: 4, clock: time.now, sleep: time.sleep });
  budget.hold(3_600_000);
  await time.play([budget.take({ account: '' })]);
  expect(time.now() - time.startMs).toBe(60_000);
});

test('a wait ends with its signal', async () => {
  const budget = openBudget({ rpm: 1, inFlightMax: 1 });
  await budget.take({ account: '' });
  const controller = new AbortController();
  const waiting = budget.take({ account: '', signal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});

test('a list with a limit of its own goes on second after second, although others would use the whole minute', async () => {
  const time = timeline();
  const budget = openBudget({ rpm: 600, inFlightMax: 4, clock: time.now, sleep: time.sleep });
  const sends: { readonly sentMs: number; readonly isSlow: boolean }[] = [];
  const caller = async (perSecond?: number) => {
    while (time.now() < time.startMs + 3 * MINUTE_MS) {
      const slot = await budget.take({ account: 'main', perSecond });
      sends.push({ sentMs: slot.sentAtMs - time.startMs, isSlow: perSecond !== undefined });
      await time.sleep(40);
      budget.release(slot, true);
    }
  };
  await time.play([caller(5), caller(), caller()]);
  const slow = sends.filter(({ isSlow }) => isSlow).map(({ sentMs }) => sentMs);
  const pauses = slow.slice(1).map((sentMs, index) => sentMs - (slow[index] ?? 0));
  expect(Math.max(...pauses)).toBeLessThan(2_000);
  expect(slow.length).toBeGreaterThan(0.9 * 5 * 180);
  expect(sends.length).toBeGreaterThan(0.95 * 600 * 3);
  expect(
    densest(
      sends.map(({ sentMs }) => sentMs),
      MINUTE_MS,
    ),
  ).toBeLessThanOrEqual(600);
});

/** When lists end, in seconds: those of accounts with a limit of their own, by length, and, without one, two of 200 requests and a short one that begins after 40 s. */
const endsOf = async (lengths: Readonly<Record<string, number>>): Promise<Record<string, number>> => {
  const time = timeline();
  const budget = openBudget({ rpm: 600, inFlightMax: 4, clock: time.now, sleep: time.sleep });
  const ends: Record<string, number> = {};
  const list = async (account: string, length: number, perSecond?: number) => {
    for (let left = length; left > 0; left -= 1) {
      const slot = await budget.take({ account, perSecond, left });
      await time.sleep(40);
      budget.release(slot, true);
    }
    ends[account] = (time.now() - time.startMs) / 1_000;
  };
  const own = Object.entries(lengths).map(([account, length]) => list(account, length, 5));
  const late = async () => {
    await time.sleep(40_000);
    await list('late', 10);
  };
  await time.play([...own, list('free', 200), list('free too', 200), late()]);
  return ends;
};

test('a minute is kept free for the slowest list alone, and not if all of them are slower than the budget', async () => {
  const [even, uneven] = [await endsOf({ a: 290, b: 290 }), await endsOf({ a: 400, b: 30 })];
  expect(even.free).toBeLessThan(60); // what else there is comes first: these lists need the budget of two minutes anyway
  expect(Math.max(even.a ?? 0, even.b ?? 0)).toBeLessThan(110);
  expect(even.late).toBeLessThan(42); // the rates, while trades are read
  expect(uneven.a).toBeLessThan(1.15 * (400 / 5)); // one of them cannot stand still
});

test('a request that must be alone waits for those in flight, and others wait for it, or for it to be given up', async () => {
  const time = timeline();
  const budget = openBudget({ rpm: 600, inFlightMax: 4, clock: time.now, sleep: time.sleep });
  const begun: string[] = [];
  const send = async (name: string, isAlone = false) => {
    const slot = await budget.take({ account: '', isAlone });
    begun.push(name);
    await time.sleep(10);
    begun.push(`${name} ended`);
    budget.release(slot, true);
  };
  await time.play([send('first')]);
  begun.length = 0;
  await time.play([send('a'), send('b'), send('alone', true), send('c'), send('alone too', true)]);
  expect(begun.slice(0, 4)).toEqual(['a', 'b', 'a ended', 'b ended']);
  for (const name of ['alone', 'alone too', 'c'])
    expect(begun.indexOf(`${name} ended`)).toBe(begun.indexOf(name) + 1);
  expect(begun.indexOf('c')).toBeGreaterThan(begun.indexOf('alone too'));

  const open = await budget.take({ account: '' });
  const givenUp = new AbortController();
  const waiting = budget.take({ account: '', isAlone: true, signal: givenUp.signal });
  const other = budget.take({ account: '' });
  givenUp.abort(new Error('given up'));
  await expect(waiting).rejects.toThrow('given up');
  budget.release(await other, true);
  budget.release(open, true);
});

/** How many requests of trades and of another list are sent in the first minute, which either could use up. */
const firstMinute = async (length: number): Promise<{ trades: number; other: number }> => {
  const time = timeline();
  const budget = openBudget({ rpm: 600, inFlightMax: 10, clock: time.now, sleep: time.sleep });
  const sent = { trades: 0, other: 0 };
  const list = async (account: string, requests: number, perSecond?: number) => {
    for (let left = requests; left > 0; left -= 1) {
      const slot = await budget.take({ account, perSecond, left });
      const name = perSecond === undefined ? 'other' : 'trades';
      if (slot.sentAtMs < time.startMs + MINUTE_MS) sent[name] += 1;
      await time.sleep(300);
      budget.release(slot, true);
    }
  };
  await time.play([...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => list(name, 200, 5)), list('', length)]);
  return sent;
};

test('trades leave some of a minute to a list that is being read, and use it once that has ended', async () => {
  const [long, short] = [await firstMinute(130), await firstMinute(60)];
  expect(long.other).toBeGreaterThan(120); // 102, if they left it as little as to what may come later
  expect(long.trades + long.other).toBe(600);
  expect(short).toEqual({ trades: 520, other: 60 }); // what comes later finds 20
});
