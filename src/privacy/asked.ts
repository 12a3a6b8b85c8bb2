// What is asked for when people are erased or held: when a personal field equals a text, and how the asking is kept
// without the text.
import { createHmac } from 'node:crypto';
import { UsageError } from '../base/errors.ts';
import { parseExact } from '../base/json.ts';
import type { Person } from './people.ts';

/**
 * A text as it is compared: case, white space, invisible characters and Unicode's compatible forms do not count, so
 * that an IBAN in groups of four or a name in capitals is found. Nothing else is guessed. Computed here and not in
 * Postgres, whose `lower` depends on the database's locale.
 */
export const formOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{Cf}]/gu, '');

/**
 * Everything that the personal fields of one record equal: each text in them; the texts of an object put together, as
 * of a phone's country and number; and two names that stand side by side, in either order.
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
    .map((it) => ({ ...it, in: parentOf(it.path) }));
  return names.flatMap((one) =>
    names
      .filter((other) => other !== one && other.in === one.in)
      .map((other) => [...one.texts, ...other.texts].join('')),
  );
};

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('.') + 1);

/**
 * What is kept of an asking: it says nothing to who does not have the key, and is the same for the same text. No
 * record's commitment is ever equal to it, since that is of JSON text.
 */
export const commitmentOf = (key: Buffer, form: string): Buffer =>
  createHmac('sha256', key).update(`asked for: ${form}`).digest();

/**
 * What a person wrote, where it can be compared and is told nowhere else. Throws a UsageError otherwise: who decided and
 * why are kept for good, so what is to be erased may not stand there.
 */
export const readAsked = (
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
