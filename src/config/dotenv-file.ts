// The text of an .env file. What would be read otherwise than it was written is refused: half a secret, or a file of which nothing is
// read, looks like a mistake elsewhere, or like no setting at all.
import { parse } from 'dotenv';
import { UsageError } from '../base/errors.ts';
import type { Env } from './setting-forms.ts';

/** A setting whose value without quotes has a # inside a word, where it begins a comment. Shells and compose files read the whole word. */
const CUT_OFF =
  /^[^\S\n]*(?:export\s+)?((?:GATEWAY|TIEOUT)_\w+|DATABASE_URL)[^\S\n]*[=:][^\S\n]*(?!['"`\s])[^#\n]*[^#\s]#/m;

/** The variables of a file. Throws a UsageError if it is not plain text, or if a # cuts off a value. */
export const parseEnvFile = (file: string, bytes: Buffer): Env => {
  if (bytes.includes(0)) throw new UsageError(`${file} is not plain text: save it as UTF-8`);
  const text = bytes.toString('utf8');
  const [, name] = CUT_OFF.exec(text) ?? [];
  if (name !== undefined)
    throw new UsageError(
      `${file}: the value of ${name} ends at its #, which begins a comment: put the value in single quotes`,
    );
  return parse(text);
};
