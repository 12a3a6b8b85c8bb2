// Separates personal data (design, invariant 10): personal fields leave the payload before it is stored, and a keyed
// commitment replaces them. So landing the same record again gives the same digest, and erasing a person changes none.
import { createHmac } from 'node:crypto';

export { peopleKey } from './people-key.ts';

import { canonical } from '../base/json.ts';
import { keyText } from '../base/key-text.ts';
import { type LandedStream, personalWordsOf } from '../base/streams.ts';

/** The other side of a payment, or a part in it. */
const PARTY =
  'sender|recipient|receiver|payer|payee|debtor|creditor|beneficiary|owner|contact|company|person|customer|client|merchant|counterparty';

/** Texts that people write. `reference` is none of them: bank statements are paired by it. */
const WRITTEN = 'notes?|memos?|concepts?|comments?|remarks?|messages?|descriptions?|titles?';

/** Numbers of a person, by their Spanish names and others. */
const NUMBERED =
  'nif|nie|dni|cif|ssn|vatid|idcard|(id|vat|identity|identification|personal|socialsecurity)numbers?';

/** Field names whose values identify a person, at any depth; in lower case, letters and digits only. */
const PERSONAL = new RegExp(
  '^(names?|(first|middle|last|full|sur|nick|given|family|maiden|legal|display|holder|cardholder|account|user|pocket|' +
    `alias|origin|destination|${PARTY})+names?|(${PARTY})s?|beneficiaries|companies|counterparties|nicks?|${NUMBERED}|` +
    '.*(emails?|phones?|mobiles?|ibans?|bankaccount|accountnumbers?|cardnumbers?|taxids?|passports?|birth.*)' +
    '(numbers?|date|address(es)?)?|.*(holder|identitydocument|documentnumber|nationalid)s?|.*alias(es)?|ip|ipaddress|' +
    '(street|postal|home|residential|billing|full)address|addressline[0-9]*|street|city|zip|zipcode|postcode|postalcode|' +
    `.*(${WRITTEN}))$`,
);

/** Classes whose `address` is on a blockchain, not a person's home. */
const CHAIN_CLASSES: ReadonlySet<unknown> = new Set(['blockchain', 'network']);

/** An address beside its network is on a blockchain too, and so is the one on which a pocket receives. */
const isChainSide = (value: object): boolean => {
  const { class: word, network, addressNetwork } = value as Readonly<Record<string, unknown>>;
  const isReceiving = word === 'pocket' && typeof addressNetwork === 'string';
  return CHAIN_CLASSES.has(word) || typeof network === 'string' || isReceiving;
};

export type Person = { readonly path: string; readonly value: string };
type SealedText = { readonly payload: unknown; readonly people: readonly Person[] };

/**
 * Replaces a record's personal fields by `personal:<hex>`. Returns that payload, and the values as JSON text by dotted
 * path. Empty and null fields identify nobody and stay.
 */
export const seal = (record: unknown, key: Buffer, stream?: LandedStream): SealedText => {
  const people: Person[] = [];
  const words = stream === undefined ? [] : personalWordsOf(stream);
  return {
    payload: words === 'none' ? record : sealed(record, { key, people, path: '', words: new Set(words) }),
    people,
  };
};

type FieldPlace = {
  readonly key: Buffer;
  readonly people: Person[];
  readonly path: string;
  readonly words: ReadonlySet<string>;
};

const sealed = (value: unknown, place: FieldPlace): unknown => {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((member, index) => sealed(member, under(place, String(index))));
  const isOnChain = isChainSide(value);
  return Object.fromEntries(
    Object.entries(value).map(([field, member]) => {
      if (isPersonal(field, { isOnChain, words: place.words }) && !isEmpty(member))
        return [field, commitment(member, under(place, field))];
      return [field, isObject(member) ? sealed(member, under(place, field)) : member];
    }),
  );
};

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Quotes field names in the path that are not plain words, so that paths are unique and Postgres can store them. */
const under = (place: FieldPlace, field: string): FieldPlace => {
  const step = /^[\w-]+$/.test(field) ? field : JSON.stringify(field);
  return { ...place, path: keyText(place.path ? `${place.path}.${step}` : step) };
};

const isPersonal = (
  field: string,
  { isOnChain, words }: { readonly isOnChain: boolean; readonly words: ReadonlySet<string> },
): boolean => {
  const { word, isAlways } = fieldWord(field);
  return isAlways || words.has(word) || (/^address(es)?$/.test(word) && !isOnChain);
};

type FieldWord = { readonly word: string; readonly isAlways: boolean };

/** The same few fields come with every record; more than this many names are not a list of records. */
const WORDS_MAX = 10_000;
const fieldWords = new Map<string, FieldWord>();

const fieldWord = (field: string): FieldWord => {
  const known = fieldWords.get(field);
  if (known) return known;
  const word = field.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const read = { word, isAlways: PERSONAL.test(word) };
  if (fieldWords.size < WORDS_MAX) fieldWords.set(field, read);
  return read;
};

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';

const commitment = (value: unknown, { key, people, path }: FieldPlace): string => {
  const text = canonical(value);
  people.push({ path, value: text });
  return committed(text, key);
};

/** The commitment to a value's JSON text. */
export const committed = (text: string, key: Buffer): string =>
  `personal:${createHmac('sha256', key).update(text).digest('hex')}`;

/** The commitment that replaces a personal value in an entity's records, for searching by a known value. */
export const commitmentOf = (value: unknown, key: Buffer): string => committed(canonical(value), key);
