// Coverage on the report page: a calendar with one row for each stream of each set of books, so that a gap stands out.
import { order } from '../../base/time.ts';
import { calendarRow, type DayState } from './charts.ts';
import type { ReportRow } from './rows.ts';
import { exact, tableOf, text } from './table.ts';
import { counted, dayName, type Html, html, moreOf, nameHtml } from './text.ts';
import type { PageOf } from './verdict.ts';

/** One stream: its entity, its name, the parts of the period that are not proved, and how far it was read. */
type CoverageList = {
  readonly entity: string;
  readonly name: string | null;
  readonly missing: readonly ReportRow[];
  readonly readTo: string | null;
};

const LISTS_MAX = 40;
const STRETCHES_MAX = 200;

const STEPS = { '1 day': 'a day', '7 days': 'a week', '1 month': 'a month' } as const;

export const coverageSection = ({ facts, manifest }: PageOf): Html => {
  const lists = listsOf(facts.coverage);
  const shown = lists.length > LISTS_MAX ? [...lists].sort(byRank).slice(0, LISTS_MAX) : lists;
  const sealed = new Set(facts.seals.map(({ entity_id }) => entity_id));
  return html`<section id="coverage" aria-labelledby="coverage-h">
<h2 id="coverage-h">Coverage</h2>
<p class="lead">Each square is ${STEPS[facts.calendarStep]}, starting at midnight in ${manifest.timezone}. A square is marked if any instant in it is not proved. All intervals of all time: <a href="coverage.csv">coverage.csv</a>.</p>
${sealed.size === 0 ? null : html`<p>${counted(sealed.size, 'closed entity', 'closed entities')}: the whole month is proved complete, as <a href="#seals">sealing</a> requires.</p>`}
${
  lists.length === 0
    ? null
    : html`<ul class="legend"><li class="proved">proved complete</li><li class="gap">gap</li><li class="not-read">not read</li></ul>
<div class="calendar">${axisOf(facts.calendar)}${groupsOf(shown, facts.calendar)}</div>`
}
${lists.length <= LISTS_MAX ? null : html`<p class="more">and ${counted(lists.length - LISTS_MAX, 'more stream')} in <a href="coverage.csv">coverage.csv</a>; streams with a gap come first</p>`}
${stretches(lists)}
</section>`;
};

const listsOf = (rows: readonly ReportRow[]): CoverageList[] => {
  const lists = new Map<string, CoverageList & { missing: ReportRow[] }>();
  for (const row of rows) {
    const key = JSON.stringify([row.entity_id, row.stream, row.scope]);
    const name = row.scope ? `${row.stream} of ${row.scope}` : (row.stream ?? null);
    const readTo = row.read_to ?? null;
    const list = lists.get(key) ?? { entity: row.entity_id ?? '', name, missing: [], readTo };
    if (row.what !== null) list.missing.push(row);
    lists.set(key, list);
  }
  return [...lists.values()];
};

const rankOf = ({ name, missing }: CoverageList): number => {
  if (missing.some(({ what }) => what === 'gap')) return 0;
  return name === null || missing.length > 0 ? 1 : 2;
};

const byRank = (a: CoverageList, b: CoverageList): number => rankOf(a) - rankOf(b);

const axisOf = (days: readonly ReportRow[]): Html => {
  const marks = [days[0], days[Math.floor(days.length / 2)], days.at(-1)];
  return html`<div class="row axis-row" aria-hidden="true"><span></span><div>${marks.map((mark) => html`<span>${dayName(mark?.day ?? '')}</span>`)}</div></div>\n`;
};

/** The rows of one set of books under its name, so that the id appears once. */
const groupsOf = (lists: readonly CoverageList[], days: readonly ReportRow[]): Html => {
  const entities = [...new Set(lists.map(({ entity }) => entity))];
  const numbered = lists.map((list, nth) => ({ list, nth }));
  return html`${entities.map(
    (entity) => html`<h3>${nameHtml(entity)}</h3>
${numbered.filter(({ list }) => list.entity === entity).map(({ list, nth }) => rowOf(list, days, nth))}`,
  )}`;
};

const rowOf = (list: CoverageList, days: readonly ReportRow[], nth: number): Html => {
  const states =
    list.name === null ? days.map(() => 'not-read' as const) : days.map((day) => stateOf(day, list));
  const summary = summaryOf(list);
  const chart = { id: `cal-${nth}`, title: `${list.name ?? 'nothing'} of ${list.entity}`, desc: summary };
  const [name, scope] = (list.name ?? 'not read').split(' of ');
  const scopeHtml = scope === undefined ? null : html` <span class="whose">${nameHtml(scope)}</span>`;
  return html`<div class="row"><p><b>${nameHtml(name)}</b> <span class="mark ${STATE_OF[rankOf(list)]}">${summary}</span>${scopeHtml}</p>${calendarRow(chart, states)}</div>\n`;
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

const summaryOf = ({ name, missing, readTo }: CoverageList): string => {
  const gaps = missing.filter(({ what }) => what === 'gap').length;
  if (name === null) return 'no stream';
  if (missing.length === 0) return 'complete';
  const phrases = gaps > 0 ? [counted(gaps, 'gap')] : [];
  if (missing.length > gaps && readTo)
    phrases.push(`to ${dayName(readTo.slice(0, 10))}, ${readTo.slice(11, 16)}`);
  return phrases.join(', ');
};

const stretches = (lists: readonly CoverageList[]): Html | null => {
  const rowsOfKind = (which: string) =>
    lists.flatMap(({ entity, name, missing }) =>
      missing
        .filter(({ what }) => what === which)
        .map((stretch) => [
          nameHtml(entity),
          nameHtml(name),
          stretch.what ?? '',
          stretch.missing_from ?? '',
          stretch.missing_to ?? '',
        ]),
    );
  const rows = [...rowsOfKind('gap'), ...rowsOfKind('not read')];
  if (rows.length === 0) return null;
  const table = tableOf({
    caption: 'Intervals of the period that are not proved (from inclusive, to exclusive, UTC)',
    columns: [text('entity'), text('stream'), ...['state', 'from', 'to'].map(exact)],
    rows: rows.slice(0, STRETCHES_MAX),
  });
  return html`${table}${moreOf(rows.length - STRETCHES_MAX, 'coverage.csv')}`;
};
