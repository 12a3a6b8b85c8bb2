// The cover of the report page: of what, until when, and by which program; which files stand beside it; what it cannot prove.
import type { ManifestFile } from '../reports/manifest.ts';
import { commandOf, commandText } from './query.ts';
import type { ReportRow } from './rows.ts';
import { count, tableOf, text } from './table.ts';
import { counted, type Html, html, instant, nameHtml, periodName, thousands } from './text.ts';
import type { PageOf } from './verdict.ts';

const ENTITIES_MAX = 12;
const ROWS_MAX = 60;

/** The head of the page. */
export const coverHeader = ({ manifest, facts }: PageOf): Html => html`<header class="cover">
<p class="over">Books and balances</p>
<h1>${periodName(manifest.period)}</h1>
<dl>
<div><dt>Books of</dt><dd>${entitiesOf(facts.entities)}</dd></div>
<div><dt>Period</dt><dd>${exact(manifest.from)} to before ${exact(manifest.to)}, cut in ${manifest.timezone}</dd></div>
<div><dt>Complete until</dt><dd>${manifest.as_of === null ? html`<span class="none">nothing is proved complete</span>` : exact(manifest.as_of)}</dd></div>
<div><dt>Reporting currency</dt><dd>${manifest.currency}</dd></div>
<div><dt>Written by</dt><dd>${manifest.program.name} ${manifest.program.version}</dd></div>
${(manifest.cautions ?? []).map((caution) => html`<div><dt>Caution</dt><dd>${nameHtml(caution)}</dd></div>`)}
</dl>
</header>`;

const exact = (time: string): Html => instant(time);

const entitiesOf = (entities: readonly ReportRow[]): Html => {
  if (entities.length === 0) return html`<span class="none">nobody yet</span>`;
  const shown = entities
    .slice(0, ENTITIES_MAX)
    .map(({ entity_id, name }) =>
      name === null || name === entity_id
        ? nameHtml(entity_id)
        : html`${nameHtml(name)} (${nameHtml(entity_id)})`,
    );
  const more = entities.length - shown.length;
  return html`${shown.map((entity, i) => html`${i > 0 ? ', ' : ''}${entity}`)}${more > 0 ? `, and ${thousands(more)} more in manifest.json` : ''}`;
};

/** How each set of books stands: ties, records, and its seal where the month is closed. */
export const booksSection = (page: PageOf): Html => html`<section id="ties" aria-labelledby="ties-h">
<h2 id="ties-h">Each set of books</h2>
${tiesTable(page.facts.ties)}
${conservationTable(page.manifest)}
${sealsOf(page.manifest, page.facts.seals)}
</section>`;

const STATUSES = ['tied', 'break', 'in-flight', 'pending', 'in-transit', 'uncovered'];

const tiesTable = (ties: readonly ReportRow[]): Html => {
  const newest = ties.filter(({ reading }) => reading === 'newest');
  const entities = [...new Set(newest.map(({ entity_id }) => entity_id))];
  const broken = (entity: string | null | undefined) =>
    newest.some((it) => it.entity_id === entity && it.status !== 'tied') ? 0 : 1;
  const shown = [...entities].sort((a, b) => broken(a) - broken(b)).slice(0, ROWS_MAX);
  const many = (entity: string | null | undefined, status: string) =>
    newest.find((it) => it.entity_id === entity && it.status === status)?.accounts ?? '0';
  return html`${tableOf({
    caption: 'Balances by what came of the newest comparison with what the gateway reported',
    columns: [text('books'), ...STATUSES.map(count)],
    rows: shown.map((entity) => [nameHtml(entity), ...STATUSES.map((status) => many(entity, status))]),
  })}${moreOf(entities.length - shown.length, 'tie_outs.csv')}`;
};

const moreOf = (many: number, file: string): Html | null =>
  many <= 0 ? null : html`<p class="more">and ${thousands(many)} more in <a href="${file}">${file}</a></p>`;

const conservationTable = ({ conservation }: PageOf['manifest']): Html => {
  const lists = new Map<string, [string, string, number, number, number, number]>();
  for (const conserved of conservation) {
    const key = JSON.stringify([conserved.entity, conserved.stream]);
    const [, , landed, booked, rejected, aside] = lists.get(key) ?? ['', '', 0, 0, 0, 0];
    const counts = [
      landed + conserved.landed,
      booked + conserved.booked,
      rejected + conserved.rejected,
      aside + conserved.set_aside,
    ] as const;
    lists.set(key, [conserved.entity, conserved.stream, ...counts]);
  }
  const rows = [...lists.values()].map(([entity, stream, ...counts]) => [
    nameHtml(entity),
    nameHtml(stream),
    ...counts.map(thousands),
  ]);
  return html`${tableOf({
    caption: 'Records of the period: landed = booked + rejected + set aside',
    columns: [text('books'), text('list'), ...['landed', 'booked', 'rejected', 'set aside'].map(count)],
    rows: rows.slice(0, ROWS_MAX),
  })}${moreOf(rows.length - ROWS_MAX, 'manifest.json')}`;
};

const sealsOf = (manifest: PageOf['manifest'], seals: readonly ReportRow[]): Html | null => {
  const closed = [...new Map(seals.map((it) => [it.entity_id, it])).values()];
  if (closed.length === 0) return null;
  return html`<div id="seals">${tableOf({
    caption: `Closed: the root of the entries that were sealed, which ${commandText(manifest, 'verify ledger --root').html} proves`,
    columns: [text('books'), text('sealed by'), text('sealed at'), count('entries'), text('root')],
    rows: closed
      .slice(0, ROWS_MAX)
      .map((seal) => [
        nameHtml(seal.entity_id),
        nameHtml(seal.prepared_by),
        instant(seal.sealed_at),
        thousands(Number.parseInt(seal.entries ?? '0', 10)),
        html`<code>${seal.root}</code>`,
      ]),
  })}${moreOf(closed.length - ROWS_MAX, 'manifest.json')}</div>`;
};

/** What stands beside the page, and how its figures are to be read. */
export const filesSection = ({ manifest }: PageOf, files: readonly ManifestFile[]): Html =>
  html`<section id="files" aria-labelledby="files-h">
<h2 id="files-h">The files beside this page</h2>
${tableOf({
  caption: 'All of one moment of the books; manifest.json has the SHA-256 of each in full',
  columns: [text('file'), count('rows'), text('SHA-256 begins')],
  rows: files.map(({ name, rows, sha256 }) => [
    html`<a href="${name}">${name}</a>`,
    thousands(rows),
    html`<code>${sha256.slice(0, 16)}</code>`,
  ]),
})}
<p><b>Signs.</b> ${manifest.sign_convention}</p>
</section>`;

/** What nobody should read out of it. */
export const limitsSection = ({
  facts,
  manifest,
}: PageOf): Html => html`<section id="limits" aria-labelledby="limits-h">
<h2 id="limits-h">What this page cannot prove</h2>
<ul>
<li>That the gateway's own figures are correct. Books and reports were compared with each other; a statement that the platform signed is compared with ${commandOf(manifest, 'confirm')}.</li>
<li>Balances of the past. The gateway has none: what stood at the period's end is a later reading, rolled back by the records since, and where nothing was read after it, nothing ties it.</li>
<li>What happened in a stretch that was not read, and sets of books that are not named above: only ${counted(facts.entities.length, 'set')} of books ${facts.entities.length === 1 ? 'is' : 'are'} in it.</li>
<li>What anything is worth. Worth is at the newest fill or rate in ${manifest.currency} before the period's end, to tell great from small; it is no valuation.</li>
<li>That nobody changed a file since. The manifest has their digests, and the seal of a closed month has them too.</li>
<li>Everything. Where a list is long this page shows its beginning and says how much is left; the files beside it are whole.</li>
</ul>
</section>`;

/** What a page that is rendered for a seal says of it: the root is there, the seal is not yet. */
export const sealSentence = (manifest: PageOf['manifest'], root: string | null): Html | null =>
  root === null
    ? null
    : html`<section id="seals" aria-labelledby="seals-h"><h2 id="seals-h">Sealed</h2>
<p>This page was sealed with the month. The root of its entries, which ${commandOf(manifest, 'verify ledger --root')} proves: <code>${root}</code></p></section>`;
