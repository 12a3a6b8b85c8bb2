// The chart of accounts of an export: no report is written while an account has no line in it, and account names are in the
// language of the profile.
import { UsageError } from '../../base/errors.ts';
import { loadSql } from '../../database/database.ts';
import type { Profile } from './profile.ts';
import { type Cut, cutSql } from './report.ts';
import { rowsOf, type Snapshot, text } from './snapshot.ts';

/** Throws a UsageError that lists every account without a line. */
export const refuseUnmapped = async (snapshot: Snapshot, cut: Cut): Promise<void> => {
  const rows = await rowsOf(snapshot, cutSql('export/unmapped.sql', cut));
  if (rows.length === 0) return;
  const lines = rows.map(
    (row) =>
      `${text(row, 'entity_id')} ${text(row, 'account')} ${text(row, 'currency')} (${text(row, 'asset_class')})`,
  );
  throw new UsageError(
    [
      `the chart of accounts has no line for these accounts: print it with npx tieout chart show ${rows[0]?.version}, add lines, and propose it with npx tieout chart import`,
      ...lines,
    ].join('\n  '),
  );
};

/** A profile with the names of accounts in its language. */
export const withAccountNames = async (snapshot: Snapshot, profile: Profile): Promise<Profile> => {
  const rows = await rowsOf(snapshot, loadSql('export/account_names.sql'));
  const accountNames = new Map(
    rows.map((row) => [text(row, 'name_en'), text(row, `name_${profile.language}`)]),
  );
  return { ...profile, accountNames };
};
