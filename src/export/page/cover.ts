// The cover of the report page: subject, period and program, the files beside it, and what it cannot prove.
import type { ManifestFile } from '../reports/manifest.ts';
import { reportTitles } from '../reports/titles.ts';
import { commandOf } from './query.ts';
import type { ReportRow } from './rows.ts';
import { REPORT_JSON } from './sealed-report.ts';
import { entityOf, type PageOf } from './section.ts';
import { count, tableOf, text } from './table.ts';
import { fileLink, type Html, html, instant, nameHtml } from './text.ts';

const ENTITIES_MAX = 12;

/** The head of the page. */
export const coverHeader = (page: PageOf): Html => {
  const { manifest, phrases } = page;
  const { say } = phrases;
  const { from, to, timezone, as_of, currency, program } = manifest;
  const lines = [
    ['entities', entitiesOf(page)] as const,
    ['period', say('cover.period.value', { from: instant(from), to: instant(to), timezone })] as const,
    [
      'proved',
      as_of === null ? html`<span class="none">${say('cover.proved.none')}</span>` : instant(as_of),
    ] as const,
    ['currency', currency] as const,
    ['program', `${program.name} ${program.version}`] as const,
    ...page.facts.cautions.map((row) => ['caution', cautionOf(page, row)] as const),
  ];
  return html`<header class="cover">
<p class="over">${say('over')}</p>
<h1>${phrases.period(manifest.period)}</h1>
<dl>
${lines.map(([name, value]) => html`<div><dt>${say(`cover.${name}`)}</dt><dd>${value}</dd></div>\n`)}</dl>
</header>`;
};

const cautionOf = (page: PageOf, row: ReportRow): Html => {
  const { say, word, period } = page.phrases;
  if (row.caution === 'one-person')
    return say('caution.one-person', {
      by: nameHtml(row.set_by),
      moment: page.phrases.moment(row.set_at),
      reason: nameHtml(row.reason),
    });
  const kinds = (row.kinds ?? '').split(', ').map((kind) => word('value finding', kind));
  const values = {
    n: Number.parseInt(row.findings ?? '0', 10),
    month: period(row.period ?? ''),
    entity: entityOf(page, row.entity_id),
    kinds: kinds.join(', '),
  };
  return row.accepted_by
    ? say('caution.accepted', { ...values, by: nameHtml(row.accepted_by) })
    : say('caution.unvalued', values);
};

const entitiesOf = (page: PageOf): Html => {
  const { say } = page.phrases;
  const { entities } = page.facts;
  if (entities.length === 0) return html`<span class="none">${say('cover.none')}</span>`;
  const shown = entities.slice(0, ENTITIES_MAX).map(({ entity_id }) => entityOf(page, entity_id));
  const more = entities.length - shown.length;
  return html`${shown.map((entity, i) => html`${i > 0 ? ', ' : ''}${entity}`)}${more > 0 ? html`, ${say('cover.more', { n: more })}` : null}`;
};

/** The files of the export, and the sign convention of their figures. */
export const filesSection = ({ phrases }: PageOf, files: readonly ManifestFile[]): Html => {
  const { say, text: word, language } = phrases;
  const titleOf = (name: string): string =>
    name === REPORT_JSON
      ? word('files.json')
      : (reportTitles().get(name.replace(/\.csv$/, ''))?.titles[language] ?? '');
  return html`<section id="files" aria-labelledby="files-h">
<h2 id="files-h">${say('nav.files')}</h2>
${tableOf({
  caption: word('files.caption'),
  columns: [
    text(word('files.file')),
    text(word('files.contents')),
    count(word('records')),
    text(word('files.sha256')),
  ],
  rows: files.map(({ name, rows, sha256 }) => [
    fileLink(name),
    titleOf(name),
    name === REPORT_JSON ? '–' : phrases.count(rows),
    html`<code>${sha256.slice(0, 16)}</code>`,
  ]),
})}
<p><b>${say('files.signs')}</b> ${say('files.signs.text')}</p>
</section>`;
};

/** What the page does not prove. */
export const limitsSection = ({ facts, manifest, phrases }: PageOf): Html => {
  const { say } = phrases;
  const limits = [
    say('limits.gateway', { command: commandOf(manifest, 'confirm') }),
    say('limits.past'),
    say('limits.outside', { n: facts.entities.length }),
    say('limits.values', { currency: manifest.currency }),
    say('limits.changed'),
    say('limits.lists'),
  ];
  return html`<section id="limits" aria-labelledby="limits-h">
<h2 id="limits-h">${say('limits')}</h2>
<ul>
${limits.map((limit) => html`<li>${limit}</li>\n`)}</ul>
</section>`;
};

/** On a page that is rendered for a seal: the root of its entries. The seal itself does not exist at that time. */
export const sealSentence = ({ manifest, phrases }: PageOf, root: string | null): Html | null => {
  if (root === null) return null;
  const values = {
    root: html`<code>${root}</code>`,
    command: commandOf(manifest, 'verify ledger --root'),
  };
  return html`<section id="seals" aria-labelledby="seals-h"><h2 id="seals-h">${phrases.say('state.sealed')}</h2>
<p>${phrases.say('seals.sealing', values)}</p></section>`;
};
