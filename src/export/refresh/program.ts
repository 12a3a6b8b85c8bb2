// The digest of what writes the files: another program, other SQL or other settings may write other bytes.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonical, sha256 } from '../../base/json.ts';
import { codeFolder } from '../../base/root.ts';
import { readSql, sqlPaths } from '../../database/database.ts';
import { phraseBytes } from '../page/phrases.ts';
import { configurationOf } from '../reports/configuration.ts';

type FigureOptions = {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly timezone: string;
  readonly currency: string;
};

/** The program: its own files, the SQL of its exports, and the settings that affect figures. */
export const programDigest = ({ settings, timezone, currency }: FigureOptions): string => {
  const sql = ['export', 'journals', 'page'].flatMap((folder) =>
    sqlPaths(folder).map((path) => readSql(path).text),
  );
  return sha256(
    canonical({
      ...configurationOf(settings),
      timezone,
      currency,
      sql: sha256(sql.join('\n')),
      phrases: sha256(phraseBytes()),
      code: codeDigest(),
    }),
  );
};

const codeDigest = (): string => {
  const hash = createHash('sha256');
  const names = readdirSync(codeFolder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.[jt]s$/.test(name),
  );
  for (const name of names.sort()) hash.update(name).update(readFileSync(join(codeFolder, name)));
  return hash.digest('hex');
};
