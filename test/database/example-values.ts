// Values for a statement: those of the psql example in its header, with chosen ones in their place.
import { readSql } from '../../src/database/sql.ts';

/** A month among many. */
export const PERIOD = {
  from: '2026-06-01T00:00:00Z',
  to: '2026-07-01T00:00:00Z',
  first: '2026-06',
  last: '2026-06',
  period: '2026-06',
};

export const exampleValues = (
  path: string,
  chosen: Readonly<Record<string, string>>,
): Record<string, string> => {
  const { text, parameters } = readSql(path);
  const [line = ''] = /^-- {3}psql .*/m.exec(text) ?? [];
  const example = [...line.matchAll(/ -v (\w+)=(?:'([^']*)'|(\S*))/g)].map(
    ([, name = '', quoted, bare]) => [name, quoted ?? bare ?? ''] as const,
  );
  const values = { ...Object.fromEntries(example), ...chosen };
  return Object.fromEntries(Object.entries(values).filter(([name]) => parameters.includes(name)));
};
