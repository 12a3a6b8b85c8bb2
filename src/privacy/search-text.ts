// Search texts for erasures and holds: a record matches if one of its personal fields equals the text. Instead of the
// text, a commitment to it is stored.
import { createHmac } from 'node:crypto';
import { UsageError } from '../base/errors.ts';
import { parseExact } from '../base/json.ts';
import type { Person } from './people.ts';

/**
 * The normalized form for comparison. Case, white space, invisible characters and Unicode compatibility forms are
 * ignored, so an IBAN in groups of four or a name in capitals is found; there is no fuzzy matching. It is not computed in
 * Postgres, where `lower` depends on the database's locale.
 */
export const formOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{Cf}]/gu, '');

/**
 * Every form that matches a record's personal fields: each text in them; the texts of an object joined, such as a phone's
 * country code and number; and two adjacent names, in either order.
 */
export const formsOf = (fields: readonly Person[]): ReadonlySet<string> => {
  const read = fields.map(({ path, value }) => ({ path, texts: textsIn(parseExact(value)) }));
  const whole = read.flatMap(({ texts }) => [...texts, texts.join('')]);
  return new Set([...whole, ...fullNames(read)].map(formOf).filter((form) => form !== ''));
};

const textsIn = (value: unknown): string[] => {
  if (value === null || typeof value !== 'object') return [String(value)];
  return Object.values(value).flatMap(textsIn);
};

type ReadField = { readonly path: string; readonly texts: readonly string[] };

const fullNames = (fields: readonly ReadField[]): string[] => {
  const names = fields
    .filter(({ path }) => /name$/i.test(path))
    .map((field) => ({ ...field, in: parentOf(field.path) }));
  return names.flatMap((one) =>
    names
      .filter((other) => other !== one && other.in === one.in)
      .map((other) => [...one.texts, ...other.texts].join('')),
  );
};

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('.') + 1);

/**
 * Stored instead of the text of a request: meaningless without the key, and equal for equal texts. No record's
 * commitment equals it, because that is of JSON text.
 */
export const commitmentOf = (key: Buffer, form: string): Buffer =>
  createHmac('sha256', key).update(`asked for: ${form}`).digest();

/**
 * The text of a request, if it can be compared. Throws a UsageError if it is blank, or occurs in the name or the reason:
 * both are stored for good, so the text to erase must not be in them.
 */
export const checkedText = (
  text: string,
  request: { readonly by: string; readonly reason: string },
): string => {
  const form = formOf(text);
  if (form === '')
    throw new UsageError('the text to erase is blank: write the full text of a personal field');
  if ([request.by, request.reason].some((one) => formOf(one).includes(form)))
    throw new UsageError(
      '--by or --reason contains the text to erase, and both are stored: use a case number instead',
    );
  return text;
};
