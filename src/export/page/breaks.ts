// The breaks on the report page, one by one: reported, booked, date opened, owner and reason.

import { ageChart } from './charts.ts';
import type { BreakGroup } from './facts.ts';
import type { Phrases } from './phrases.ts';
import { accountQuery, commandOf, isPasted } from './query.ts';
import { reasonHtml, subjectHtml } from './reason.ts';
import type { ReportRow } from './rows.ts';
import { accountOf, entityOf, moreIn, type PageOf } from './section.ts';
import { count, figuresOf, text } from './table.ts';
import { attributed, fileLink, type Html, html, nameHtml } from './text.ts';

/** Open breaks, then accepted ones with who accepted them and why, then those resolved in the period. */
export const breaksSection = (page: PageOf): Html => {
  const { phrases, facts } = page;
  const { say } = phrases;
  const { open, waived, resolved } = facts.breaks;
  const sealed = facts.seals.filter(({ break_id }) => break_id !== null);
  const list = (group: BreakGroup) =>
    html`${group.shown.map((row, i) => breakOf(page, row, i + 1))}${moreIn(phrases, group.total - group.shown.length, 'breaks.csv')}`;
  return html`<section id="breaks" aria-labelledby="breaks-h">
<h2 id="breaks-h">${say('breaks')}</h2>
${
  open.total === 0
    ? html`<p>${say('breaks.none')}</p>`
    : html`<p class="lead">${say('breaks.lead', { n: open.total })} ${say('breaks.how', { file: fileLink('breaks.csv') })}</p>
${list(open)}`
}
${
  waived.total + sealed.length === 0
    ? null
    : html`<h3 id="waived">${say('breaks.waived')}</h3>
${sealed.slice(0, SEALED_MAX).map((row) => sealedWaiver(page, row))}${moreIn(phrases, sealed.length - SEALED_MAX, 'breaks.csv')}${list(waived)}`
}
${
  resolved.total === 0
    ? null
    : html`<h3 id="resolved">${say('breaks.resolved')}</h3>
<ul class="short">${resolved.shown.map((row) => resolvedOf(page, row))}</ul>${moreIn(phrases, resolved.total - resolved.shown.length, 'breaks.csv')}`
}
</section>`;
};

const SEALED_MAX = 60;

const breakOf = (page: PageOf, row: ReportRow, nth: number): Html => {
  const { phrases } = page;
  const id = `${row.standing === 'waived' ? 'waived' : 'break'}-${nth}`;
  return html`<article class="break ${row.standing}" id="${id}" aria-labelledby="${id}-h">
<header>${headingOf(page, row, id)}<p class="tags">${tagsOf(phrases, row)}</p></header>
${row.difference === null ? null : html`<dl class="figures">${figuresOfBreak(phrases, row)}</dl>`}
<dl class="facts">${factsOf(page, row).map(([name, value]) => (value === null ? null : html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`))}</dl>
${reasonHtml(page, row)}
${row.explanation === null ? null : html`<p class="reason"><b>${phrases.word('status', 'explained')}</b> ${attributed(row.explained_by, row.explanation)}</p>`}
${row.standing === 'waived' ? waiverOf(phrases, row) : null}
${sourcesOf(page, row)}
</article>\n`;
};

/** Open breaks follow the heading of the section, accepted ones have a heading of their own. */
const headingOf = (page: PageOf, row: ReportRow, id: string): Html =>
  row.standing === 'waived'
    ? html`<h4 id="${id}-h">${placeOf(page, row)}</h4>`
    : html`<h3 id="${id}-h">${placeOf(page, row)}</h3>`;

const placeOf = (page: PageOf, row: ReportRow): Html =>
  html`<span class="what">${row.account === null ? html`${checkOf(page.phrases, row)}: ${subjectHtml(page, row)}` : accountOf(page.phrases, row)}</span>${
    row.currency === null ? null : html` <span class="code">${row.currency}</span>`
  } <span class="whose">${entityOf(page, row.entity_id)}</span>`;

const checkOf = ({ word }: Phrases, { check_name: check }: ReportRow): Html =>
  html`<span title="${check}">${word('check', check)}</span>`;

const GRAVITY: Readonly<Record<string, string>> = { high: '▲▲▲', medium: '▲▲', low: '▲' };

const tagsOf = (
  { word, say }: Phrases,
  { status, standing, severity, is_overdue }: ReportRow,
): readonly (Html | null)[] => [
  html`<span class="tag ${status}">${word('status', status)}</span> `,
  severity === null
    ? null
    : html`<span class="tag"><span aria-hidden="true">${GRAVITY[severity ?? ''] ?? '△'}</span> ${word('severity', severity)}</span> `,
  is_overdue === null || standing === 'waived'
    ? null
    : html`<span class="tag late"><span aria-hidden="true">!</span> ${say('break.overdue')}</span>`,
];

const figuresOfBreak = (phrases: Phrases, row: ReportRow): readonly Html[] =>
  ['reported', 'booked', 'difference'].map((name) => figureOf(phrases, name, row[name]));

const figureOf = ({ heading, say, amount }: Phrases, name: string, figure: string | null | undefined): Html =>
  html`<div class="${name}"><dt>${heading(name)}</dt><dd>${figure ? amount(figure) : html`<span class="none">${say('break.no.amount')}</span>`}</dd></div>\n`;

const factsOf = (
  { phrases, manifest }: PageOf,
  row: ReportRow,
): readonly (readonly [Html | string, Html | null])[] => {
  const { say, heading, moment, amount, word } = phrases;
  const none = (what: Html | string) => html`<span class="none">${what}</span>`;
  const days = Number.parseInt(row.age_days ?? '0', 10);
  return [
    [heading('check_name'), row.account === null ? null : checkOf(phrases, row)],
    [heading('since'), moment(row.since)],
    [say('break.age'), row.age_days === null ? null : say('break.days', { n: days })],
    [
      say('break.value'),
      row.value ? html`${amount(row.value)} ${manifest.currency}` : none(word('severity', 'unpriced')),
    ],
    [heading('due_at'), row.due_at === null ? null : moment(row.due_at)],
    [
      heading('assigned_to'),
      row.assigned_to === null ? none(say('break.nobody')) : nameHtml(row.assigned_to),
    ],
  ];
};

const waiverOf = ({ say, word, moment }: Phrases, row: ReportRow): Html => {
  const accepted = html`<b>${word('status', 'waived')}</b>`;
  const who = row.waived_by ? nameHtml(row.waived_by) : say('waiver.unknown');
  const why = row.waived_because ? html`: ${nameHtml(row.waived_because)}` : null;
  return html`<p class="waiver">${row.waived_for ? say('waiver.for', { accepted, period: row.waived_for }) : accepted}${row.waived_at ? html`, ${moment(row.waived_at)}` : null}, ${say('waiver.by', { who: html`<b>${who}</b>` })}${why}</p>`;
};

const sealedWaiver = (page: PageOf, row: ReportRow): Html => {
  const { say, amount, word } = page.phrases;
  const value = html`${amount(row.value ?? '0')} ${page.manifest.currency}`;
  return html`<article class="break waived">
<header><h4>${placeOf(page, row)}</h4><p class="tags"><span class="tag waived">${word('status', 'waived')}</span></p></header>
<dl class="figures">${figureOf(page.phrases, 'difference', row.difference)}</dl>
<p class="reason">${row.value === null ? say('waiver.sealed.unpriced') : say('waiver.sealed', { value })}</p>
${waiverOf(page.phrases, { ...row, waived_for: null })}
</article>\n`;
};

const resolvedOf = (page: PageOf, row: ReportRow): Html => {
  const { say, amount, moment } = page.phrases;
  return html`<li>${placeOf(page, row)} ${row.difference ? amount(row.difference) : null} – ${
    row.is_seen_to_tie === null
      ? html`<b class="late">${say('resolved.unseen', { who: nameHtml(row.resolved_by) })}</b>`
      : say('resolved.seen')
  }, ${moment(row.resolved_at)}</li>\n`;
};

/** How to find the records: the page of the break, and exactly the postings that make the booked figure. */
const sourcesOf = (
  { manifest, phrases }: PageOf,
  { break_id, entity_id, account, currency }: ReportRow,
): Html => {
  const place = { entity: entity_id ?? '', account: account ?? '', currency: currency ?? '' };
  const query = accountQuery(manifest, place);
  return html`<div class="sources">${isPasted(break_id ?? '') ? commandOf(manifest, `breaks show ${break_id}`) : null}${
    query === null
      ? null
      : html`<details><summary>${phrases.say('break.records')}</summary>${query}</details>`
  }</div>`;
};

/** The greatest age in days of each band; the last one has no bound. */
const BANDS = [
  ['1', 1],
  ['7', 7],
  ['30', 30],
  ['90', 90],
  ['more', Number.MAX_SAFE_INTEGER],
] as const;

/** The ages of the open breaks. */
export const agesSection = ({ facts, phrases }: PageOf): Html | null => {
  const { say, text: word } = phrases;
  if (facts.breaks.open.total === 0) return null;
  const bands = bandsOf(facts.breaks.ages, phrases);
  const chart = {
    id: 'ages-c',
    title: word('ages.chart'),
    desc: word('ages.desc', { bands: bands.map(({ name, many }) => `${name}: ${many}`).join('; ') }),
  };
  const above = html`<a href="#breaks">${say('ages.above')}</a>`;
  return html`<section id="ages" aria-labelledby="ages-h">
<h2 id="ages-h">${say('ages')}</h2>
<p class="lead">${say('ages.lead', { above, file: fileLink('breaks.csv') })}</p>
<figure class="wide">${ageChart(chart, bands)}</figure>
${figuresOf(word('ages.table'), {
  caption: word('ages.chart'),
  columns: [text(word('break.age')), count(word('breaks'))],
  rows: bands.map(({ name, many }) => [name, phrases.count(many)]),
})}
</section>`;
};

const bandsOf = (
  agesOfBreaks: ReadonlyMap<string | null, number>,
  { text: word }: Phrases,
): { readonly name: string; readonly many: number }[] => {
  const ages = [...agesOfBreaks].map(
    ([age, many]) => [age === null ? 0 : Number.parseInt(age, 10), many] as const,
  );
  return BANDS.map(([band, until], i) => {
    const after = BANDS[i - 1]?.[1] ?? -1;
    const within = ages.filter(([age]) => age > after && age <= until);
    return { name: word(`age.${band}`), many: within.reduce((total, [, many]) => total + many, 0) };
  });
};
