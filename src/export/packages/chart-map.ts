// The account map of a batch without a file of its own: the chart of accounts in force at the end of its period.
import { canonical, sha256 } from '../../base/json.ts';
import { loadSql } from '../../database/database.ts';
import { rowsOf, type Snapshot, text } from '../reports/snapshot.ts';
import { type AccountMap, accountMap } from './account-map.ts';
import type { PackageFormat } from './package.ts';

/** Every account of the entity with the package's account for its code. Throws a UsageError if the package refuses one. */
export const chartMap = async (
  snapshot: Snapshot,
  { entity, to }: { readonly entity: string; readonly to: string },
  format: PackageFormat,
): Promise<AccountMap> => {
  const rows = await rowsOf(snapshot, loadSql('export/chart_codes.sql', { entity, to }));
  const lines = rows.map((row, index) => ({
    line: index + 1,
    type: '' as const,
    source: { account: text(row, 'account'), currency: text(row, 'currency'), counterpartyType: '' },
    dimension1: '',
    dimension2: '',
    ...format.ofChart({
      code: text(row, 'code'),
      names: { en: text(row, 'name_en'), es: text(row, 'name_es'), de: text(row, 'name_de') },
    }),
  }));
  const digest = sha256(canonical(lines));
  return accountMap(lines, { name: 'the chart of accounts', digest, format });
};
