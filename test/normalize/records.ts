// Random records for the rules: mostly valid, sometimes with an invalid field.
// The same seed gives the same records.
import type { StreamName, WireRecord } from '../../src/base/streams.ts';

export type Dice = { of: <T>(choices: readonly T[]) => T; below: (bound: number) => number };

/** Mulberry32: small, seeded, good enough to fuzz a rule. */
export const dice = (seed: number): Dice => {
  let state = seed >>> 0;
  const below = (bound: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
  return { below, of: (choices) => choices[below(choices.length)] as (typeof choices)[number] };
};

const ODD = [
  null,
  undefined,
  '',
  'constructor',
  '__proto__',
  '-1',
  '1e400',
  '0.1234567890123456789',
  {},
  [],
  true,
];
const INSTANTS = ['2026-11-03T10:00:00.000Z', '2026-10-31T23:59:59.999999Z', '2026-11-01T00:30:00+01:00'];
const CURRENCIES = ['EUR', 'BTC', 'ETH'];
const CLASSES = [
  'pocket',
  'pocket',
  'pocket',
  'blockchain',
  'bank-transfer',
  'card',
  'email',
  'earn',
  'trading',
  'platform-user',
];
const STATUSES = [
  'completed',
  'completed',
  'completed',
  'pending',
  'canceled',
  'waiting-user-information',
  'failed',
  'new',
];

/** Up to 12 digits with up to 18 decimals, zeros among them, some with trailing zeros. */
const amount = (d: Dice): string => {
  const decimals = d.of([0, 2, 8, 18]);
  const digits = Array.from({ length: decimals }, () => d.below(d.of([1, 10]))).join('');
  return `${d.below(d.of([1, 2, 1_000_000_000]))}${decimals > 0 ? `.${digits}` : ''}`;
};

/** About one member in sixty is invalid. */
const spoiled = (d: Dice, record: WireRecord): WireRecord =>
  Object.fromEntries(
    Object.entries(record).map(([field, value]) => [field, d.below(60) === 0 ? d.of(ODD) : value]),
  );

const movement = (d: Dice): WireRecord => ({
  amount: amount(d),
  currency: d.of(CURRENCIES),
  createdAt: d.of(INSTANTS),
  movementType: d.of(['deposit', 'withdrawal']),
  serviceOrderName: d.of(['wallet', 'admin', 'working-capital', 'bot']),
  status: d.of(STATUSES),
});

const trade = (d: Dice): WireRecord => ({
  symbol: d.of(['BTC/EUR', 'ETH/BTC', 'ETH/EUR']),
  side: d.of(['buy', 'sell']),
  amount: amount(d),
  cost: amount(d),
  feeAmount: d.of(['0', amount(d)]),
  feeCurrency: d.of(CURRENCIES),
  createdAt: d.of(INSTANTS),
});

const side = (d: Dice): WireRecord =>
  spoiled(d, {
    class: d.of(CLASSES),
    currency: d.of(CURRENCIES),
    amount: amount(d),
    pocketId: d.of(['p-1', 'p-2', 'p-theirs']),
    ...(d.below(4) === 0 ? { amountAfterFees: amount(d) } : {}),
  });

const fee = (d: Dice): WireRecord => {
  const part = () => ({ amount: d.of(['0.00', '0.01', amount(d)]), currency: d.of(CURRENCIES) });
  const flat = {
    feeCurrency: d.of(CURRENCIES),
    fixedFee: '0.01',
    variableFee: d.of(['0', '0.000000000000000001']),
  };
  const teller = d.of([{ fixed: part() }, { fixed: part(), variable: part() }, flat]);
  return spoiled(
    d,
    d.of<WireRecord>([
      { network: part() },
      { flip: part() },
      { teller },
      { network: part(), teller },
      flat,
      { mercantile: part() },
      { network: part(), mercantile: part() },
    ]),
  );
};

/** Half of the transfers have equal amounts on both sides, like most real ones. */
const walletTransaction = (d: Dice): WireRecord => {
  const origin = side(d);
  const destination = d.below(2) === 0 ? { ...origin, class: d.of(CLASSES), pocketId: 'p-2' } : side(d);
  return {
    date: d.of(INSTANTS),
    completedAt: d.of([null, ...INSTANTS]),
    canceledAt: d.of([null, ...INSTANTS]),
    type: d.of(['deposit', 'withdrawal', 'transfer']),
    subtype: d.of(['purchase', 'sell', 'swap', 'funding', 'reimbursement', 'earn']),
    method: d.of([
      'pocket',
      'card',
      'apple-pay',
      'google-pay',
      'promo-referral',
      'bank-transfer',
      'smoke-signal',
    ]),
    status: d.of(STATUSES),
    denomination: d.below(9) === 0 ? null : { amount: amount(d), currency: d.of(CURRENCIES) },
    destination,
    ...(d.below(5) === 0 ? {} : { origin: d.below(5) === 0 ? { class: origin.class } : origin }),
    ...(d.below(2) === 0 ? {} : { fee: fee(d) }),
  };
};

const earnMovement = (d: Dice): WireRecord => {
  const coin = d.of(CURRENCIES);
  const part = () => d.of([undefined, { value: d.of(['0', '0.01', amount(d)]), currency: coin }, '0.1']);
  return {
    type: d.of(['deposit', 'withdrawal', 'reward', 'reward', 'bonus']),
    createdAt: d.of(INSTANTS),
    amount: spoiled(d, { value: amount(d), currency: coin }),
    status: d.of([undefined, 'completed', 'completed', ...STATUSES]),
    netAmount: part(),
    withholdingAmount: part(),
  };
};

const MAKERS = {
  movements: movement,
  trades: trade,
  'wallet-transactions': walletTransaction,
  'earn-movements': earnMovement,
} as const satisfies Record<StreamName, (d: Dice) => WireRecord>;

export const randomRecord = (d: Dice, stream: StreamName): WireRecord => spoiled(d, MAKERS[stream](d));
