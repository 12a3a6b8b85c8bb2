// The cover of the report page: subject, period and program, the files beside it, and what it cannot prove.
import type { ManifestFile } from '../reports/manifest.ts';
import type { Phrases } from './phrases.ts';
import { commandOf, commandText } from './query.ts';
import type { ReportRow } from './rows.ts';
import { count, tableOf, text } from './table.ts';
import { counted, entityHtml, type Html, html, instant, moreOf, nameHtml, thousands } from './text.ts';
import type { PageOf } from './verdict.ts';

const ENTITIES_MAX = 12;
const ROWS_MAX = 60;

/** The head of the page. */
export const coverHeader = ({ manifest, facts }: PageOf, phrases: Phrases): Html => {
  const { say } = phrases;
  const { from, to, timezone, as_of, currency, program, cautions = [] } = manifest;
  const lines = [
    ['entities', entitiesOf(facts.entities, phrases)] as const,
    ['period', say('cover.period.value', { from: instant(from), to: instant(to), timezone })] as const,
    [
      'proved',
      as_of === null ? html`<span class="none">${say('cover.proved.none')}</span>` : instant(as_of),
    ] as const,
    ['currency', currency] as const,
    ['program', `${program.name} ${program.version}`] as const,
    ...cautions.map((caution) => ['caution', html`<span lang="en">${nameHtml(caution)}</span>`] as const),
  ];
  return html`<header class="cover">
<p class="over">${say('over')}</p>
<h1>${phrases.period(manifest.period)}</h1>
<dl>
${lines.map(([name, value]) => html`<div><dt>${say(`cover.${name}`)}</dt><dd>${value}</dd></div>\n`)}</dl>
</header>`;
};

const entitiesOf = (entities: readonly ReportRow[], { say }: Phrases): Html => {
  if (entities.length === 0) return html`<span class="none">${say('cover.none')}</span>`;
  const shown = entities.slice(0, ENTITIES_MAX).map(({ entity_id, name }) => entityHtml(name, entity_id));
  const more = entities.length - shown.length;
  return html`${shown.map((entity, i) => html`${i > 0 ? ', ' : ''}${entity}`)}${more > 0 ? html`, ${say('cover.more', { n: more })}` : null}`;
};

/** The state of each set of books: tie-outs, records, and the seal if the month is closed. */
export const booksSection = (page: PageOf): Html => html`<section id="ties" aria-labelledby="ties-h">
<h2 id="ties-h">Entities</h2>
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
    caption: 'Balances by result of the latest tie-out',
    columns: [text('entity'), ...STATUSES.map(count)],
    rows: shown.map((entity) => [nameHtml(entity), ...STATUSES.map((status) => many(entity, status))]),
  })}${moreOf(entities.length - shown.length, 'tie_outs.csv')}`;
};

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
    columns: [text('entity'), text('stream'), ...['landed', 'booked', 'rejected', 'set aside'].map(count)],
    rows: rows.slice(0, ROWS_MAX),
  })}${moreOf(rows.length - ROWS_MAX, 'manifest.json')}`;
};

const sealsOf = (manifest: PageOf['manifest'], seals: readonly ReportRow[]): Html | null => {
  const closed = [...new Map(seals.map((seal) => [seal.entity_id, seal])).values()];
  if (closed.length === 0) return null;
  return html`<div id="seals">${tableOf({
    caption: `Closed: the root of the sealed entries; ${commandText(manifest, 'verify ledger --root').html} proves it`,
    columns: [text('entity'), text('sealed by'), text('sealed at'), count('entries'), text('root')],
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

/** The files of the export, and the sign convention of their figures. */
export const filesSection = ({ manifest }: PageOf, files: readonly ManifestFile[]): Html =>
  html`<section id="files" aria-labelledby="files-h">
<h2 id="files-h">Files</h2>
${tableOf({
  caption: 'All files show the books at one moment; manifest.json has each full SHA-256',
  columns: [text('file'), count('rows'), text('SHA-256 (first 16 digits)')],
  rows: files.map(({ name, rows, sha256 }) => [
    html`<a href="${name}">${name}</a>`,
    thousands(rows),
    html`<code>${sha256.slice(0, 16)}</code>`,
  ]),
})}
<p><b>Signs.</b> ${manifest.sign_convention}</p>
</section>`;

/** What the page does not prove. */
export const limitsSection = ({
  facts,
  manifest,
}: PageOf): Html => html`<section id="limits" aria-labelledby="limits-h">
<h2 id="limits-h">What this page cannot prove</h2>
<ul>
<li>That the gateway's own figures are correct. The books are compared with the gateway's reports; compare them with a statement that the platform signed by ${commandOf(manifest, 'confirm')}.</li>
<li>Balances at a past date. The gateway reports current balances only: a closing balance is a later reading, rolled back by the records since then. Without a later reading it is not tied.</li>
<li>Anything in an interval that was not read, or in an entity that is not named above: this export covers ${counted(facts.entities.length, 'entity', 'entities')}.</li>
<li>Valuation. The value of a break uses the latest fill or rate in ${manifest.currency} before the end of the period, and only ranks breaks by size.</li>
<li>That no file was changed after the export. Compare their digests with the manifest, and for a closed month with its seal.</li>
<li>The whole list. Long lists are cut on this page, with the number of rows left out; the files are complete.</li>
</ul>
</section>`;

/** On a page that is rendered for a seal: the root of its entries. The seal itself does not exist at that time. */
export const sealSentence = (manifest: PageOf['manifest'], root: string | null): Html | null =>
  root === null
    ? null
    : html`<section id="seals" aria-labelledby="seals-h"><h2 id="seals-h">Sealed</h2>
<p>This page was sealed with the month. Root of its entries: <code>${root}</code>, proved by ${commandOf(manifest, 'verify ledger --root')}</p></section>`;
