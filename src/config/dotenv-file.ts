// The text of an .env file. What would be read otherwise than it was written is refused: half a secret, or a file of which nothing is
// read, looks like a mistake elsewhere, or like no setting at all.
import { parse } from 'dotenv';
import { UsageError } from '../base/errors.ts';
import type { Env } from './setting-forms.ts';

/** A setting whose value without quotes has a # inside a word, where it begins a comment. Shells and compose files read the whole word. */
const CUT_OFF =
  /^[^\S\n]*(?:export\s+)?((?:GATEWAY|TIEOUT)_\w+|DATABASE_URL)[^\S\n]*[=:][^\S\n]*(?!['"`\s])[^#\n]*[^#\s]#/m;

/** A line that begins with the name of a setting, as a shell or a person writes it. */
const SETTING = /^[^\S\n]*(?:(?:export|set)\s+)?((?:GATEWAY|TIEOUT)_\w+|DATABASE_URL)\b/gm;

/** Throws a UsageError for the first setting whose line is not read: it would count as not set, or as another line sets it. */
const refuseUnread = (file: string, text: string, read: Env): void => {
  const names = new Set<string>();
  for (const [, name = ''] of text.matchAll(SETTING)) {
    if (names.has(name)) throw new UsageError(`${file} sets ${name} twice: keep one of the lines`);
    if (read[name] === undefined)
      throw new UsageError(
        `${file}: the line of ${name} is not read: write ${name}=value, and end each quote`,
      );
    names.add(name);
  }
};

/** The variables of a file. Throws a UsageError if it is not plain text, if a # cuts off a value, or if the line of a setting is not read. */
export const parseEnvFile = (file: string, bytes: Buffer): Env => {
  if (bytes.includes(0)) throw new UsageError(`${file} is not plain text: save it as UTF-8`);
  const text = bytes.toString('utf8');
  const [, name] = CUT_OFF.exec(text) ?? [];
  if (name !== undefined)
    throw new UsageError(
      `${file}: the value of ${name} ends at its #, which begins a comment: put the value in single quotes`,
    );
  const read = parse(text);
  refuseUnread(file, text, read);
  return read;
};
