// People apart (design, invariant 10): personal fields leave the payload before it is stored. A keyed commitment stands
// in their place, so that landing the same record again gives the same digest, and erasing a person changes none.
import { createHmac } from 'node:crypto';
import { canonical } from '../base/json.ts';

/** Fields whose value says who somebody is, wherever in a record they stand; lower case, letters and digits only. */
const PERSONAL = new RegExp(
  '^(name|(first|middle|last|full|sur|nick|display|sender|recipient|receiver|beneficiary|holder|owner|account|user|' +
    'contact|person|company|pocket)+name|.*(email|phone|iban|bankaccount|accountnumber|taxid|passport|birth.*)(number|date)?|' +
    'holder|beneficiary|alias|(street|postal|home)address|note|notes|concept|comment)$',
);

/** Classes whose `address` is a place on a chain, not where somebody lives. */
const CHAIN_CLASSES: ReadonlySet<unknown> = new Set(['blockchain', 'network']);

export type Person = { readonly path: string; readonly value: string };
export type SealedText = { readonly payload: unknown; readonly people: readonly Person[] };

/**
 * Takes the personal fields out of a record. Returns the record with `personal:<hex>` in their place and what was
 * there, as JSON text by dotted path. Empty and null fields say nothing about anybody and stay.
 */
export const seal = (record: unknown, key: Buffer): SealedText => {
  const people: Person[] = [];
  return { payload: sealed(record, { key, people, path: '' }), people };
};

type FieldPlace = { readonly key: Buffer; readonly people: Person[]; readonly path: string };

const sealed = (value: unknown, place: FieldPlace): unknown => {
  if (Array.isArray(value)) return value.map((member, index) => sealed(member, under(place, String(index))));
  if (value === null || typeof value !== 'object') return value;
  const isOnChain = CHAIN_CLASSES.has((value as { class?: unknown }).class);
  return Object.fromEntries(
    Object.entries(value).map(([field, member]) => {
      const inner = under(place, field);
      return [
        field,
        isPersonal(field, isOnChain) && !isEmpty(member) ? commitment(member, inner) : sealed(member, inner),
      ];
    }),
  );
};

/** A field that is no plain word stands quoted in the path, so that no two places share one and Postgres can hold it. */
const under = (place: FieldPlace, field: string): FieldPlace => {
  const step = /^[\w-]+$/.test(field) ? field : JSON.stringify(field);
  return { ...place, path: place.path ? `${place.path}.${step}` : step };
};

const isPersonal = (field: string, isOnChain: boolean): boolean => {
  const word = field.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return PERSONAL.test(word) || (word === 'address' && !isOnChain);
};

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';

const commitment = (value: unknown, { key, people, path }: FieldPlace): string => {
  const text = canonical(value);
  people.push({ path, value: text });
  return committed(text, key);
};

const committed = (text: string, key: Buffer): string =>
  `personal:${createHmac('sha256', key).update(text).digest('hex')}`;

/** What stands in an entity's records in the place of a personal value: for whoever knows it and looks for it. */
export const commitmentOf = (value: unknown, key: Buffer): string => committed(canonical(value), key);
