// The report page: one file that opens from disk, uses no network, runs no script, and shows first what tied and what did
// not. It is read from the same snapshot as the files beside it.
import { createHash } from 'node:crypto';
import { sha256 } from '../../base/json.ts';
import type { Database } from '../../database/connection.ts';
import { type Folder, writeFileIn } from '../reports/folder.ts';
import type { Manifest, ManifestFile } from '../reports/manifest.ts';
import { NO_REUSE, type Reuse } from '../reports/reuse.ts';
import { type EntityPart, fromSeal } from '../reports/sealed.ts';
import { inSnapshot, type Snapshot } from '../reports/snapshot.ts';
import { agesSection, breaksSection } from './breaks.ts';
import { booksSection, coverHeader, filesSection, limitsSection, sealSentence } from './cover.ts';
import { coverageSection } from './coverage.ts';
import { type PageFacts, type PageQuery, pageFacts } from './facts.ts';
import { balancesSection, feesSection, flowsSection } from './money.ts';
import { PAGE_STYLE } from './style.ts';
import { finished, html, periodName } from './text.ts';
import { verdictSection } from './verdict.ts';

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

/** Writes the page into the folder and returns its manifest entry; null if the month was sealed before pages existed. */
export const writePage = async (
  folder: Folder,
  snapshot: Snapshot,
  { parts, manifest, facts }: PageOptions,
): Promise<ManifestFile | null> => {
  const sealed = sealedPart(parts);
  if (facts === null)
    return sealed && writeSealedPage(folder, snapshot, { ...sealed, period: manifest.period });
  const text = pageText(manifest, facts, null);
  await writeFileIn(folder, PAGE, (write) => write(text));
  return fileOf(text);
};

const writeSealedPage = async (
  folder: Folder,
  snapshot: Snapshot,
  sealed: { readonly entity: string; readonly period: string; readonly manifest: Manifest },
): Promise<ManifestFile | null> => {
  const file = sealed.manifest.files.find(({ name }) => name === PAGE) ?? null;
  if (file)
    await writeFileIn(folder, PAGE, async (write) => {
      for await (const { text } of fromSeal(snapshot, PAGE, sealed)) await write(text);
    });
  return file;
};

/** The page of one entity's month for its seal; `root` is the root of its entries. */
export const renderPage = (
  pool: Database['pool'],
  manifest: Manifest,
  root: string,
): Promise<{ readonly text: string; readonly file: ManifestFile }> =>
  inSnapshot(pool, async (snapshot) => {
    const { period, from, to, timezone, currency } = manifest;
    const entity = manifest.entities.join(',');
    const parts: EntityPart[] = [{ from: 'books', entity }];
    const query = { period, from, to, timezone, currency, entity, parts };
    const facts = await pageFacts(snapshot, query, NO_REUSE);
    const text = pageText(manifest, facts, root);
    return { text, file: fileOf(text) };
  });

const fileOf = (text: string): ManifestFile => ({
  name: PAGE,
  rows: 0,
  columns: [],
  sha256: sha256(text),
});

/** The page loads, sends and runs nothing: the policy allows only the style below, by its digest. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

const LINKS = [
  ['breaks', 'Breaks'] as const,
  ['coverage', 'Coverage'] as const,
  ['balances', 'Balances'] as const,
  ['flows', 'Money in and out'] as const,
  ['fees', 'Fees'] as const,
  ['ties', 'Entities'] as const,
  ['files', 'Files'] as const,
  ['limits', 'Limits'] as const,
];

/** The whole page, from its facts alone. */
export const pageText = (manifest: Manifest, facts: PageFacts, root: string | null): string => {
  const page = { manifest, facts };
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${finished(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${periodName(manifest.period)}: books and balances</title>
<style>${finished(PAGE_STYLE)}</style>
</head>
<body>
<a class="skip" href="#verdict">Skip to the result</a>
${coverHeader(page)}
<main>
${verdictSection(page)}
<nav aria-label="On this page"><ul>${LINKS.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
${breaksSection(page)}
${coverageSection(page)}
${balancesSection(page)}
${flowsSection(page)}
${feesSection(page)}
${agesSection(page)}
${booksSection(page)}
${sealSentence(manifest, root)}
${filesSection(page, manifest.files)}
${limitsSection(page)}
</main>
<footer><p>${manifest.program.name} ${manifest.program.version}. Every figure is in the files beside this page.</p></footer>
</body>
</html>
`.html;
};
