// The breaks on the report page, one by one: reported, booked, date opened, owner and reason.

import { ageChart } from './charts.ts';
import type { BreakGroup } from './facts.ts';
import { accountQuery, commandOf, isPasted } from './query.ts';
import type { ReportRow } from './rows.ts';
import { count, figuresOf, text } from './table.ts';
import {
  attributed,
  counted,
  type Html,
  html,
  instant,
  moreOf,
  nameHtml,
  quantity,
  thousands,
} from './text.ts';
import type { PageOf } from './verdict.ts';

/** Open breaks, then waived ones with their waiver and its reason, then those resolved in the period. */
export const breaksSection = ({ manifest, facts }: PageOf): Html => {
  const { open, waived, resolved } = facts.breaks;
  const sealed = facts.seals.filter(({ break_id }) => break_id !== null);
  const list = (group: BreakGroup) =>
    html`${group.shown.map((row, i) => breakOf(row, { manifest, nth: i + 1 }))}${moreOf(group.total - group.shown.length, 'breaks.csv')}`;
  return html`<section id="breaks" aria-labelledby="breaks-h">
<h2 id="breaks-h">Breaks</h2>
${
  open.total === 0
    ? html`<p>No open breaks.</p>`
    : html`<p class="lead">${counted(open.total, 'open break')}, most severe first. Difference = reported − booked. Value, age and severity are as of the end of the period, or of the latest tie-out if the period has not ended. Full list: <a href="breaks.csv">breaks.csv</a>.</p>
${list(open)}`
}
${
  waived.total + sealed.length === 0
    ? null
    : html`<h3 id="waived">Waived for the period</h3>
${sealed.slice(0, SEALED_MAX).map((it) => sealedWaiver(it, manifest.currency))}${moreOf(sealed.length - SEALED_MAX, 'breaks.csv')}${list(waived)}`
}
${
  resolved.total === 0
    ? null
    : html`<h3 id="resolved">Resolved in the period</h3>
<ul class="short">${resolved.shown.map(resolvedOf)}</ul>${moreOf(resolved.total - resolved.shown.length, 'breaks.csv')}`
}
</section>`;
};

const SEALED_MAX = 60;

type BreakPlace = { readonly manifest: PageOf['manifest']; readonly nth: number };

const breakOf = (row: ReportRow, on: BreakPlace): Html => {
  const id = `${row.standing === 'waived' ? 'waived' : 'break'}-${on.nth}`;
  return html`<article class="break ${row.standing}" id="${id}" aria-labelledby="${id}-h">
<header>${headingOf(row, id)}<p class="tags">${tagsOf(row)}</p></header>
${row.difference === null ? null : html`<dl class="figures">${figuresOfBreak(row)}</dl>`}
<dl class="facts">${factsOf(row, on.manifest.currency).map(([name, value]) => (value === null ? null : html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`))}</dl>
<p class="reason">${row.reason}</p>
${row.explanation === null ? null : html`<p class="reason"><b>Explained</b> ${attributed(row.explained_by, row.explanation)}</p>`}
${row.standing === 'waived' ? waiverOf(row) : null}
${sourcesOf(row, on.manifest)}
</article>\n`;
};

/** Open breaks follow the heading of the section, waived ones have a heading of their own. */
const headingOf = (row: ReportRow, id: string): Html =>
  row.standing === 'waived'
    ? html`<h4 id="${id}-h">${placeOf(row)}</h4>`
    : html`<h3 id="${id}-h">${placeOf(row)}</h3>`;

const placeOf = ({ entity_id, account, currency, subject, check_name }: ReportRow): Html =>
  html`<span class="what">${account === null ? html`${check_name}: ${nameHtml(subject)}` : nameHtml(account)}</span>${
    currency === null ? null : html` <span class="code">${currency}</span>`
  } <span class="whose">${nameHtml(entity_id)}</span>`;

const GRAVITY: Readonly<Record<string, string>> = { high: '▲▲▲', medium: '▲▲', low: '▲' };

const tagsOf = ({ status, standing, severity, is_overdue }: ReportRow): readonly (Html | null)[] => [
  html`<span class="tag ${status}">${status}</span> `,
  severity === null
    ? null
    : html`<span class="tag"><span aria-hidden="true">${GRAVITY[severity ?? ''] ?? '△'}</span> ${severity}</span> `,
  is_overdue === null || standing === 'waived'
    ? null
    : html`<span class="tag late"><span aria-hidden="true">!</span> overdue</span>`,
];

const figuresOfBreak = ({ reported, booked, difference }: ReportRow): readonly Html[] =>
  (
    [
      ['reported', reported],
      ['booked', booked],
      ['difference', difference],
    ] as const
  ).map(
    ([name, figure]) =>
      html`<div class="${name}"><dt>${name}</dt><dd>${figure === null || figure === undefined ? html`<span class="none">not an amount</span>` : quantity(figure)}</dd></div>\n`,
  );

const factsOf = (row: ReportRow, currency: string): readonly (readonly [string, Html | null])[] => [
  ['since', instant(row.since)],
  ['age', row.age_days === null ? null : html`${counted(Number.parseInt(row.age_days ?? '0', 10), 'day')}`],
  [
    'value',
    row.worth === null ? html`<span class="none">no price</span>` : html`${quantity(row.worth)} ${currency}`,
  ],
  ['due', row.due_at === null ? null : instant(row.due_at)],
  ['owner', row.assigned_to === null ? html`<span class="none">nobody</span>` : nameHtml(row.assigned_to)],
];

const waiverOf = (row: ReportRow): Html =>
  html`<p class="waiver"><b>Waived</b>${row.waived_for === null ? null : html` for ${row.waived_for}`}${row.waived_at === null ? null : html`, ${instant(row.waived_at)}`}, by ${attributed(row.waived_by ?? 'a name that is not stored', row.waived_because)}</p>`;

const sealedWaiver = (row: ReportRow, currency: string): Html => html`<article class="break waived">
<header><h4>${placeOf(row)}</h4><p class="tags"><span class="tag waived">waived</span></p></header>
<dl class="figures">${figuresOfBreak({ difference: row.difference ?? null, reported: null, booked: null }).slice(2)}</dl>
<p class="reason">${row.worth === null ? 'no price' : html`value ${quantity(row.worth)} ${currency}`}, as sealed with the month</p>
${waiverOf({ ...row, waived_for: null })}
</article>\n`;

const resolvedOf = (row: ReportRow): Html =>
  html`<li>${placeOf(row)} ${row.difference === null ? null : quantity(row.difference)} – ${
    row.is_seen_to_tie === null
      ? html`<b class="late">resolved by ${nameHtml(row.resolved_by)}, not confirmed by a tie-out</b>`
      : html`confirmed by a tie-out`
  }, ${instant(row.resolved_at)}</li>\n`;

/** How to find the records: the page of the break, and exactly the postings that make the booked figure. */
const sourcesOf = (
  { break_id, entity_id, account, currency }: ReportRow,
  manifest: PageOf['manifest'],
): Html => {
  const place = { entity: entity_id ?? '', account: account ?? '', currency: currency ?? '' };
  const query = accountQuery(manifest, place);
  return html`<div class="sources">${isPasted(break_id ?? '') ? commandOf(manifest, `breaks show ${break_id}`) : null}${
    query === null
      ? null
      : html`<details><summary>Records behind the booked balance</summary>${query}</details>`
  }</div>`;
};

const BANDS = [
  ['0 to 1 day', 1],
  ['2 to 7 days', 7],
  ['8 to 30 days', 30],
  ['31 to 90 days', 90],
  ['over 90 days', Number.MAX_SAFE_INTEGER],
] as const;

/** The ages of the open breaks. */
export const agesSection = ({ facts }: PageOf): Html | null => {
  if (facts.breaks.open.total === 0) return null;
  const ages = [...facts.breaks.ages].map(
    ([age, many]) => [age === null ? 0 : Number.parseInt(age, 10), many] as const,
  );
  const bands = BANDS.map(([name, until], i) => {
    const after = BANDS[i - 1]?.[1] ?? -1;
    const within = ages.filter(([age]) => age > after && age <= until);
    return { name, many: within.reduce((total, [, many]) => total + many, 0) };
  });
  const chart = {
    id: 'ages-c',
    title: 'Open breaks by age',
    desc: `At the end of the period, or at the latest tie-out before it: ${bands.map(({ name, many }) => `${name}: ${many}`).join('; ')}.`,
  };
  return html`<section id="ages" aria-labelledby="ages-h">
<h2 id="ages-h">Age of open breaks</h2>
<p class="lead">Age counts from the time a break began (or began again after a tie) to the end of the period, or to the latest tie-out if the period has not ended. Each break: <a href="#breaks">above</a>, or column age_days of <a href="breaks.csv">breaks.csv</a>.</p>
<figure class="wide">${ageChart(chart, bands)}</figure>
${figuresOf('The same figures as a table', {
  caption: 'Open breaks by age',
  columns: [text('age'), count('breaks')],
  rows: bands.map(({ name, many }) => [name, thousands(many)]),
})}
</section>`;
};
