// Metrics: their text, their file, and their port.
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { FailedError } from '../../src/base/errors.ts';
import { PLACE } from '../../src/base/path-beside.ts';
import { markOf } from '../../src/database/schema.ts';
import { readMetrics, serveMetrics, writeMetricsFile } from '../../src/monitor/monitor.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { newFolder } from '../room.ts';

const RUN = '00000000-0000-4000-8000-000000000001';
let books: TestDatabase;
let text: string;
let booksId: string;

beforeAll(async () => {
  books = await freshDatabase();
  await books.pool.query(
    `insert into run.entities (entity_id, name, currency, first_seen_at) values ('main', 'main', 'EUR', '2026-03-01'), ('s"b', 's', 'EUR', '2026-03-01')`,
  );
  await books.pool.query(
    `insert into run.runs (run_id, job, started_at, finished_at, exit_code, requests, pages)
     values ('${RUN}', 'nightly', '2026-03-01T00:00:00Z', '2026-03-01T00:01:30Z', 1, 31, 9),
       (gen_random_uuid(), 'export', '2026-03-01T01:00:00Z', '2026-03-01T00:59:00Z', 0, 0, 0)`,
  );
  await books.pool.query(
    `insert into run.nights (entity_id, run_id, began_at, lists_run_id, reason) values ('s"b', '${RUN}', '2026-03-01T00:00:10Z', '${RUN}', 'full')`,
  );
  await books.pool.query(
    `insert into reconcile.breaks (break_id, entity_id, check_name, subject, account, currency, difference, status, reason, opened_at, since, run_id)
     values ('b1', 'main', 'trading_tie_out', 's', 'assets:trading', 'EUR', -250.5, 'open', 'r', now(), now(), '${RUN}')`,
  );
  await books.pool.query(
    `insert into land.coverage (entity_id, stream, scope, covered) values ('main', 'movements', '', '{(,2026-01-02),[2026-01-03,2026-01-04)}')`,
  );
  booksId = (await markOf(books.db))?.booksId ?? '';
  text = await readMetrics(books.db, { requestsPerMinute: 600 });
});
afterAll(() => books?.close());

/** A comment, or a name with labels and a figure. */
const LINE = /^(# (HELP|TYPE) tieout_\w+ .+|tieout_\w+(\{(\w+="([^"\\]|\\.)*",?)+\})? -?[\d.]+(e[+-]?\d+)?)$/;

test('the format of Prometheus, each metric explained', () => {
  const lines = text.split('\n').filter(Boolean);
  expect(lines.filter((line) => !LINE.test(line))).toEqual([]);
  const metrics = (kind: string) =>
    lines.flatMap((line) => (line.startsWith(kind) ? [line.split(' ')[2]] : []));
  expect(metrics('# HELP')).toEqual(metrics('# TYPE'));
  const manual = readFileSync(join(import.meta.dirname, '../../jobs/OPERATIONS.md'), 'utf8');
  expect(metrics('# HELP').filter((name) => !manual.includes(`\`${name}\``))).toEqual([]);
});

test.each([
  'tieout_runs_total{job="nightly",exit_code="1"} 1',
  'tieout_requests_total{job="nightly",exit_code="1"} 31',
  'tieout_run_finished_timestamp_seconds{job="nightly",exit_code="1"} 1772323290',
  'tieout_run_duration_seconds{job="nightly",exit_code="1"} 90',
  'tieout_finished_night_timestamp_seconds{entity="s\\"b"} 1772323210',
  'tieout_finished_night_timestamp_seconds{entity="main"} 0',
  'tieout_clean_night_timestamp_seconds{entity="main"} 0',
  'tieout_coverage_gaps{entity="main"} 1',
  'tieout_rejects{entity="main"} 0',
  'tieout_requests_last_minute 0',
  'tieout_request_budget 600',
])('%s', (line) => {
  expect(withoutBooks(text).split('\n')).toContain(line);
});

test('no duration of a run that the clock lets end before it began', () => {
  const ofExport = withoutBooks(text)
    .split('\n')
    .flatMap((line) => (line.includes('job="export"') ? [line.split('{')[0]] : []));
  expect(ofExport).toContain('tieout_run_finished_timestamp_seconds');
  expect(ofExport).not.toContain('tieout_run_duration_seconds');
});

/** The text of one set of books, after each line of it has proved to name them. */
const withoutBooks = (whole: string): string => {
  const figures = whole.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(booksId).toMatch(/^[0-9a-f-]{36}$/);
  expect(figures.filter((line) => !line.includes(`books="${booksId}"`))).toEqual([]);
  return whole.replaceAll(`{books="${booksId}"}`, '').replaceAll(`,books="${booksId}"`, '');
};

test('books without an entity have had no night, which an alert on its age sees', async () => {
  const empty = await freshDatabase();
  const lines = withoutBooks(await readMetrics(empty.db)).split('\n');
  await empty.close();
  for (const night of ['finished', 'clean'])
    expect(lines).toContain(`tieout_${night}_night_timestamp_seconds{entity=""} 0`);
});

test('breaks by severity, with the sum of their values without sign', () => {
  expect(withoutBooks(text)).toMatch(/^tieout_open_breaks\{severity="\w+",currency="EUR"\} 1$/m);
  expect(withoutBooks(text)).toMatch(/^tieout_open_breaks_value\{severity="\w+",currency="EUR"\} 250\.5$/m);
});

test('the alert for breaks of the manual fires for each severity that is graver than medium, also for one without a price', async () => {
  const manual = readFileSync(join(import.meta.dirname, '../../jobs/OPERATIONS.md'), 'utf8');
  const [, passedOver = '.*'] = /tieout_open_breaks\{severity!~"([\w|]+)"\} > 0/.exec(manual) ?? [];
  const { rows } = await books.pool.query('select severity from reconcile.severities order by rank');
  const severities: string[] = rows.map(({ severity }) => severity);
  expect(severities.filter((severity) => !new RegExp(`^(${passedOver})$`).test(severity))).toEqual([
    'unpriced',
    'high',
    'critical',
  ]);
});

test('the file is whole, and others may read it', async () => {
  const folder = newFolder();
  const file = join(folder, 'tieout.prom');
  const umask = process.umask(0o077); // as jobs/deploy/tieout.service sets it
  onTestFinished(() => void process.umask(umask));
  await writeMetricsFile(file, 'old');
  writeFileSync(join(folder, `.tieout.prom.partial-${PLACE}-${process.pid}-0badcafe`), ''); // left by a killed one, in a container perhaps
  await writeMetricsFile(file, text);
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect([readdirSync(folder), statSync(file).mode & 0o777]).toEqual([['tieout.prom'], 0o644]);
});

test('a file that cannot be written: why, where, and nothing is left', async () => {
  const folder = newFolder();
  const refused = async (...names: string[]) => {
    const file = join(folder, ...names);
    const error: Error = await writeMetricsFile(file, text).then(
      () => new Error('it was written'),
      (failure) => failure,
    );
    expect(error).toBeInstanceOf(FailedError);
    return error.message.replaceAll(folder, 'F');
  };
  const todo =
    'make a folder that this user may write to and that has room, or name another in TIEOUT_METRICS_FILE';
  expect(await refused('none', 'a.prom')).toBe(`the folder does not exist (ENOENT in F/none): ${todo}`);
  writeFileSync(join(folder, 'file'), '');
  expect(await refused('file', 'a.prom')).toBe(
    `a file stands where a folder should be (ENOTDIR in F/file): ${todo}`,
  );
  mkdirSync(join(folder, 'folder.prom'));
  expect(await refused('folder.prom')).toBe(`a folder stands where a file should be (EISDIR in F): ${todo}`);
  expect(readdirSync(folder).sort()).toEqual(['file', 'folder.prom']);
});

test('GET /metrics answers, nothing else does, and a failure is 503 with a warning', async () => {
  const warnings: string[] = [];
  const server = await serveMetrics({ port: 0, warn: (line) => warnings.push(line) }, books);
  const answer = await fetch(server.url);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  expect(withoutBooks(await answer.text()).split('\n')).toContain('tieout_coverage_gaps{entity="main"} 1');
  expect((await fetch(new URL('/', server.url))).status).toBe(404);
  expect((await fetch(server.url, { method: 'POST' })).status).toBe(405);
  await server.close();
  const broken = { db: undefined } as unknown as TestDatabase;
  const other = await serveMetrics({ port: 0, warn: (line) => warnings.push(line) }, broken);
  expect((await fetch(other.url)).status).toBe(503);
  await other.close();
  expect(warnings).toEqual([expect.stringMatching(/^the metrics cannot be read: /)]);
});

test('a database that falls silent is 503 in time, and read again once it answers', async () => {
  const warnings: string[] = [];
  const server = await serveMetrics({ port: 0, readMs: 300, warn: (line) => warnings.push(line) }, books);
  const lock = await books.pool.connect();
  await lock.query('begin; lock table run.runs');
  const answers = await Promise.all([fetch(server.url), fetch(server.url)]);
  expect(answers.map(({ status }) => status)).toEqual([503, 503]);
  await lock.query('rollback');
  lock.release();
  await vi.waitFor(async () => expect((await fetch(server.url)).status).toBe(200));
  await server.close();
  expect(warnings[0]).toBe('the metrics cannot be read: the database has not answered for 0.3 s');
});

test.each([
  ['127.0.0.1:9100', 200],
  ['localhost', 200],
  ['[::1]:9100', 200],
  ['evil.example', 421],
  ['evil.example:9100', 421],
  ['127.0.0.1.evil.example', 421],
  ['localhost.evil.example', 421],
])(
  'on loopback a request to %s is answered %i: a page in a browser has a name of its own',
  async (host, status) => {
    const server = await serveMetrics({ port: 0 }, books);
    const sent = request(server.url, { headers: { host } }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(status);
    await server.close();
  },
);

test('on another address any name is answered: a proxy or a service has one', async () => {
  const server = await serveMetrics({ port: 0, host: '0.0.0.0' }, books);
  const sent = request(server.url, { headers: { host: 'tieout.example' } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(200);
  await server.close();
});

test('a port that is taken is one sentence', async () => {
  const taken = createServer();
  const port = await new Promise<number>((done) =>
    taken.listen(0, '127.0.0.1', () => done((taken.address() as { port: number }).port)),
  );
  await expect(serveMetrics({ port }, books)).rejects.toThrow(
    `127.0.0.1 port ${port} cannot be used for metrics (EADDRINUSE): choose another port or address, or end what listens there`,
  );
  taken.close();
});
