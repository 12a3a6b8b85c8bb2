// Cautions: what the cover of every export must state. Read once as parts; the manifest has them in English sentences, and the page
// writes them in its own language.
import { isoOf, monthOf, msOf } from '../../base/time.ts';
import { type Cell, loadSql } from '../../database/database.ts';
import type { Manifest } from './manifest.ts';

type Span = Pick<Manifest, 'from' | 'to' | 'timezone'> & { readonly entity: string };

/** The values of sql/page/cautions.sql for a period: the months that it touches. */
export const cautionValues = ({ from, to, timezone, entity }: Span) => ({
  first: monthOf(from, timezone),
  last: monthOf(isoOf(msOf(to) - 1), timezone),
  to,
  entity,
});

export const cautionsQuery = (span: Span) => loadSql('page/cautions.sql', cautionValues(span));

type CautionRow = Readonly<Record<string, Cell>>;

/** The sentence in the manifest. */
export const cautionText = (row: CautionRow): string =>
  row.caution === 'one-person'
    ? `one person prepares and approves, as ${row.set_by} allowed at ${row.set_at}: ${row.reason}`
    : `${row.period} of ${row.entity_id}: ${unvalued(row)}`;

const unvalued = ({ findings, kinds, accepted_by: by }: CautionRow): string => {
  const many = findings === '1' ? '1 value finding' : `${findings} value findings`;
  return `${many} (${kinds}), ${by === null ? 'not accepted' : `accepted by ${by}`}`;
};
