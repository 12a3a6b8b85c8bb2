// The address book: external addresses, whose entries are validating until they are confirmed.
import { isoOf } from '../../base/time.ts';
import type { Question, SandboxAnswer } from '../question.ts';
import { refusal } from '../refusals.ts';
import type { WireObject } from '../wire-json.ts';
import { NETWORKS, networksOf } from '../world/networks.ts';
import type { Listed } from '../world.ts';
import {
  type AddressPlace,
  type BookEntry,
  type BookOwner,
  type EntryBody,
  historicEntry,
  isListed,
  placeKey,
  placeOf,
  waitingEntry,
} from './address-entry.ts';

/** `rows`: the list of the history that was read last. */
type Book = { readonly entries: BookEntry[]; readonly seen: Set<string>; rows: readonly Listed[] };

/** The entries of the user, and one for each address that the history sent to, made when it is first read after that. */
const bookOf = (owner: BookOwner): BookEntry[] => {
  const { world, platform, entity } = owner;
  const empty = (): Book => ({ entries: [waitingEntry(owner)], seen: new Set(), rows: [] });
  const book = platform.on({ name: 'address-book', empty }, entity.entityId);
  const { entries, seen } = book;
  const rows = world.rows(entity.entityId, 'wallet-transactions');
  if (rows === book.rows) return entries;
  book.rows = rows;
  const places = new Set(entries.map(({ body }) => placeKey(body)));
  for (const row of rows) {
    if (seen.has(row.id)) continue;
    seen.add(row.id);
    const place = placeOf(row.body);
    if (place === null || places.has(placeKey(place)) || !isListed(owner, place)) continue;
    places.add(placeKey(place));
    entries.push(historicEntry(owner, row, place));
  }
  return entries;
};

const viewOf = (entry: BookEntry, userId: string): WireObject => ({
  addressId: entry.id,
  userId,
  ...entry.body,
  status: entry.status,
  createdAt: isoOf(entry.createdAt),
  updatedAt: isoOf(entry.updatedAt),
});

/** Tells the notification socket that an entry is new or has another status. */
const announce = ({ platform, entity }: BookOwner, entry: BookEntry): void =>
  platform.notices.publish({
    userId: entity.userId,
    type: 'address-book-updated-v1',
    payload: { addressId: entry.id, userId: entity.userId, status: entry.status },
  });

export const createEntry = (question: Question): SandboxAnswer => {
  const { platform, entity, world } = question;
  const body = question.body as EntryBody;
  const network = NETWORKS[body.network];
  if (network === undefined || !networksOf(body.currency).includes(body.network))
    return refusal(422, `The network ${body.network} is not supported for ${body.currency}`);
  if (!network.address.test(body.address)) return refusal(400, `Not an address of ${body.network}`);
  if (body.tag !== undefined && !network.usesTag) return refusal(400, `${body.network} uses no tag`);
  if (find(question, body) !== undefined)
    return refusal(406, 'The address book has an entry of this address for this currency and network');
  const [id, now] = [platform.uuid(), world.now()];
  const entry: BookEntry = { id, body, status: 'validating', createdAt: now, updatedAt: now };
  bookOf(question).push(entry);
  announce(question, entry);
  return { data: viewOf(entry, entity.userId) };
};

const find = (question: Question, place: AddressPlace): BookEntry | undefined =>
  bookOf(question).find(({ body }) => placeKey(body) === placeKey(place));

/** Only a verified address is ready for withdrawals (assumption A-ADDRESS-USE). */
export const isVerified = (question: Question, place: AddressPlace): boolean =>
  find(question, place)?.status === 'verified';

/** Currency and network filter; the status is only checked. */
export const addressBook = (question: Question): SandboxAnswer => {
  const { currency, network } = question.query;
  return {
    data: bookOf(question)
      .filter(({ body }) => currency === undefined || body.currency === currency)
      .filter(({ body }) => network === undefined || body.network === network)
      .map((entry) => viewOf(entry, question.entity.userId)),
  };
};

/** For subaccounts; to confirm again changes nothing. */
export const confirmEntry = (question: Question): SandboxAnswer => {
  const { world, entity, params } = question;
  if (entity === world.entities[0]) return refusal(403, 'Only for subaccounts');
  const entry = bookOf(question).find(({ id }) => id === params.addressBookId);
  if (entry === undefined) return refusal(404, 'Address not found');
  verify(question, entry);
  return { data: null };
};

const verify = (owner: BookOwner, entry: BookEntry): void => {
  if (entry.status === 'verified') return;
  entry.status = 'verified';
  entry.updatedAt = owner.world.now();
  announce(owner, entry);
};

/** A user follows the link of the e-mail; false if no user has such an entry. */
export const confirmByMail = ({ world, platform }: Omit<BookOwner, 'entity'>, addressId: string): boolean => {
  for (const entity of world.entities) {
    const owner = { world, platform, entity };
    const entry = bookOf(owner).find(({ id }) => id === addressId);
    if (entry === undefined) continue;
    verify(owner, entry);
    return true;
  }
  return false;
};
