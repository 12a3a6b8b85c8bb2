// Many seeded histories, with bursts and finer times: a walk has yielded everything that it covers.
import { expect, test } from 'vitest';
import { order } from '../../src/base/time.ts';
import { type Dice, dice } from '../normalize/records.ts';
import { drain, instant, isInside, joined } from './drain.ts';
import { burst, type Movement, movementList, WORDS, walking } from './movement-list.ts';

const HISTORIES = 320;
const NOW = instant(3_600_000);

const wordsFrom = (d: Dice) => (): Partial<Movement> => ({
  kind: d.of(WORDS.kind),
  origin: d.of(WORDS.origin),
  ...d.of([
    { coin: 'EUR', wallet: 'w-EUR' },
    { coin: 'BTC', wallet: 'w-BTC' },
  ]),
});

/** Up to twelve instants within a few milliseconds, most with a few movements, some with more than a page. */
const history = (d: Dice): Movement[] => {
  const [isFine, isHidden, isAlike] = [d.below(2) === 0, d.below(3) === 0, d.below(6) === 0];
  const words = isAlike ? () => ({}) : wordsFrom(d);
  const randomInstant = () =>
    instant(d.below(d.of([4, 40, 4_000])), isFine ? d.of([0, 1, d.below(1_000)]) : 0);
  const bursts = Array.from({ length: d.below(13) }, () =>
    burst(d.of([1, 3, 40, 99, 100, 101, 150]), randomInstant(), words),
  );
  const rows = bursts.flat().map((row, nth) => ({ ...row, id: `${nth}` }));
  return rows.map((row) => ({ ...row, shown: isHidden ? row.at.replace(/(\.\d{3})\d*Z/, '$1Z') : row.at }));
};

const windowFrom = (d: Dice) => {
  const [a, b] = [instant(d.below(4_000), d.of([0, 500])), instant(d.below(4_000), d.of([0, 500]))];
  const [from, to] = order(a, b) < 0 ? [a, b] : [b, a];
  return a === b ? { from: null, to: null } : { from: d.of([null, null, from]), to: d.of([null, null, to]) };
};

const walkedFrom = async (seed: number) => {
  const d = dice(seed);
  const [rows, window] = [history(d), windowFrom(d)];
  const walked = await drain(walking(movementList(rows).fetch, { window, now: NOW, pagesMax: 10_000 }));
  return { seed, rows, window, walked };
};
const seeds = Array.from({ length: HISTORIES }, (_, index) => index + 1);
const histories = await Promise.all(seeds.map(walkedFrom));

test('every record inside a covered interval was yielded', () => {
  for (const { seed, rows, walked } of histories) {
    const lost = rows.filter(({ id, shown }) => isInside(shown, walked.covers) && !walked.ids.has(id));
    expect({ seed, lost: lost.map(({ at: time }) => time) }).toEqual({ seed, lost: [] });
  }
});

test('covered intervals are in order and do not overlap', () => {
  for (const { seed, walked } of histories) {
    const bounds = walked.covers.flatMap(({ from, to }) => [to ?? NOW, from ?? '1970-01-01T00:00:00.000Z']);
    const wrong = bounds.filter(
      (bound, index) => index > 0 && order(bounds[index - 1] ?? '', bound) < index % 2,
    );
    expect({ seed, wrong }).toEqual({ seed, wrong: [] });
  }
});

test('without a fault they cover the window from its end to its beginning, without a gap', () => {
  for (const { seed, window, walked } of histories) {
    if (walked.troubles.length > 0) continue;
    const whole = [`${window.from ?? 'the beginning'} to ${window.to ?? NOW}`];
    expect({ seed, parts: joined(walked.covers) }).toEqual({ seed, parts: whole });
  }
});

test('the histories are hard enough: some fill an instant under every filter, most do not', () => {
  const troubled = histories.filter(({ walked }) => walked.troubles.length > 0).length;
  expect(troubled).toBeGreaterThan(HISTORIES / 20);
  expect(troubled).toBeLessThan(HISTORIES / 2);
});
