// The screen of status: the verdict, each entity's last clean nightly, the top breaks, and a line for everything else
// that needs a person.
import type { BreakRow } from '../actions/breaks.ts';
import { counted } from '../base/counted.ts';
import { groupBy } from '../base/group.ts';
import { DAY_MS, HOUR_MS, msOf } from '../base/time.ts';
import type { Status } from '../run/status.ts';
import type { Unfinished } from '../valuation/valuation.ts';
import { breaksTable } from './break-table.ts';
import { nextText, table } from './print.ts';
import { fitLine, oneLine, shortIds } from './table-layout.ts';
import { paint, type Tone, tableWidth } from './terminal.ts';

export type BooksStatus = Status & {
  readonly unfinished: readonly Unfinished[];
  /** Breaks that are neither waived nor resolved, most severe first. */
  readonly breakRows: readonly BreakRow[];
};

type Verdict = { readonly tone: Tone; readonly text: string };

/** What affects a nightly's exit code, with its count. */
const openItems = ({ breakRows, rejects, gaps, findings, unfinished }: BooksStatus): string[] => {
  const undecided = rejects.filter(({ decision }) => decision === null).length;
  const found = findings.filter(({ severity }) => severity === 'finding').length;
  const items: [number, string][] = [
    [breakRows.length, counted(breakRows.length, 'open break')],
    [undecided, counted(undecided, 'reject')],
    [gaps.length, counted(gaps.length, 'gap')],
    [found, counted(found, 'finding')],
    [
      unfinished.length,
      counted(unfinished.length, 'entity with unfinished work', 'entities with unfinished work'),
    ],
  ];
  return items.flatMap(([count, text]) => (count > 0 ? [text] : []));
};

const hasFailed = ({ exit_code: exitCode }: Status['runs'][number]): boolean =>
  typeof exitCode === 'number' && exitCode > 1;

/** Jobs that also run unattended: whatever ends one of them early is a failure. */
const STAGES: readonly string[] = ['nightly', 'extract', 'normalize', 'reconcile', 'export', 'rebuild'];

/** What a person typed or a file of theirs was refused, which changed nothing: that person has read why. */
const isRefusal = ({ job, exit_code: exitCode }: Status['runs'][number]): boolean =>
  exitCode === 64 && !STAGES.includes(String(job));

/** What is wrong with the last run that read the gateway, if an offline one has run since: that one's end does not make it good. */
const readingFailure = ({ last_reading: [reading] }: BooksStatus): string | null => {
  if (reading === undefined || reading.is_last) return null;
  const run = `the last run that read the gateway (${reading.job})`;
  if (reading.exit_code === null) return `Not ended: ${run}, which was killed`;
  return hasFailed(reading) ? `Failed: ${run}: ${reasonIn(reading)}` : null;
};

/** A summary without the word by which SQL tells a run that failed. */
const reasonIn = ({ summary }: Status['runs'][number]): string =>
  oneLine(String(summary)).replace(/^failed: /, '');

/** The first line of the screen, and how good it is. */
export const verdictOf = (status: BooksStatus): Verdict => {
  const [last] = status.runs;
  if (last === undefined) return { tone: 'warning', text: 'Nothing has run yet: npx tieout nightly' };
  if (hasFailed(last) && !isRefusal(last))
    return { tone: 'bad', text: `Failed: the last run (${last.job}): ${reasonIn(last)}` };
  const failure = readingFailure(status);
  if (failure !== null) return { tone: 'bad', text: failure };
  const items = openItems(status).join(', ');
  if (items === '' && last.exit_code === null)
    return { tone: 'warning', text: `Not ended: the last run (${last.job}), which is at work or was killed` };
  const uncompared = status.uncompared.length;
  if (items === '' && uncompared > 0)
    return {
      tone: 'warning',
      text: `Not compared yet: the books of ${counted(uncompared, 'entity', 'entities')}; run npx tieout nightly`,
    };
  if (items === '') return { tone: 'good', text: 'Clean: nothing needs attention' };
  return { tone: status.breakRows.length > 0 ? 'bad' : 'warning', text: `Needs attention: ${items}` };
};

const UNITS: readonly (readonly [string, number])[] = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', 60_000],
];

const ageText = ({ read_at: readAt }: BooksStatus, instant: string): string => {
  const age = msOf(readAt) - msOf(instant);
  const [name, size] = UNITS.find(([, ms]) => age >= ms) ?? ['minute', 60_000];
  return age < size ? 'just now' : `${counted(Math.floor(age / size), name)} ago`;
};

const ENTITIES_MAX = 5;
const BREAKS_MAX = 5;
const NOTES_MAX = 3;

const more = (total: number, shown: number, what: string): string[] =>
  total > shown ? [`  … and ${total - shown} more: ${what}`] : [];

/** Entities in order of their last clean nightly, oldest first; null comes before all. */
const nightLines = (status: BooksStatus): string[] => {
  const { clean_nights: nights, watermarks } = status;
  const provedTo = (entity: string): string => {
    const ends = watermarks.filter(({ entity_id }) => entity_id === entity).map(({ watermark }) => watermark);
    if (ends.includes(null)) return '';
    return (ends.map(String).sort()[0] ?? '').slice(0, 16).replace('T', ' ');
  };
  const rows = [...nights]
    .sort((one, other) => ((one.clean_at ?? '') < (other.clean_at ?? '') ? -1 : 1))
    .slice(0, ENTITIES_MAX)
    .map(({ entity_id: entity, clean_at: instant }) => [
      tableWidth() === null ? entity : shortIds(entity),
      instant === null
        ? { text: 'never', tone: 'warning' as const }
        : { text: ageText(status, instant), tone: null },
      provedTo(entity),
    ]);
  if (rows.length === 0) return [];
  return [
    table(['entity', 'last clean night', 'all streams proved to (UTC)'], rows),
    ...more(nights.length, rows.length, 'npx tieout status --all'),
    '',
  ];
};

const breakLines = ({ breakRows }: BooksStatus): string[] => {
  if (breakRows.length === 0) return [];
  const shown = breakRows.slice(0, BREAKS_MAX);
  return [breaksTable(shown), ...more(breakRows.length, shown.length, 'npx tieout breaks list'), ''];
};

/** Shortened to the terminal's width, if there is a terminal. A command is left whole, for the terminal to wrap. */
const fitted = (text: string): string => {
  const width = tableWidth();
  const short = width === null ? text : shortIds(text);
  return width === null || short.includes('npx tieout') ? short : fitLine(short, width);
};

type NoteRow = Status['findings'][number];

/** Equal findings of several entities share a line with their count. Without reopened months, which another line shows as they are now. */
const noteLines = (findings: readonly NoteRow[]): string[] => {
  const others = findings.filter(({ subject }) => subject !== 'reopened');
  const alike = groupBy(others, (row) => `${row.severity}: ${noteText(row)}`);
  const lines = [...alike].map(([line, rows]) => {
    const [row] = rows;
    return row && rows.length === 1
      ? `${row.severity}: ${row.entity_id}: ${noteText(row)}`
      : `${rows.length} × ${line}`;
  });
  const shown = lines.slice(0, NOTES_MAX).map(fitted);
  return [...shown, ...more(lines.length, shown.length, 'npx tieout status --all')];
};

/** What was found, after what it is about unless it names that. */
const noteText = ({ subject, detail }: NoteRow): string => {
  const [about, text] = [oneLine(String(subject)), oneLine(String(detail))];
  return text.includes(about) ? text : `${about}: ${text}`;
};

const skippedLine = (status: BooksStatus): string | false => {
  const { skipped } = status;
  const oldest = skipped[0]?.lists_read_at;
  return (
    oldest !== undefined &&
    `skipped as unchanged: ${counted(skipped.length, 'entity', 'entities')}, lists read ${ageText(status, String(oldest))} at the earliest`
  );
};

type Gap = BooksStatus['gaps'][number];

/** A list whose beginning is not proved has no start of its gap, and one of which nothing is proved no end either. */
const isUnproved = ({ gap_from, gap_to }: Gap): boolean => gap_from === null && gap_to === null;

const gapText = (gap: Gap): string =>
  isUnproved(gap)
    ? `nothing of ${gap.entity_id} ${gap.stream} is proved yet`
    : `${gap.entity_id} ${gap.stream} ${gap.gap_from ?? 'from its beginning'} to ${gap.gap_to}`;

/** The last closed month of each entity, and those that are reopened and not closed again, with their entity. */
const monthsOf = ({ periods }: Pick<BooksStatus, 'periods'>): { closed: string[]; reopened: string[] } => {
  const closed = periods.filter(({ status }) => status !== 'reopened');
  const isClosed = ({ entity_id, period }: Period): boolean =>
    closed.some((again) => again.entity_id === entity_id && String(again.period) >= String(period));
  const reopened = periods.filter((period) => !isClosed(period));
  return {
    closed: closed.map(({ entity_id, period }) => `${entity_id} to ${period}`),
    reopened: [...new Set(reopened.map(({ entity_id, period }) => `${entity_id} ${period}`))],
  };
};

type Period = BooksStatus['periods'][number];

const restLines = (status: BooksStatus): string[] => {
  const [last] = status.runs;
  const undecided = status.rejects.filter(({ decision }) => decision === null);
  const [reject] = undecided;
  const [gap] = status.gaps;
  const [left] = status.unfinished;
  const [unconfirmed] = status.unconfirmed;
  const { closed, reopened } = monthsOf(status);
  const lines: (string | false | undefined)[] = [
    last &&
      `last run: ${last.job}, ${ageText(status, String(last.started_at))}, exit ${last.exit_code ?? 'open'}`,
    left &&
      `unfinished: ${left.entity_id}, ${counted(left.undecided, 'record')} to book, own transfers ${left.is_unpaired ? 'not paired' : 'paired'}, values from ${left.values_from ?? 'none'}: npx tieout normalize`,
    gap && `${counted(status.gaps.length, 'gap')}: ${gapText(gap)}`,
    reject &&
      `rejects ${undecided.length}: ${reject.entity_id} ${reject.stream} ${reject.record_id} ${oneLine(String(reject.reason))}`,
    unconfirmed &&
      `resolved by a person, and no comparison has tied since: ${status.unconfirmed.length}, the first ${unconfirmed.break_id} by ${unconfirmed.resolved_by} (npx tieout reconcile)`,
    skippedLine(status),
    status.waiting.length > 0 && `waiting for approval: ${status.waiting.length} (npx tieout approve)`,
    status.unvalued.length > 0 &&
      `months with value findings: ${status.unvalued.length} (npx tieout query "select * from value_findings")`,
    closed.length > 0 && `closed: ${closed.join(', ')}`,
    reopened.length > 0 && `reopened, and not closed again: ${reopened.join(', ')}`,
    status.one_person !== undefined && 'one person may prepare and approve (npx tieout duties)',
  ];
  return lines.flatMap((line) => (line ? [fitted(line)] : []));
};

const nextSteps = (status: BooksStatus): string[] => {
  const { runs, breakRows, rejects } = status;
  if (runs[0] === undefined || hasFailed(runs[0]) || readingFailure(status) !== null)
    return ['npx tieout nightly'];
  return [
    ...(breakRows[0] ? [`npx tieout breaks show ${breakRows[0].break_id}`] : []),
    ...(rejects.some(({ decision }) => decision === null) ? ['npx tieout rejects list'] : []),
    'npx tieout status --all',
  ];
};

/** The state of the books for a person; its first line says whether something needs attention. */
export const statusText = (status: BooksStatus): string => {
  const { tone, text } = verdictOf(status);
  return [
    paint(tone, fitted(text)),
    '',
    ...nightLines(status),
    ...breakLines(status),
    ...restLines(status),
    ...noteLines(status.findings),
    '',
    nextText(nextSteps(status)),
  ].join('\n');
};
