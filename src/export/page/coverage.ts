// Coverage on the report page: a calendar with one row for each stream of each set of books, so that a gap stands out.
import { order } from '../../base/time.ts';
import { calendarRow, type DayState } from './charts.ts';
import type { Phrases } from './phrases.ts';
import type { ReportRow } from './rows.ts';
import { entityOf, moreIn, type PageOf } from './section.ts';
import { exact, tableOf, text } from './table.ts';
import { fileLink, type Html, html, shortHtml } from './text.ts';

/** One stream: its entity, its name, the parts of the period that are not proved, and how far it was read. */
type CoverageList = {
  readonly entity: string;
  /** Null for an entity without any stream. */
  readonly stream: string | null;
  /** The wallet of an Earn stream; '' otherwise. */
  readonly scope: string;
  readonly missing: readonly ReportRow[];
  readonly readTo: string | null;
};

const LISTS_MAX = 40;
const STRETCHES_MAX = 200;

export const coverageSection = (page: PageOf): Html => {
  const { facts, manifest, phrases } = page;
  const { say } = phrases;
  const lists = listsOf(facts.coverage);
  const shown = lists.length > LISTS_MAX ? [...lists].sort(byRank).slice(0, LISTS_MAX) : lists;
  const sealed = new Set(facts.seals.map(({ entity_id }) => entity_id));
  const lead = {
    step: say(`coverage.${facts.calendarStep}`),
    timezone: manifest.timezone,
    file: fileLink('coverage.csv'),
  };
  const link = html`<a href="#seals">${say('details.link')}</a>`;
  return html`<section id="coverage" aria-labelledby="coverage-h">
<h2 id="coverage-h">${say('coverage')}</h2>
<p class="lead">${say('coverage.lead', lead)}</p>
${sealed.size === 0 ? null : html`<p>${say('coverage.closed', { n: sealed.size, link })}</p>`}
${
  lists.length === 0
    ? null
    : html`<ul class="legend"><li class="proved">${say('coverage.proved')}</li><li class="gap">${say('coverage.gap')}</li><li class="not-read">${say('coverage.not read')}</li></ul>
<div class="calendar">${axisOf(facts.calendar, phrases)}${groupsOf(page, shown)}</div>`
}
${moreIn(phrases, lists.length - LISTS_MAX, 'coverage.csv', 'coverage.more')}
${stretches(page, lists)}
</section>`;
};

const listsOf = (rows: readonly ReportRow[]): CoverageList[] => {
  const lists = new Map<string, CoverageList & { missing: ReportRow[] }>();
  for (const row of rows) {
    const key = JSON.stringify([row.entity_id, row.stream, row.scope]);
    const list = lists.get(key) ?? {
      entity: row.entity_id ?? '',
      stream: row.stream ?? null,
      scope: row.scope ?? '',
      missing: [],
      readTo: row.read_to ?? null,
    };
    if (row.what !== null) list.missing.push(row);
    lists.set(key, list);
  }
  return [...lists.values()];
};

const rankOf = ({ stream, missing }: CoverageList): number => {
  if (missing.some(({ what }) => what === 'gap')) return 0;
  return stream === null || missing.length > 0 ? 1 : 2;
};

const byRank = (a: CoverageList, b: CoverageList): number => rankOf(a) - rankOf(b);

const axisOf = (days: readonly ReportRow[], phrases: Phrases): Html => {
  const marks = [days[0], days[Math.floor(days.length / 2)], days.at(-1)];
  return html`<div class="row axis-row" aria-hidden="true"><span></span><div>${marks.map((mark) => html`<span>${phrases.day(mark?.day ?? '')}</span>`)}</div></div>\n`;
};

/** The rows of one set of books under its name, so that the name appears once. */
const groupsOf = (page: PageOf, lists: readonly CoverageList[]): Html => {
  const entities = [...new Set(lists.map(({ entity }) => entity))];
  const numbered = lists.map((list, nth) => ({ list, nth }));
  return html`${entities.map(
    (entity) => html`<h3>${entityOf(page, entity)}</h3>
${numbered.filter(({ list }) => list.entity === entity).map(({ list, nth }) => rowOf(page, list, nth))}`,
  )}`;
};

const streamOf = ({ word, text }: Phrases, { stream }: CoverageList): string =>
  stream === null ? text('coverage.not read') : word('stream', stream);

const rowOf = ({ facts, phrases, names }: PageOf, list: CoverageList, nth: number): Html => {
  const days = facts.calendar;
  const states =
    list.stream === null ? days.map(() => 'not-read' as const) : days.map((day) => stateOf(day, list));
  const summary = summaryOf(phrases, list);
  const stream = streamOf(phrases, list);
  const title = [stream, list.scope, names.get(list.entity) ?? list.entity].filter((part) => part !== '');
  const chart = { id: `cal-${nth}`, title: title.join(', '), desc: summary };
  const scope = list.scope === '' ? null : html` <span class="whose">${shortHtml(list.scope)}</span>`;
  return html`<div class="row"><p><b>${stream}</b> <span class="mark ${STATE_OF[rankOf(list)]}">${summary}</span>${scope}</p>${calendarRow(chart, states)}</div>\n`;
};

const STATE_OF = ['gap', 'not-read', 'proved'] as const;

const stateOf = (day: ReportRow, { missing }: CoverageList): DayState => {
  const touching = missing.filter(
    (it) => isBefore(it.missing_from, day.ends_at) && isBefore(day.starts_at, it.missing_to),
  );
  if (touching.some(({ what }) => what === 'gap')) return 'gap';
  return touching.length > 0 ? 'not-read' : 'proved';
};

type Instant = string | null | undefined;

const isBefore = (a: Instant, b: Instant): boolean => order(a ?? '', b ?? '') < 0;

const summaryOf = ({ text, day }: Phrases, { stream, missing, readTo }: CoverageList): string => {
  const gaps = missing.filter(({ what }) => what === 'gap').length;
  if (stream === null) return text('coverage.none');
  if (missing.length === 0) return text('coverage.complete');
  const parts = gaps > 0 ? [text('verdict.gaps', { n: gaps })] : [];
  if (missing.length > gaps && readTo)
    parts.push(text('coverage.to', { day: day(readTo.slice(0, 10)), time: readTo.slice(11, 16) }));
  return parts.join(', ');
};

const stretches = (page: PageOf, lists: readonly CoverageList[]): Html | null => {
  const { phrases } = page;
  const { text: word, heading } = phrases;
  const rowsOfKind = (which: string) =>
    lists.flatMap((list) =>
      list.missing
        .filter(({ what }) => what === which)
        .map((stretch) => [
          entityOf(page, list.entity),
          html`${streamOf(phrases, list)} ${list.scope === '' ? null : shortHtml(list.scope)}`,
          word(`coverage.${which}`),
          stretch.missing_from ?? '',
          stretch.missing_to ?? '',
        ]),
    );
  const rows = [...rowsOfKind('gap'), ...rowsOfKind('not read')];
  if (rows.length === 0) return null;
  const table = tableOf({
    caption: word('coverage.caption'),
    columns: [
      text(heading('entity_id')),
      text(word('coverage.stream')),
      ...['state', 'from', 'until'].map((name) => exact(word(`coverage.${name}`))),
    ],
    rows: rows.slice(0, STRETCHES_MAX),
  });
  return html`${table}${moreIn(phrases, rows.length - STRETCHES_MAX, 'coverage.csv')}`;
};
