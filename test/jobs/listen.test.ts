// The listener and the nights beside it: what moved is read, first; what cannot have moved is skipped, and nothing claims more.
// One stage for all tests, in their order.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { nightly } from '../../jobs/nightly.ts';
import { loadSql } from '../../src/database/database.ts';
import type { Event } from '../../src/run/events.ts';
import { databaseTime, urgentFirst } from '../../src/run/run.ts';
import { withRun } from '../../src/run/work.ts';
import { type Listener, moveMoney, nightsOf, quietNight, quietSettings, startListener } from './listening.ts';
import { booked, openStage, type Stage, truth } from './stage.ts';

let stage: Stage;
let listener: Listener;
let sub: string;
const ends: (() => Promise<unknown>)[] = [];
const atTheEnd = (end: () => Promise<void>) => void ends.unshift(end);

beforeAll(async () => {
  stage = await openStage({ entities: 2, days: 3, perDay: 4, until: '2026-11-10T00:00:00Z' }, atTheEnd);
  sub = stage.sandbox.world.entities[1]?.entityId ?? '';
  expect(await night()).toEqual({ main: 'not read before', [sub]: 'not read before' });
  listener = await startListener(stage, undefined, atTheEnd);
});
afterAll(async () => {
  for (const end of ends) await end();
});

const night = async () => {
  expect((await quietNight(stage)).exitCode).toBe(0);
  return nightsOf(stage);
};

const isTrue = async () => expect(await booked(stage)).toEqual(await truth(stage));

const coverage = () =>
  stage.rows('select entity_id, stream, scope, covered_to from books.coverage order by 1, 2, 3');

/** Moves money in and out again; the listener has noted it when this resolves. */
const moved = async (entity: string): Promise<void> => {
  const hint = listener.next('hint');
  await moveMoney(stage, entity, { back: true });
  expect(await hint).toMatchObject({ entity, entities: 1 });
};

test('without a listener every list is read; with one, what did not change is skipped and keeps its coverage', async () => {
  const unheard = 'listen was not connected without a break';
  expect(await night()).toEqual({ main: unheard, [sub]: unheard });
  const [proved, sent] = [await coverage(), (await stage.log()).length];
  const quiet = await quietNight(stage);
  expect(await nightsOf(stage)).toEqual({ main: 'skipped', [sub]: 'skipped' });
  expect(quiet).toMatchObject({ exitCode: 0, pages: 0, requests: 2 * 3 + 1 });
  expect(quiet.summary).toContain('2 entities skipped as unchanged');
  expect((await stage.log()).length - sent).toBe(quiet.requests);
  expect(await coverage()).toEqual(proved);
  expect(await stage.rows(`select from books.tie_outs where run_id = (${LAST})`)).toEqual([]);
});

const LAST = 'select run_id from books.runs order by run_number desc limit 1';

/** Why the last night would have read the main account, had `change` been made before. */
const reasonAfter = async (change: string): Promise<string | null> => {
  const [row] = await stage.rows(LAST);
  const parameters = {
    entity: 'main',
    run: row?.run_id ?? '',
    owner: 'main',
    timezone: 'UTC',
    lag_hours: '48',
  };
  const client = await stage.database.pool.connect();
  try {
    await client.query('begin');
    await client.query(taken('2026-11-09T00:00:00Z')); // whatever day of a month it is today
    await client.query(change);
    return (await client.query(loadSql('status/lists_due.sql', parameters))).rows[0].reason;
  } finally {
    await client.query('rollback');
    client.release();
  }
};

const LISTS = `(select run_id from run.nights join run.runs using (run_id) where lists_run_id = run_id order by run_number desc limit 1)`;
/** The lists were read at an instant, and it is the 10th now. */
const taken = (instant: string) =>
  `update land.snapshots set taken_at = case when run_id = ${LISTS} then timestamptz '${instant}' else '2026-11-10T00:00:00Z' end`;
const item = (phase: string) => `(entity_id, request_id) in (
  select entity_id, max(request_id) from land.snapshots s where phase = '${phase}' and product = 'pocket' and exists (
    select from land.balances b where b.request_id = s.request_id) group by 1)`;
const FINDING = `insert into run.findings (entity_id, run_id, severity, subject, detail) select 'main', ${LISTS}, 'finding', 'a', 'b'`;
/** One of the two readings lacks a list of balances. */
const unread = (side: '=' | '<>') =>
  `update land.snapshots set run_id = (select run_id from run.runs order by run_number limit 1) where entity_id = 'main' and product = 'pocket' and run_id ${side} ${LISTS}`;
const BREAK = `insert into reconcile.breaks (entity_id, break_id, check_name, subject, status, reason, opened_at, since, run_id)
  select 'main', 'b', 'pocket_tie_out', 's', 'waived', 'r', now(), now(), ${LISTS}`;

test.each([
  ['select 1', null],
  ["delete from run.nights where entity_id = 'main'", 'not read before'],
  ["insert into run.hints values ('main', 'e', now())", 'an event arrived'],
  ["insert into run.hints values ('main', 'e', now() - interval '1 day')", null],
  ['update run.listening set connected_since = now()', 'listen was not connected without a break'],
  ['update run.listening set connected_since = null', 'listen was not connected without a break'],
  [
    "update run.listening set seen_at = now() - interval '2 minutes'",
    'listen was not connected without a break',
  ],
  [
    `update land.balances set blocked = blocked + 1 where ${item('before')}`,
    'the balances changed without an event',
  ],
  [`delete from land.balances where ${item('after')}`, 'the balances changed without an event'],
  [taken('2026-11-02T23:59:59Z'), 'a month has ended since'],
  [taken('2026-11-03T11:59:59Z'), 'a week has passed since'],
  [taken('2026-11-03T12:30:00Z'), null],
  [`update reconcile.tie_outs set status = 'pending' where run_id = ${LISTS}`, 'a balance did not tie'],
  [BREAK, 'a break is open'],
  [FINDING, 'a run reported a finding'],
  [unread('='), 'the balances changed without an event'],
  [`${unread('=')}; ${FINDING}`, 'a run reported a finding'],
  [`${unread('<>')}; ${FINDING}`, 'a run reported a finding'],
  ["update ledger.outcomes set final = false where entity_id = 'main'", 'a record is not final'],
  [
    "update ledger.outcomes set outcome = 'rejected', reason = 'r' where entity_id = 'main'",
    'a reject is undecided',
  ],
  [
    "update land.coverage set covered = covered - '{[2026-11-08,2026-11-09)}'::tstzmultirange",
    'a list was not read to its end',
  ],
  [
    "insert into land.inbox (entity_id, stream, record_id, version, request_id) select entity_id, stream, record_id, version, request_id from land.records where entity_id = 'main' limit 1",
    'a record is not booked',
  ],
])('%#: %s', async (change, reason) => {
  expect(await reasonAfter(change)).toBe(reason);
});

test('what moved is read, also in and out again, and first; what is booked stays true', async () => {
  await moved(sub);
  expect(await urgentFirst(stage.database.db, ['main', 'never', sub])).toEqual([sub, 'never', 'main']);
  expect(await night()).toEqual({ main: 'skipped', [sub]: 'an event arrived' });
  await isTrue();
  const skipped = await stage.rows(
    'select lists_read_at < began_at as is_earlier from books.nights where is_skipped',
  );
  expect(skipped).toEqual(Array(3).fill({ is_earlier: true }));
});

/** A night that calls `tell` with its events. */
const nightWith = (tell: (event: Event) => void) => {
  const config = quietSettings(stage);
  const work = (job: Parameters<typeof nightly>[0]) =>
    nightly(job, config, { isFull: false, writesFiles: false });
  return withRun(config, 'nightly', { tell, work });
};

test('a killed night leaves no skip, and an event during a night counts for the next', async () => {
  await moved(sub);
  const killed = nightWith(({ event, entity }) => {
    if (event === 'booked' && entity === sub) throw new Error('killed');
  });
  await expect(killed).rejects.toThrow('killed');
  let during: Promise<void> | null = null;
  await nightWith(({ event, entity }) => {
    if (event === 'stream' && entity === sub) during ??= moved(sub);
  });
  expect(await nightsOf(stage)).toEqual({ main: 'skipped', [sub]: 'an event arrived' });
  await during;
  expect(await night()).toEqual({ main: 'skipped', [sub]: 'an event arrived' });
  await isTrue();
});

const confirm = (socket: WebSocket) => socket.send('{"type":"authenticated","payload":{}}');

/** A server of a notification socket that handles each connection by `script`, from 1. */
const serving = async (script: (socket: WebSocket, nth: number) => void): Promise<string> => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    const nth = connections;
    socket.once('message', () => script(socket, nth));
  });
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  return `ws://127.0.0.1:${(server.address() as { port: number }).port}/v1`;
};

test('an event of an unknown user, or of nobody, concerns every entity; nothing else of it is stored', async () => {
  const [known] = await stage.rows(`select pocket_id from land.pockets where entity_id = '${sub}' limit 1`);
  const send = (socket: WebSocket, payload: object) =>
    socket.send(
      JSON.stringify({ type: 'wallet.trx.received', payload: { ...payload, amount: '7', name: 'Ana' } }),
    );
  const sockets: WebSocket[] = [];
  const other = await startListener(
    stage,
    await serving((socket) => {
      confirm(socket);
      sockets.push(socket);
    }),
  );
  const [socket] = sockets as [WebSocket];
  for (const [payload, entities] of [
    [{ userId: 'nobody' }, 2],
    [{}, 2],
    [{ pocketId: known?.pocket_id }, 1],
    [{ userId: sub }, 1],
  ] as const) {
    const hint = other.next('hint');
    send(socket, payload);
    expect(await hint, JSON.stringify(payload)).toMatchObject({ entities });
  }
  const hints = await stage.rows(
    "select to_jsonb(h) - 'hinted_at' as hint from run.hints h order by entity_id = 'main'",
  );
  expect(hints.map(({ hint = '' }) => JSON.parse(hint))).toEqual([
    { entity_id: sub, event: 'wallet.trx.received' },
    { entity_id: 'main', event: 'wallet.trx.received' },
  ]);
});

test('a connection that ended proves nothing of the time before the next; the end of the listener ends it', async () => {
  const before = await databaseTime(stage.database.db);
  const other = await startListener(
    stage,
    await serving((socket, nth) => {
      confirm(socket);
      if (nth === 1) socket.close(1001);
    }),
  );
  await other.next('connected');
  const [again] = await stage.rows('select connected_since from run.listening');
  expect(`${again?.connected_since}` > before).toBe(true);
  await other.stop();
  expect(await stage.rows('select entity_id, connected_since from run.listening')).toEqual([
    { entity_id: 'main', connected_since: null },
  ]);
});

test('credentials that the gateway refuses end the listener', async () => {
  const url = await serving((socket) => socket.close(4000, 'Authentication failed'));
  await expect(startListener(stage, url).then(({ ended }) => ended)).rejects.toThrow(
    'the notification socket refused the credentials (4000): Authentication failed: check GATEWAY_API_KEY',
  );
});
