// The rules of checks.csv that do not hold in the folder of an export: its reports do not agree with each other.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ownRowsIn } from '../../base/csv-file.ts';

/** A rule of one entity, in the words of checks.csv. */
export type BrokenRule = {
  readonly entity: string;
  readonly report: string;
  readonly compared: string;
  readonly differing: string;
  readonly first: string;
};

/** None for a draft, whose checks.csv is written once the balances are compared. */
export const brokenRules = async (dir: string): Promise<BrokenRule[]> => {
  const path = join(dir, 'checks.csv');
  if (!existsSync(path)) return [];
  const broken: BrokenRule[] = [];
  let columns: readonly string[] | null = null;
  for await (const rows of ownRowsIn(path))
    for (const row of rows) {
      if (columns === null) columns = row;
      else {
        const rule = ruleIn(columns, row);
        if (rule.differing !== '0') broken.push(rule);
      }
    }
  return broken;
};

const ruleIn = (columns: readonly string[], row: readonly string[]): BrokenRule => {
  const cell = (name: string) => row[columns.indexOf(name)] ?? '';
  const [entity, report, compared] = [cell('entity_id'), cell('report'), cell('compared')];
  return { entity, report, compared, differing: cell('differing_rows'), first: cell('first_difference') };
};
