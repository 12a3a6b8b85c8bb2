// The entries with which an address book begins: one for each address that the history sent to, and one that waits.
import { DAY_MS } from '../../base/time.ts';
import type { CONTRACT } from '../../gateway/contract/contract.ts';
import type { Question } from '../question.ts';
import { randomOf } from '../random.ts';
import type { WireObject } from '../wire-json.ts';
import { addressOf, comparableAddress, unlistedAddressOf } from '../world/networks.ts';
import type { Listed } from '../world.ts';
import type { BodyOf } from './change.ts';

export type EntryBody = BodyOf<typeof CONTRACT.funding.createAddressBookEntry>;
export type BookEntry = {
  readonly id: string;
  readonly body: EntryBody;
  readonly createdAt: number;
  status: 'validating' | 'verified';
  updatedAt: number;
};

/** Whose book, in which world. */
export type BookOwner = Pick<Question, 'world' | 'platform' | 'entity'>;

export type AddressPlace = Pick<EntryBody, 'address' | 'currency' | 'network'>;

/** Equal for two spellings of one place. */
export const placeKey = ({ address, currency, network }: AddressPlace): string =>
  `${currency} ${network} ${comparableAddress(address)}`;

/** The address that a row sends to; null if it sends to none. */
export const placeOf = ({ type, method, destination }: WireObject): AddressPlace | null => {
  if (method !== 'blockchain' || type !== 'withdrawal') return null;
  const { address, addressNetwork: network, currency } = destination as WireObject;
  return typeof address === 'string'
    ? { address, network: String(network), currency: String(currency) }
    : null;
};

/** Whether the history has put an address into the book: not that of a pocket of the world, and not a stranger's. */
export const isListed = ({ world, entity }: BookOwner, place: AddressPlace): boolean =>
  world.depositPocket?.(place) === undefined &&
  place.address !== unlistedAddressOf(place.network, entity.userId);

type Holding = Omit<EntryBody, keyof AddressPlace>;

const OTHERS: readonly Holding[] = [
  {
    name: 'Dora',
    surname: 'Example',
    personType: 'person',
    walletOwnership: 'other',
    walletType: 'exchange',
    exchangeName: 'Example Exchange',
  },
  {
    name: 'Dora',
    surname: 'Example',
    personType: 'person',
    walletOwnership: 'other',
    walletType: 'unhosted',
  },
  { name: 'Example Trading Ltd', personType: 'company', walletOwnership: 'other', walletType: 'unhosted' },
];

const own = (name: string): Holding => ({
  name,
  surname: 'Example',
  personType: 'person',
  walletOwnership: 'own',
  walletType: 'unhosted',
});

/** Verified a day before the first payment to it; some are the user's own wallets, the others somebody else's. */
export const historicEntry = ({ entity }: BookOwner, row: Listed, place: AddressPlace): BookEntry => {
  const random = randomOf(`${row.id}:address-book`);
  const id = random.uuid();
  const createdAt = row.at - DAY_MS;
  const holding = random.pick([own(entity.name), own(entity.name), ...OTHERS]);
  return { id, body: { ...place, ...holding }, status: 'verified', createdAt, updatedAt: createdAt };
};

/** An entry that nobody has confirmed yet. */
export const waitingEntry = ({ world, entity }: BookOwner): BookEntry => {
  const address = addressOf('ethereum', `waiting:${entity.userId}`);
  const createdAt = world.now() - (world.now() % DAY_MS) - DAY_MS;
  return {
    id: randomOf(`${entity.userId}:waiting-address`).uuid(),
    body: { address, currency: 'ETH', network: 'ethereum', ...own(entity.name) },
    status: 'validating',
    createdAt,
    updatedAt: createdAt,
  };
};
