// The report page: one file that opens from disk, uses no network, runs no script, and shows first what tied and what did
// not. It is read from the same snapshot as the files beside it.
import { sha256 } from '../../base/json.ts';
import type { Database } from '../../database/connection.ts';
import { type Folder, writeFileIn } from '../reports/folder.ts';
import type { Manifest, ManifestFile } from '../reports/manifest.ts';
import { NO_REUSE, type Reuse } from '../reports/reuse.ts';
import { type EntityPart, fromSeal } from '../reports/sealed.ts';
import { inSnapshot, type Snapshot } from '../reports/snapshot.ts';
import { pageText } from './document.ts';
import { type PageFacts, type PageQuery, pageFacts } from './facts.ts';
import { reportJson } from './report-json.ts';
import { REPORT_JSON } from './sealed-report.ts';

const PAGE = 'report.html';

/** The manifest, the source of each entity's rows, and the facts of the page. */
export type PageOptions = {
  readonly parts: readonly EntityPart[];
  readonly manifest: Manifest;
  readonly facts: PageFacts | null;
};

/** Reads what a page shows; null for one closed entity, whose page is the one in its seal. */
export const readPage = async (
  snapshot: Snapshot,
  query: PageQuery,
  reuse: Reuse,
): Promise<PageFacts | null> => (sealedPart(query.parts) === null ? pageFacts(snapshot, query, reuse) : null);

const sealedPart = ([only, ...others]: readonly EntityPart[]) =>
  only?.from === 'seal' && others.length === 0 ? only : null;

/** Writes report.json and the page into the folder and returns their manifest entries; those of a closed month are as sealed. */
export const writePage = async (
  folder: Folder,
  snapshot: Snapshot,
  { parts, manifest, facts }: PageOptions,
): Promise<ManifestFile[]> => {
  const sealed = sealedPart(parts);
  if (facts === null)
    return sealed === null ? [] : writeSealed(folder, snapshot, { ...sealed, period: manifest.period });
  const rendered = renderFiles(manifest, facts, null);
  for (const { text, file } of rendered) await writeFileIn(folder, file.name, (write) => write(text));
  return rendered.map(({ file }) => file);
};

const writeSealed = async (
  folder: Folder,
  snapshot: Snapshot,
  sealed: { readonly entity: string; readonly period: string; readonly manifest: Manifest },
): Promise<ManifestFile[]> => {
  const files = sealed.manifest.files.filter(({ name }) => name === REPORT_JSON || name === PAGE);
  for (const { name } of files)
    await writeFileIn(folder, name, async (write) => {
      for await (const { text } of fromSeal(snapshot, name, sealed)) await write(text);
    });
  return files;
};

type RenderedFile = { readonly text: string; readonly file: ManifestFile };

/** report.json, then the page, which lists it among the files. */
const renderFiles = (manifest: Manifest, facts: PageFacts, root: string | null): RenderedFile[] => {
  const json = renderedFile(REPORT_JSON, reportJson(manifest, facts, root));
  const files = [...manifest.files, json.file];
  return [json, renderedFile(PAGE, pageText({ ...manifest, files }, facts, root))];
};

/** The page and report.json of one entity's month for its seal; `root` is the root of its entries. */
export const renderPage = (
  pool: Database['pool'],
  manifest: Manifest,
  root: string,
): Promise<RenderedFile[]> =>
  inSnapshot(pool, async (snapshot) => {
    const { period, from, to, timezone, currency } = manifest;
    const entity = manifest.entities.join(',');
    const parts: EntityPart[] = [{ from: 'books', entity }];
    const facts = await pageFacts(
      snapshot,
      { period, from, to, timezone, currency, entity, parts },
      NO_REUSE,
    );
    return renderFiles(manifest, facts, root);
  });

const renderedFile = (name: string, text: string): RenderedFile => ({
  text,
  file: { name, rows: 0, columns: [], sha256: sha256(text) },
});
