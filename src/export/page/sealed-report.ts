// What the seal of a closed month has of its page: report.json, read again for a page over several entities.
import { parseExact } from '../../base/json.ts';
import { ownValue } from '../../base/own-value.ts';
import { type EntityPart, fromSeal } from '../reports/sealed.ts';
import type { Snapshot } from '../reports/snapshot.ts';
import type { Figures } from './figures.ts';
import type { ReadRows, ReportRow } from './rows.ts';

/** The file of an export with the figures of its page. */
export const REPORT_JSON = 'report.json';

/** The rows that a page takes from it. */
type SealedReport = Figures & {
  readonly ties: readonly ReportRow[];
  readonly coverage: readonly ReportRow[];
  readonly entity_names: Readonly<Record<string, string>>;
};

/** The same rows with the names that closed entities had when they were sealed, as in the files beside the page. */
export const withSealedNames = (read: ReadRows, sealed: ReadonlyMap<string, SealedReport>): ReadRows =>
  async function* (file, values) {
    for await (const row of read(file, values)) {
      const id = row.entity_id ?? '';
      const report = sealed.get(id);
      const atSealing = report && { entity_name: ownValue(report.entity_names, id) ?? null };
      yield { ...row, ...atSealing, ...(atSealing && file === 'entities' && { name: null }) };
    }
  };

/** What the seal of an entity's month has of it. */
export const sealedReport = async (
  snapshot: Snapshot,
  { entity, manifest }: Extract<EntityPart, { from: 'seal' }>,
  period: string,
): Promise<SealedReport> => {
  const texts: string[] = [];
  for await (const { text } of fromSeal(snapshot, REPORT_JSON, { entity, manifest, period }))
    texts.push(text);
  return parseExact(texts.join('')) as SealedReport; // our own text, proved by the seal
};
