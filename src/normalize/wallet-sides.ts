// Wallet sides: where a wallet transaction comes from and goes to, decided by class and never by type
// (observed.md, "Wallet transactions").
import type { WireRecord } from '../base/streams.ts';
import {
  CLEARING_EARN,
  CLEARING_TRADING,
  EXTERNAL_BANK,
  EXTERNAL_BLOCKCHAIN,
  EXTERNAL_CARD,
  EXTERNAL_PERSON,
  EXTERNAL_PLATFORM,
  isPocketId,
  pocket,
} from '../ledger/accounts.ts';
import { amount, currency, hasObject, identifier, isGiven, Reject, word, words } from './fields.ts';
import type { RuleContext } from './outcome.ts';

/** A pocket of this entity; clearing towards its trading or Earn wallet; or outside the platform's books of it. */
type SidePlace = 'pocket' | 'clearing' | 'outside';

/** One end: the account, and what leaves or enters it. */
export type WalletSide = {
  readonly account: string;
  readonly place: SidePlace;
  readonly amount: string;
  readonly currency: string;
};

type End = Pick<WalletSide, 'account' | 'place'>;

const outside = (account: string): End => ({ account, place: 'outside' });

/** What each class means; a pocket's account depends on whose it is, so it is not in the table. */
const ENDS = {
  blockchain: outside(EXTERNAL_BLOCKCHAIN),
  network: outside(EXTERNAL_BLOCKCHAIN),
  'bank-transfer': outside(EXTERNAL_BANK),
  'bank transfer': outside(EXTERNAL_BANK),
  bankAccount: outside(EXTERNAL_BANK),
  bank: outside(EXTERNAL_BANK),
  card: outside(EXTERNAL_CARD),
  email: outside(EXTERNAL_PERSON),
  phone: outside(EXTERNAL_PERSON),
  alias: outside(EXTERNAL_PERSON),
  person: outside(EXTERNAL_PERSON),
  'platform-user': outside(EXTERNAL_PERSON),
  trading: { account: CLEARING_TRADING, place: 'clearing' },
  earn: { account: CLEARING_EARN, place: 'clearing' },
} as const satisfies Record<string, End>;
type Class = 'pocket' | keyof typeof ENDS;
const CLASSES = ['pocket', ...Object.keys(ENDS)] as readonly Class[];

/**
 * Both sides of a wallet transaction. What leaves is `origin.amount`, what enters is `destination.amountAfterFees`
 * where given, else `destination.amount`. Throws a Reject where a side cannot be told, neither is ours, or both are
 * one account.
 */
export const sidesOf = (
  record: WireRecord,
  context: RuleContext,
): { origin: WalletSide; destination: WalletSide } => {
  if (!hasObject(record, 'destination')) throw new Reject('destination', 'missing');
  const destination = destinationOf(record, context);
  const origin = hasObject(record, 'origin')
    ? originOf(record, context, destination)
    : unstated(record, destination);
  if (origin.place === 'outside' && destination.place === 'outside') {
    throw new Reject('origin.class', 'neither side is a pocket, trading or Earn of this entity');
  }
  if (origin.account === destination.account) throw new Reject('destination', 'is where it comes from');
  return { origin, destination };
};

/** What enters is what is left after fees, where that is given. */
const destinationOf = (record: WireRecord, context: RuleContext): WalletSide => {
  const net = 'destination.amountAfterFees';
  return {
    ...endOf(record, 'destination', context),
    amount: amount(record, isGiven(record, net) ? net : 'destination.amount'),
    currency: currency(record, 'destination.currency'),
  };
};

const originOf = (record: WireRecord, context: RuleContext, destination: WalletSide): WalletSide => {
  const end = endOf(record, 'origin', context);
  if (isOnlyAClass(record, end, destination)) return { ...receivedAmount(record, destination), ...end };
  return { ...end, amount: amount(record, 'origin.amount'), currency: currency(record, 'origin.currency') };
};

/** An incoming row may say of its origin nothing but a class: what came is then what the destination says. */
const isOnlyAClass = (record: WireRecord, origin: End, destination: WalletSide): boolean =>
  !isGiven(record, 'origin.amount') &&
  origin.place !== 'pocket' &&
  destination.place === 'pocket' &&
  (!isGiven(record, 'origin.currency') || currency(record, 'origin.currency') === destination.currency);

/** What came before any fee was taken from it. */
const receivedAmount = (record: WireRecord, destination: WalletSide): WalletSide =>
  isGiven(record, 'destination.amount')
    ? { ...destination, amount: amount(record, 'destination.amount') }
    : destination;

const endOf = (record: WireRecord, path: 'origin' | 'destination', context: RuleContext): End => {
  const platformClass = context.platformClass ?? 'platform-user';
  const sent = word(record, `${path}.class`, [...CLASSES, platformClass]);
  const kind = CLASSES.find((known) => known === sent) ?? 'platform-user';
  return kind === 'pocket' ? pocketEnd(record, `${path}.pocketId`, context) : ENDS[kind];
};

/** A pocket never listed for this entity is somebody else's. */
const pocketEnd = (record: WireRecord, path: string, { pockets }: RuleContext): End => {
  const id = identifier(record, path, isPocketId);
  const own = pockets === null || pockets.has(id) || pockets.has(id.toLowerCase());
  return own ? { account: pocket(id), place: 'pocket' } : outside(EXTERNAL_PERSON);
};

const CARDS: readonly string[] = ['card', 'credit-card', 'creditcard', 'apple-pay', 'google-pay'];
const OTHER_METHODS: readonly string[] = ['pocket', 'blockchain', 'bank', 'bank-transfer', 'email'];
const GIFTS: readonly string[] = ['promo-referral', 'profit-share'];

/** The origin of a record that has none: the platform for its gifts and refunds, a card for what was paid with one. */
const unstated = (record: WireRecord, destination: WalletSide): WalletSide => {
  const [method = ''] = words(record, ['method']);
  if (GIFTS.includes(method) || record.subtype === 'reimbursement') {
    return { ...destination, ...outside(EXTERNAL_PLATFORM) };
  }
  if (!isPaidByCard(record, method)) throw new Reject('origin', 'missing');
  if (isFunding(record)) return { ...receivedAmount(record, destination), ...ENDS.card };
  return {
    ...ENDS.card,
    amount: amount(record, 'denomination.amount'),
    currency: currency(record, 'denomination.currency'),
  };
};

/** Money put on a card's account here, and not a purchase: without a price, what was paid is what arrived. */
const isFunding = (record: WireRecord): boolean =>
  record.subtype !== 'purchase' && !hasObject(record, 'denomination');

/** By card or wallet pay; a purchase from outside by a method that we do not know is taken for one more wallet pay. */
const isPaidByCard = (record: WireRecord, method: string): boolean => {
  const bought = record.type === 'deposit' && record.subtype === 'purchase';
  return CARDS.includes(method) || (bought && !OTHER_METHODS.includes(method));
};
