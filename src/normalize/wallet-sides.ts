// Wallet sides: origin and destination of a wallet transaction, determined by class and never by type.
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
import { amount, currency, hasObject, identifier, isGiven, Reject, valueAt, word, words } from './fields.ts';
import type { RuleContext } from './outcome.ts';

/** A pocket of this entity, clearing to its trading or Earn wallet, or an account outside. */
type SidePlace = 'pocket' | 'clearing' | 'outside';

/** One side: the account, and the amount that leaves or enters it. */
export type WalletSide = {
  readonly account: string;
  readonly place: SidePlace;
  readonly amount: string;
  readonly currency: string;
};

type End = Pick<WalletSide, 'account' | 'place'>;

const outside = (account: string): End => ({ account, place: 'outside' });

/** The account of each class; that of a pocket depends on its owner, so it is not in the table. */
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
/** The classes that need no setting. */
export const CLASSES = ['pocket', ...Object.keys(ENDS)] as readonly Class[];

export const isKnownClass = (word: string): boolean => CLASSES.some((known) => known === word);

/**
 * Both sides of a wallet transaction. `origin.amount` leaves; `destination.amountAfterFees` enters, or else
 * `destination.amount`. Throws a Reject if a side is unknown, neither is ours, or both are one account.
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
    throw new Reject(
      'origin.class',
      `neither side is a pocket, trading or Earn of this entity${listedLater(record)}`,
    );
  }
  if (origin.account === destination.account) throw new Reject('destination', 'is where it comes from');
  return { origin, destination };
};

/** What books a record whose pocket was not in the gateway's list when it was decided. */
const listedLater = (record: WireRecord): string =>
  ['origin.class', 'destination.class'].some((path) => valueAt(record, path) === 'pocket')
    ? '; if its pocket was listed since, npx tieout normalize --restate books it'
    : '';

/** The amount that enters is the amount after fees, if given. */
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
  if (isOnlyAClass(record, end, destination)) {
    const isBought = end.account === EXTERNAL_CARD && isPriced(record);
    return isBought ? paidByCard(record, destination) : { ...receivedAmount(record, destination), ...end };
  }
  return { ...end, amount: amount(record, 'origin.amount'), currency: currency(record, 'origin.currency') };
};

/** The origin of an incoming record may have only a class: its amount is then the destination's, unless a card paid a price. */
const isOnlyAClass = (record: WireRecord, origin: End, destination: WalletSide): boolean =>
  !isGiven(record, 'origin.amount') &&
  origin.place !== 'pocket' &&
  destination.place === 'pocket' &&
  (!isGiven(record, 'origin.currency') || currency(record, 'origin.currency') === destination.currency);

/** The amount before any fee was deducted. */
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

/** A pocket never listed for this entity belongs to another. */
const pocketEnd = (record: WireRecord, path: string, { pockets }: RuleContext): End => {
  const id = identifier(record, path, isPocketId);
  const own = pockets === null || pockets.has(id) || pockets.has(id.toLowerCase());
  return own ? { account: pocket(id), place: 'pocket' } : outside(EXTERNAL_PERSON);
};

const CARDS: readonly string[] = ['card', 'credit-card', 'creditcard', 'apple-pay', 'google-pay'];
const OTHER_METHODS: readonly string[] = ['pocket', 'blockchain', 'bank', 'bank-transfer', 'email'];
const GIFTS: readonly string[] = ['promo-referral', 'profit-share'];

/** The origin of a record without one: the platform for gifts and refunds, a card for payments by card. */
const unstated = (record: WireRecord, destination: WalletSide): WalletSide => {
  const [method = ''] = words(record, ['method']);
  if (GIFTS.includes(method) || record.subtype === 'reimbursement') {
    return { ...receivedAmount(record, destination), ...outside(EXTERNAL_PLATFORM) };
  }
  if (!isPaidByCard(record, method)) throw new Reject('origin', 'missing');
  return paidByCard(record, destination);
};

/** A card pays the denomination: what it buys did not come from it. */
const paidByCard = (record: WireRecord, destination: WalletSide): WalletSide =>
  isFunding(record)
    ? { ...receivedAmount(record, destination), ...ENDS.card }
    : {
        ...ENDS.card,
        amount: amount(record, 'denomination.amount'),
        currency: currency(record, 'denomination.currency'),
      };

/** A purchase that says what was paid for it. */
const isPriced = (record: WireRecord): boolean =>
  record.subtype === 'purchase' && hasObject(record, 'denomination');

/** A deposit of fiat by card, not a purchase: without a price, the amount paid is the amount received. */
const isFunding = (record: WireRecord): boolean =>
  record.subtype !== 'purchase' && !hasObject(record, 'denomination');

/** By card or wallet pay; a purchase from outside by an unknown method counts as wallet pay. */
const isPaidByCard = (record: WireRecord, method: string): boolean => {
  const bought = record.type === 'deposit' && record.subtype === 'purchase';
  return CARDS.includes(method) || (bought && !OTHER_METHODS.includes(method));
};
