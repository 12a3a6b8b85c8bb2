// The manifest of an export batch: its files, its mark, and what is stored with it of the books at the time of its export.
import { type BatchFacts, type BatchMark, type Manifest, programOf } from '../reports/manifest.ts';

type BatchManifestOf = Pick<Manifest, 'period' | 'from' | 'to' | 'timezone' | 'currency' | 'files'> & {
  readonly entity: string;
  readonly facts: BatchFacts;
  readonly mark: BatchMark;
  readonly map_sha256: string;
};

/** The manifest of a batch, or of its re-export, which says the same of the books. */
export const batchManifest = ({ entity, facts, mark, ...fields }: BatchManifestOf): Manifest => ({
  program: programOf(),
  ...facts,
  ...fields,
  entities: [entity],
  profile: 'machine',
  format: mark.package,
  batch: mark,
});
