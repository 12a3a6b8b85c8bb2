// Moves between the places of one entity: its pockets, trading and Earn. Each side has a record of its own, with no id in common.
import { type Atto, attoText } from '../../../src/base/money.ts';
import type { StreamName, WireRecord } from '../../../src/base/streams.ts';

export const PLACE_KINDS = [
  'pocket to trading',
  'trading deposit',
  'trading withdrawal',
  'trading to pocket',
  'pocket to earn',
  'earn deposit',
  'earn withdrawal',
  'earn to pocket',
] as const;
type PlaceKind = (typeof PLACE_KINDS)[number];

type Move = {
  readonly kind: PlaceKind;
  readonly entity: string;
  readonly at: string;
  readonly coin: string;
  readonly units: Atto;
};

/** The side that the other place reports of the same move. */
const OTHER_SIDES: Readonly<Partial<Record<PlaceKind, PlaceKind>>> = {
  'pocket to trading': 'trading deposit',
  'trading withdrawal': 'trading to pocket',
  'pocket to earn': 'earn deposit',
  'earn withdrawal': 'earn to pocket',
};

export const otherSideOf = (kind: PlaceKind): PlaceKind | undefined => OTHER_SIDES[kind];

export const isPlaceMove = (kind: string): kind is PlaceKind =>
  (PLACE_KINDS as readonly string[]).includes(kind);

/** The list that has it. */
export const streamOfMove = (kind: PlaceKind): StreamName => {
  if (kind === 'earn deposit' || kind === 'earn withdrawal') return 'earn-movements';
  return kind === 'trading deposit' || kind === 'trading withdrawal' ? 'movements' : 'wallet-transactions';
};

/** What the list of trading or of Earn says of a move. */
export const movementOf = (id: string, { kind, entity, at: createdAt, coin, units }: Move): WireRecord => {
  const [place, type] = kind.split(' ');
  const amount = attoText(units);
  if (place === 'trading')
    return {
      id,
      createdAt,
      movementType: type,
      serviceOrderName: 'wallet',
      status: 'completed',
      amount,
      currency: coin,
    };
  return {
    movementId: id,
    createdAt,
    walletId: `${entity}-earn-${coin}`,
    type,
    amount: { value: amount, currency: coin },
    issuer: 'platform',
  };
};

/** The two ends of a move as the wallet lists it. */
export const endsOfMove = (
  kind: PlaceKind,
  { pocket, currency }: { readonly pocket: WireRecord; readonly currency: string },
) => {
  const place = { class: kind.includes('trading') ? 'trading' : 'earn', currency, amount: pocket.amount };
  return kind.startsWith('pocket')
    ? { origin: pocket, destination: place }
    : { origin: place, destination: pocket };
};
