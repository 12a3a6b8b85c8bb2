// A fixture for events: entries as short texts, a state, and lines as an accountant writes them.
import { lotRulesOf } from '../../src/approvals/lot-rules.ts';
import { attoOf, attoText } from '../../src/base/money.ts';
import { valueEvent } from '../../src/valuation/booking.ts';
import type {
  ChosenLot,
  CounterpartyType,
  EntryValues,
  Event,
  OpeningLot,
} from '../../src/valuation/event.ts';
import type { Method } from '../../src/valuation/pool.ts';
import { pricesOf, type Rate } from '../../src/valuation/prices.ts';
import { openState, type State } from '../../src/valuation/state.ts';

const START_MS = Date.parse('2026-01-01T00:00:00Z');
const HOUR = 3_600_000;

export type Told = {
  readonly kind?: string;
  readonly hour?: number;
  readonly counterpartyTypes?: Readonly<Record<number, CounterpartyType>>;
  /** By leg, the entry that sent what it receives. */
  readonly departures?: Readonly<Record<number, string>>;
  readonly openings?: Readonly<Record<number, OpeningLot>>;
  readonly chosen?: Readonly<Record<string, readonly ChosenLot[]>>;
  readonly reportedValue?: string;
};

type Stand = {
  readonly state: State;
  /** Books legs such as `assets:trading <- equity:conversion 1 BTC`. */
  readonly book: (legs: readonly string[], options?: Told) => EntryValues;
};

/** The legs of a fill: bought for a cost, sold for proceeds. */
export const buy = (units: string, coin: string, cost: string, quote = 'EUR') => [
  `assets:trading <- equity:conversion ${units} ${coin}`,
  `equity:conversion <- assets:trading ${cost} ${quote}`,
];
export const sell = (units: string, coin: string, cost: string, quote = 'EUR') => [
  `equity:conversion <- assets:trading ${units} ${coin}`,
  `assets:trading <- equity:conversion ${cost} ${quote}`,
];
export const fee = (units: string, coin: string) =>
  `expenses:fees:trading <- assets:trading ${units} ${coin}`;

/** Euro for one coin, at every hour of January. */
const PRICES: Readonly<Record<string, string>> = { BTC: '50000', ETH: '2500', GEM: '2', USDC: '0.9' };

type RateOf = (currency: string, day: number) => string;

const ratesOf = (currencies: readonly string[], rateOf: RateOf): Rate[] =>
  currencies.flatMap((currency) =>
    Array.from({ length: 31 }, (_, day) => ({
      currency,
      micros: (START_MS + day * 24 * HOUR) * 1_000,
      source: `rates 2026-01-${day + 1}`,
      base: 'USD',
      ofCurrency: '1',
      ofReporting: rateOf(currency, day), // as if each coin cost one dollar, and euro were cheap
    })),
  );

const FIAT = ['EUR', 'GBP', 'USD'];

/** A taxpayer without holdings, who reports in euro by default; rateOf gives rates that move from day to day. */
export const standOf = (
  method: Method = 'fifo',
  prices: Readonly<Record<string, string>> = PRICES,
  reporting = 'EUR',
  rateOf: RateOf = (currency) => prices[currency] ?? '1',
  rules = '',
): Stand => {
  const state = openState({ method, rules: lotRulesOf(rules), yearStarts: new Map() });
  const isFiat = (currency: string) => FIAT.includes(currency);
  const market = { reporting, isFiat, prices: pricesOf(reporting, ratesOf(Object.keys(prices), rateOf)) };
  let nth = 0;
  return {
    state,
    book: (legs, facts = {}) => {
      nth += 1;
      return valueEvent(eventOf(nth, legs, facts), state, market);
    },
  };
};

/** The nth event: by default an hour after the one before. */
export const eventOf = (nth: number, legs: readonly string[], facts: Told = {}): Event => {
  const ms = START_MS + (facts.hour ?? nth) * HOUR;
  return {
    entity: 'main',
    id: `e${nth}`,
    kind: facts.kind ?? 'trade',
    name: `trades t${nth}`,
    description: '',
    effectiveAt: new Date(ms).toISOString(),
    micros: ms * 1_000,
    period: '2026-01',
    bookedIn: '2026-01',
    reverses: null,
    correctedBy: null,
    legs: legs.map((text, index) => {
      const [debit = '', , credit = '', units = '', currency = ''] = text.split(' ');
      return { leg: index + 1, debit, credit, currency, units: attoOf(units) };
    }),
    reportedValue: facts.reportedValue === undefined ? null : attoOf(facts.reportedValue),
    counterpartyTypes: new Map(
      Object.entries(facts.counterpartyTypes ?? {}).map(([leg, type]) => [Number(leg), type]),
    ),
    closedFees: new Map(),
    openings: new Map(Object.entries(facts.openings ?? {}).map(([leg, lot]) => [Number(leg), lot])),
    chosenLots: new Map(Object.entries(facts.chosen ?? {})),
    isCorrection: false,
    staying: new Map(),
    returned: new Map(),
    departures: new Map(
      Object.entries(facts.departures ?? {}).map(([leg, id]) => [
        Number(leg),
        { entity: 'main', entries: [id], surplus: 0n },
      ]),
    ),
  };
};

/** Lines with a value, as `account units currency = value`; `?` for none. */
export const linesOf = ({ lines }: EntryValues): string[] =>
  lines
    .filter(({ value, exact }) => value !== 0n || exact !== 0n)
    .map(({ account, units, currency, value }) =>
      [
        account,
        ...(units === 0n ? [] : [attoText(units)]),
        currency,
        '=',
        value === null ? '?' : attoText(value),
      ].join(' '),
    );

/** Disposals, as `units: proceeds - cost = gain for what`. */
export const disposalsOf = ({ uses }: EntryValues): string[] =>
  uses
    .filter(({ kind }) => kind === 'disposal')
    .map(({ units, proceeds, cost, exchangedFor, lot }) => {
      const [p, c] = [proceeds, cost].map((it) => (it === null ? '?' : attoText(it)));
      const gain = proceeds === null || cost === null ? '?' : attoText(proceeds - cost);
      return `${attoText(units)} of ${lot?.id ?? 'no lot'}: ${p} - ${c} = ${gain} for ${exchangedFor}`;
    });

export const lotsOf = ({ lots }: EntryValues): string[] =>
  lots.map(
    ({ id, units, currency, cost, origin }) =>
      `${id}: ${attoText(units)} ${currency} at ${cost === null ? '?' : attoText(cost)}, ${origin}`,
  );

export const findingsOf = ({ findings }: EntryValues): string[] =>
  findings.map(({ kind, severity }) => `${severity}: ${kind}`);
