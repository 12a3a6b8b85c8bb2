// A first night at a request budget: its time beside the time that its requests need, and what is left after the last page.
import type { Figure } from './figure.ts';
import { onStage } from './stage.ts';

const RECORDS = 100_000;
const RPM = 600;
const DAYS = 60;
const RATIO_MAX = 1.1;
/** From the last page to the last file, for each 100,000 records. */
const REST_MAX_SECONDS = 15;

type FirstNight = { readonly records?: number; readonly rpm?: number };

/** A night over a world of so many records, with its files; the stand-in answers in this process. */
export const firstNight = async ({ records = RECORDS, rpm = RPM }: FirstNight): Promise<Figure[]> => {
  const world = { seed: 1, entities: 1, days: DAYS, perDay: Math.ceil(records / DAYS) };
  return onStage({ ...world, until: '2026-11-01T00:00:00Z', rpm }, async ({ night }) => {
    let [lastPageMs, landed] = [0, 0];
    const began = performance.now();
    const result = await night((event) => {
      if (event.event === 'page') lastPageMs = performance.now();
      if (event.event === 'stream') landed += Number(event.fresh);
    });
    const rest = (performance.now() - lastPageMs) / 1_000;
    const reading = (lastPageMs - began) / 1_000;
    return figuresOf({ ...result, landed, rest, reading }, rpm);
  });
};

type Night = {
  readonly requests: number;
  readonly seconds: number;
  readonly landed: number;
  readonly reading: number;
  readonly rest: number;
};

/** With at most `rpm` requests in any minute, request n leaves 60 s × ⌊(n − 1) ÷ rpm⌋ after the first at the earliest. */
const neededSeconds = (requests: number, rpm: number): number => 60 * Math.floor((requests - 1) / rpm);

const figuresOf = ({ requests, seconds, landed, reading, rest }: Night, rpm: number): Figure[] => {
  const needed = neededSeconds(requests, rpm);
  const ratio = seconds / needed;
  const restMax = (REST_MAX_SECONDS * landed) / 100_000;
  return [
    {
      what: `first night of ${landed} records, ${requests} requests at ${rpm} a minute`,
      figure: `${seconds.toFixed(1)} s ÷ ${needed} s${needed > 0 ? ` = ${ratio.toFixed(2)}` : ''} (${reading.toFixed(1)} s until the last page)`,
      limit: `60 s × ⌊(requests − 1) ÷ rpm⌋, the earliest that the last request may leave; at most ${RATIO_MAX}${needed > 0 ? '' : ', not judged: this budget makes nothing wait'}`,
      isKept: needed === 0 || ratio <= RATIO_MAX,
    },
    {
      what: 'from the last page to the last file',
      figure: `${rest.toFixed(1)} s`,
      limit: `at most ${restMax.toFixed(1)} s, ${REST_MAX_SECONDS} s for each 100,000 records`,
      isKept: rest <= restMax,
    },
  ];
};
