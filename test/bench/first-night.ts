// A first night at a request budget: its time beside the time that its requests need, and what is left after the last page.
import { OPERATIONS } from '../../src/gateway/contract/contract.ts';
import type { Figure } from './figure.ts';
import { onStage } from './stage.ts';

const RECORDS = 100_000;
const RPM = 600;
const DAYS = 60;
const RATIO_MAX = 1.1;
/** From the last page to the last file, for each 100,000 records. */
const REST_MAX_SECONDS = 15;

type FirstNight = { readonly records?: number; readonly rpm?: number; readonly entities?: number };

/** A night over a world of so many records, with its files; the stand-in answers in this process. */
export const firstNight = async ({
  records = RECORDS,
  rpm = RPM,
  entities = 1,
}: FirstNight): Promise<Figure[]> => {
  const world = { seed: 1, entities, days: DAYS, perDay: Math.ceil(records / DAYS) };
  return onStage({ ...world, until: '2026-11-01T00:00:00Z', rpm }, async ({ night }) => {
    let [lastPageMs, landed, limited] = [0, 0, 0];
    const began = performance.now();
    const result = await night((event) => {
      if (event.event === 'page') lastPageMs = performance.now();
      if (event.event === 'request' && LIMITED.has(String(event.operation))) limited += 1;
      if (event.event === 'stream') landed += Number(event.fresh);
    });
    const rest = (performance.now() - lastPageMs) / 1_000;
    const reading = (lastPageMs - began) / 1_000;
    return figuresOf({ ...result, landed, limited: Math.ceil(limited / entities), rest, reading }, rpm);
  });
};

type Night = {
  readonly requests: number;
  /** Those of operations that also have a limit a second and account, of one account: the stand-in shares a day among all. */
  readonly limited: number;
  readonly seconds: number;
  readonly landed: number;
  readonly reading: number;
  readonly rest: number;
};

/** The operations that a night calls with a limit a second and account: the trades and the trading balances. */
const LIMITED = new Set(
  OPERATIONS.filter(({ perSecond }) => perSecond !== undefined).map(({ name }) => name),
);
const PER_SECOND = 5;

/** With at most `most` requests in any span of some seconds, request n leaves span × ⌊(n − 1) ÷ most⌋ after the first at the earliest. */
const earliestSeconds = (
  requests: number,
  { most, span }: { readonly most: number; readonly span: number },
) => span * Math.floor(Math.max(0, requests - 1) / most);

/** The longer of what the budget of a minute asks for, and the limit of a second on the requests of one account. */
const neededSeconds = ({ requests, limited }: Pick<Night, 'requests' | 'limited'>, rpm: number): number =>
  Math.max(
    earliestSeconds(requests, { most: rpm, span: 60 }),
    earliestSeconds(limited, { most: PER_SECOND, span: 1 }),
  );

const figuresOf = ({ requests, limited, seconds, landed, reading, rest }: Night, rpm: number): Figure[] => {
  const needed = neededSeconds({ requests, limited }, rpm);
  const ratio = seconds / needed;
  const restMax = (REST_MAX_SECONDS * landed) / 100_000;
  return [
    {
      what: `first night of ${landed} records, ${requests} requests at ${rpm} a minute, ${limited} of an account at ${PER_SECOND} a second`,
      figure: `${seconds.toFixed(1)} s ÷ ${needed} s${needed > 0 ? ` = ${ratio.toFixed(2)}` : ''} (${reading.toFixed(1)} s until the last page)`,
      limit: `60 s × ⌊(requests − 1) ÷ rpm⌋ or ⌊(limited − 1) ÷ ${PER_SECOND}⌋ s, the earliest that the last request may leave; at most ${RATIO_MAX}${needed > 0 ? '' : ', not judged: this budget makes nothing wait'}`,
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
