// The request gate: one budget over many processes, in a real database.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { nowMs } from '../../src/base/time.ts';
import type { Gate, GateAnswer } from '../../src/gateway/gateway.ts';
import { nonce, openGates, sendOf, take, wait } from './gate-stand.ts';

const { books, gated } = openGates();

test('many processes at once: never more than the budget, and no nonce twice', async () => {
  const open = (left: number, gates: Gate[]): Promise<GateAnswer[]> =>
    left > 0
      ? gated(30, (gate) => open(left - 1, [...gates, gate]))
      : Promise.all(gates.flatMap((gate) => Array.from({ length: 15 }, () => take(gate))));
  const answers = await open(4, []);
  const nonces = answers.map(nonce).filter((value) => !Number.isNaN(value));
  expect(nonces.length).toBe(30);
  expect(new Set(nonces).size).toBe(30);
  const waits = answers.map(wait).filter((ms) => ms !== null);
  expect(waits.length).toBe(30);
  expect(Math.min(...waits)).toBeGreaterThan(55_000);
});

test('a send without an answer counts for a minute and two seconds', () =>
  gated(2, async (gate) => {
    await Promise.all([take(gate), take(gate)]);
    expect(wait(await take(gate))).toBeGreaterThan(59_000);
    const age = (seconds: number) =>
      books().pool.query(
        'update run.sends set sent_at = sent_at - make_interval(secs => $1), counts_at = counts_at - make_interval(secs => $1)',
        [seconds],
      );
    await age(61);
    expect(wait(await take(gate))).toBeLessThanOrEqual(1_250); // unanswered: it may have arrived two seconds later
    await age(1.3);
    expect(nonce(await take(gate))).not.toBeNaN();
  }));

test('a send counts from its answer, not from the claim that reports it', () =>
  gated(1, async (gate) => {
    const first = await take(gate);
    await books().pool.query("update run.sends set sent_at = sent_at - interval '1.5 seconds'");
    const waitMs = wait(await take(gate, { ended: [{ send: sendOf(first), agoMs: 1_000 }] }));
    expect(waitMs).toBeGreaterThan(58_000);
    expect(waitMs).toBeLessThanOrEqual(59_250);
  }));

test('a send that was answered late counts from its answer, although it was counted as lost by then', () =>
  gated(1, async (gate) => {
    const first = await take(gate);
    await books().pool.query("update run.sends set sent_at = sent_at - interval '10 seconds'");
    expect(wait(await take(gate))).toBeLessThanOrEqual(52_250);
    const late = await take(gate, { ended: [{ send: sendOf(first), agoMs: 1_000 }] });
    expect(wait(late)).toBeGreaterThan(58_000);
  }));

test('a limit per second counts for each account', () =>
  gated(600, async (gate) => {
    const five = await Promise.all(
      Array.from({ length: 5 }, () => take(gate, { account: 'a', perSecond: 5 })),
    );
    expect(five.map(wait)).toEqual([null, null, null, null, null]);
    expect(wait(await take(gate, { account: 'a', perSecond: 5 }))).toBeGreaterThan(0);
    expect(wait(await take(gate, { account: 'b', perSecond: 5 }))).toBeNull();
    expect(wait(await take(gate, { account: 'a' }))).toBeNull();
  }));

/** What the gate answers to the sixth request of a second, if the five before it ended so long ago. */
const sixth = (agoMs: number): Promise<GateAnswer> =>
  gated(600, async (gate) => {
    const limit = { account: `${agoMs}`, perSecond: 5 };
    const five = await Promise.all(Array.from({ length: 5 }, () => take(gate, limit)));
    await books().pool.query("update run.sends set sent_at = sent_at - interval '1.5 seconds'");
    return take(gate, { ...limit, ended: five.map((answer) => ({ send: sendOf(answer), agoMs })) });
  });

describe('what a minute keeps free for a list with a limit of its own', () => {
  /** How many requests without such a limit pass at once, beside an account that used its own up; and how long the next one waits. */
  const passing = (left: number | undefined, others: readonly (readonly [string, number])[] = []) =>
    gated(80, async (gate) => {
      for (const [account, remaining] of [['trades', left] as const, ...others])
        for (let sent = 0; sent < 2; sent += 1) {
          await books().pool.query(
            'update run.sends set sent_at = sent_at - $1::interval, counts_at = sent_at - $1::interval where account = $2',
            ['1.1 seconds', account],
          );
          expect(wait(await take(gate, { account, perSecond: 1, left: remaining }))).toBeNull();
        }
      const answers = await gated(80, (other) => Promise.all(Array.from({ length: 80 }, () => take(other))));
      const waits = answers.map(wait).filter((ms) => ms !== null);
      return { passed: answers.length - waits.length, waitMs: Math.max(...waits) };
    });

  test('half of it at most, for other processes too, which soon ask again', async () => {
    const { passed, waitMs } = await passing(1_000);
    expect(passed).toBe(40);
    expect(waitMs).toBeLessThanOrEqual(1_000);
  });

  test('no more than the list still needs, and a minute of it if that is not known', async () => {
    expect((await passing(5)).passed).toBe(75);
    await books().pool.query('truncate run.sends');
    expect((await passing(undefined)).passed).toBe(40);
  });

  test('nothing, if the budget is what such lists wait for', async () => {
    const { passed, waitMs } = await passing(1_000, [['other', 1_000]]);
    expect(passed).toBe(76);
    expect(waitMs).toBeGreaterThan(55_000);
  });
});

test('a second counts from the answers; what a process has waited for passes the gate at the first try', async () => {
  expect(wait(await sixth(1_000))).toBe(3);
  expect(wait(await sixth(1_004))).toBeNull(); // of the 1,005 ms, one may be lost in rounding
});

test('once ten answers are known, a second is shorter by half of the shortest time that one took', () =>
  gated(600, async (gate) => {
    const limit = { account: 'a', perSecond: 10 };
    const ten = await Promise.all(Array.from({ length: 10 }, () => take(gate, limit)));
    await books().pool.query("update run.sends set sent_at = sent_at - interval '1 second'");
    const waitMs = wait(
      await take(gate, { ...limit, ended: ten.map((answer) => ({ send: sendOf(answer), agoMs: 800 })) }),
    );
    expect(waitMs).toBeGreaterThan(50);
    expect(waitMs).toBeLessThanOrEqual(103); // after 200 ms, of which 100 are not waited for again
  }));

test('a hold and a ban reach every process of a run; another run may try', () =>
  gated(600, (one) =>
    gated(600, async (other) => {
      await one.hold(5_000);
      expect(wait(await take(other))).toBeGreaterThan(4_000);
      await one.hold(3_600_000);
      expect(wait(await take(other))).toBeLessThanOrEqual(60_000);
      await books().pool.query("update run.budgets set held_until = '-infinity'");
      await one.ban();
      expect(await take(other)).toBe('banned');
      expect(await take(one)).toBe('banned');
      expect(wait(await gated(600, take, { run: randomUUID() }))).toBeNull();
      expect(await gated(600, take)).toBe('banned'); // a process that joins the run later
    }),
  ));

test('a ban is heard although the clock of the database was set back after the gates were opened', async () => {
  await gated(600, take); // the key has a budget
  await books().pool.query("update run.budgets set opened_at = now() + interval '1 hour'"); // by the clock before
  await gated(600, (one) =>
    gated(600, async (other) => {
      await one.ban();
      expect(await take(other)).toBe('banned');
      expect(wait(await gated(600, take, { run: randomUUID() }))).toBeNull();
      expect(await take(other)).toBe('banned');
    }),
  );
});

test('nonces rise over all processes, and a wrong clock does not carry them away', () =>
  gated(600, (one) =>
    gated(600, async (other) => {
      const now = nowMs();
      expect(nonce(await take(one, { gatewayMs: now + 3_000 }))).toBe(now + 3_000);
      expect(nonce(await take(other, { gatewayMs: now }))).toBe(now + 3_001);
      expect(nonce(await take(one, { gatewayMs: now + 3_600_000 }))).toBe(now + 3_600_000);
      expect(nonce(await take(other, { gatewayMs: now }))).toBe(now);
    }),
  ));

test('a clock that was set back delays by a minute, not by a day', () =>
  gated(1, async (gate) => {
    await take(gate);
    await books().pool.query(
      "update run.sends set sent_at = now() + interval '1 day', counts_at = now() + interval '1 day'",
    );
    expect(wait(await take(gate))).toBeLessThan(61_000);
  }));

test('a clock that is set forward and back forgets no send, and holds nobody', () =>
  gated(1, async (gate) => {
    await take(gate);
    const setClock = (by: string) =>
      books().pool.query('update run.budgets set clock_ahead = clock_ahead - $1::interval', [by]);
    for (const by of ['1 hour', '-1 day', '1 day', '5 seconds']) {
      await setClock(by);
      const waitMs = wait(await take(gate));
      expect(waitMs).toBeGreaterThan(58_000);
      expect(waitMs).toBeLessThanOrEqual(62_250);
    }
    await setClock('1 hour');
    await gate.hold(1_000);
    await books().pool.query('truncate run.sends');
    expect(wait(await take(gate))).toBeLessThanOrEqual(60_000);
    expect(
      await books().pool.query(
        "select from run.budgets where held_until < clock_timestamp() + interval '2 minutes' - clock_ahead",
      ),
    ).toMatchObject({ rowCount: 1 });
  }));

test('a clock that is set back before a hold shortens it for nobody', () =>
  gated(600, (one) =>
    gated(600, async (other) => {
      await take(one);
      await take(other);
      await books().pool.query("update run.budgets set clock_ahead = clock_ahead + interval '1 hour'");
      await one.hold(5_000);
      expect(wait(await take(other))).toBeGreaterThan(4_000);
    }),
  ));

test('a claim that was slow changes no clock', () =>
  gated(2, async (gate) => {
    await take(gate);
    const session = await books().pool.connect();
    await session.query('begin; select from run.budgets for update');
    const slow = take(gate);
    await pause(2_300);
    await session.query('commit');
    session.release();
    expect(wait(await slow)).toBeNull();
    const { rows } = await books().pool.query("select clock_ahead = '0' as is_right from run.budgets");
    expect(rows).toEqual([{ is_right: true }]);
  }));
