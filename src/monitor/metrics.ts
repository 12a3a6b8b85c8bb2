// Metrics in the format of Prometheus, read from the books at each call. A figure of a metric is a float, as Prometheus
// stores it: no amount of the books comes from here.
import { Counter, Gauge, Registry } from 'prom-client';
import { msOf } from '../base/time.ts';
import type { Books } from '../database/connection.ts';
import { loadSql, readRows } from '../database/database.ts';
import { markOf } from '../database/schema.ts';
import { listedCleanNights } from './clean-nights.ts';

/** One metric per column of figures; the other columns of the row are its labels. */
type Figure = { readonly name: string; readonly help: string };
type Row = Readonly<Record<string, string | number | null>>;
type Subject = {
  readonly rows: (db: Books) => Promise<readonly Row[]>;
  readonly labels: readonly string[];
  readonly figures: Readonly<Record<string, Figure>>;
};

const fileOf =
  (name: string): Subject['rows'] =>
  (db) =>
    readRows<Row>(db, loadSql(`status/${name}.sql`));

/** 0 for an entity that never had one, or one of a time that has not come, as in metric_nights.sql. */
const cleanNightRows: Subject['rows'] = async (db) =>
  (await listedCleanNights(db)).map(({ entity_id: entity, began_at: instant, age_seconds: age }) => ({
    entity,
    began_at: instant === null || (age ?? -1) < 0 ? 0 : msOf(instant) / 1_000,
  }));

/** Books without an entity have never had a night: without a figure no alert on its age would fire. */
const orNever =
  (rowsOf: Subject['rows']): Subject['rows'] =>
  async (db) => {
    const rows = await rowsOf(db);
    return rows.length > 0 ? rows : [{ entity: '', began_at: 0 }];
  };

const SUBJECTS: readonly Subject[] = [
  {
    rows: fileOf('metric_runs'),
    labels: ['job', 'exit_code'],
    figures: {
      runs: { name: 'tieout_runs_total', help: 'Runs that have ended' },
      requests: {
        name: 'tieout_requests_total',
        help: 'Requests to the gateway that these runs sent, each try counted',
      },
      pages: { name: 'tieout_pages_total', help: 'Pages of lists that these runs read' },
      started_at: { name: 'tieout_run_started_timestamp_seconds', help: 'When the last of these runs began' },
      finished_at: {
        name: 'tieout_run_finished_timestamp_seconds',
        help: 'When the last of these runs ended',
      },
      seconds: { name: 'tieout_run_duration_seconds', help: 'How long the last of these runs took' },
    },
  },
  {
    rows: fileOf('metric_records'),
    labels: ['table_name'],
    figures: { rows: { name: 'tieout_rows', help: "Rows of the big tables, by the server's estimate" } },
  },
  {
    rows: fileOf('metric_requests'),
    labels: [],
    figures: {
      last_minute: {
        name: 'tieout_requests_last_minute',
        help: 'Requests sent in the last 60 seconds whose answers are stored',
      },
    },
  },
  {
    rows: orNever(fileOf('metric_nights')),
    labels: ['entity'],
    figures: {
      began_at: {
        name: 'tieout_finished_night_timestamp_seconds',
        help: "When the entity's last finished night began; 0 if it never had one",
      },
    },
  },
  {
    rows: orNever(cleanNightRows),
    labels: ['entity'],
    figures: {
      began_at: {
        name: 'tieout_clean_night_timestamp_seconds',
        help: "When the entity's last clean night began; 0 if it never had one",
      },
    },
  },
  {
    rows: fileOf('metric_breaks'),
    labels: ['severity', 'currency'],
    figures: {
      breaks: { name: 'tieout_open_breaks', help: 'Open breaks' },
      value: { name: 'tieout_open_breaks_value', help: 'Sum of the values of open breaks, in the currency' },
    },
  },
  {
    rows: fileOf('metric_open'),
    labels: ['entity'],
    figures: {
      gaps: { name: 'tieout_coverage_gaps', help: 'Gaps: intervals of lists that are not proved complete' },
      rejects: { name: 'tieout_rejects', help: 'Rejects that nobody has decided' },
    },
  },
];

const add = (registry: Registry, { labels, figures }: Subject, rows: readonly Row[]): void => {
  for (const [column, { name, help }] of Object.entries(figures)) {
    const options = { name, help, labelNames: [...labels], registers: [registry] };
    const counter = name.endsWith('_total') ? new Counter(options) : null;
    const gauge = counter === null ? new Gauge(options) : null;
    for (const row of rows) {
      if (row[column] === null || row[column] === undefined) continue;
      const place = Object.fromEntries(labels.map((label) => [label, row[label] ?? '']));
      counter?.inc(place, Number(row[column]));
      gauge?.set(place, Number(row[column]));
    }
  }
};

export type MetricsOptions = {
  /** The request budget, GATEWAY_RPM, where it is known. */
  readonly requestsPerMinute?: number | undefined;
};

/** Every metric of the books, in the text format of Prometheus. Their id is a label: one collector may read several books. */
export const readMetrics = async (db: Books, { requestsPerMinute }: MetricsOptions = {}): Promise<string> => {
  const registry = new Registry();
  registry.setDefaultLabels({ books: (await markOf(db))?.booksId ?? '' });
  for (const subject of SUBJECTS) add(registry, subject, await subject.rows(db));
  if (requestsPerMinute !== undefined)
    new Gauge({
      name: 'tieout_request_budget',
      help: 'Requests allowed in any 60 seconds (GATEWAY_RPM)',
      registers: [registry],
    }).set(requestsPerMinute);
  return registry.metrics();
};
