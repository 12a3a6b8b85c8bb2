// The clock that signs requests and limits proofs: what a Date header may change in it.
import { expect, test } from 'vitest';
import { openClock } from '../../src/gateway/clock.ts';

const NOW = Date.UTC(2026, 10, 1);
const HOUR = 3_600_000;

/** A clock of this machine that stands still, after the Date of an answer that took no time. */
const clockAfter = (aheadMs: number, refused = false) => {
  const clock = openClock(
    () => NOW,
    () => 0,
  );
  clock.sight({ dateMs: NOW + aheadMs - 500, sentMs: NOW, receivedMs: NOW, refused });
  return clock;
};

test.each([
  ['within the window of a nonce sets it', 3_000, 3_000],
  ['behind it, within that window, sets it too', -3_000, -3_000],
  ['beyond that window leaves it, for the nonce was not refused', HOUR, 0],
  ['far behind leaves it', -HOUR, 0],
])('a Date %s', (_, aheadMs, nonceAhead) => {
  const clock = clockAfter(aheadMs);
  expect(clock.nonce() - NOW).toBe(nonceAhead);
  expect(clock.offsetMs()).toBe(aheadMs);
  expect(clock.provedMs() - NOW).toBe(Math.min(0, aheadMs));
});

test.each([HOUR, -HOUR])('the Date of a 401 sets the nonce, %i ms off', (aheadMs) => {
  expect(clockAfter(aheadMs, true).nonce() - NOW).toBe(aheadMs);
});

test('a 401 sets the nonce by a Date that earlier answers already showed', () => {
  const clock = clockAfter(HOUR);
  clock.sight({ dateMs: NOW + HOUR - 500, sentMs: NOW, receivedMs: NOW, refused: true });
  expect(clock.nonce() - NOW).toBe(HOUR);
});

test('a clock that is set forward carries no proof with it, before or after an answer shows it; one that is set back delays it', () => {
  const passedMs = { machine: 0, steady: 0 };
  const clock = openClock(
    () => NOW + passedMs.machine,
    () => passedMs.steady,
  );
  const pass = (steadyMs: number, machineMs: number): number => {
    passedMs.steady += steadyMs;
    passedMs.machine += machineMs;
    return clock.provedMs() - NOW;
  };
  expect(pass(1_000, 1_000)).toBe(1_000);
  expect(pass(1_000, 600_000)).toBe(2_000);
  const [sentMs, receivedMs] = [NOW + passedMs.machine, NOW + passedMs.machine];
  clock.sight({ dateMs: NOW + 2_000 - 500, sentMs, receivedMs });
  expect(pass(1_000, 1_000)).toBe(3_000);
  expect(pass(0, -1_200_000)).toBeLessThan(3_000);
});
