// The configuration of books: digests of everything that decides the figures of the books and their reports, so that a
// change is noticed.

import { canonical, sha256 } from '../../base/json.ts';
import { STREAM_NAMES } from '../../base/streams.ts';
import { readSql, sqlPaths } from '../../database/database.ts';
import { RULES } from '../../normalize/rules.ts';
import { headingBytes } from './headings.ts';
import { titleBytes } from './titles.ts';

/** The version of each stream's booking rule. */
export const ruleVersions = (): Readonly<Record<string, string>> =>
  Object.fromEntries(STREAM_NAMES.map((stream) => [stream, String(RULES[stream].version)]));

/** SHA-256 by name: the settings that affect figures, and the SQL of reports, checks, closes and views. */
export const digestsOf = (settings: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> => ({
  settings: sha256(canonical(settings)),
  ...Object.fromEntries(
    ['reports', 'checks', 'close', 'page', 'views'].map((folder) => [folder, digestOf(folder)]),
  ),
});

const digestOf = (folder: string): string =>
  sha256(
    sqlPaths(folder)
      .map((path) => readSql(path).text)
      .join('\n'),
  );

/** The same for an export, which also depends on headings, the words in cells and the titles of reports. */
export const configurationOf = (
  settings: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> => ({
  ...digestsOf(settings),
  headings: sha256(Buffer.concat([headingBytes(), titleBytes()])),
});
