// The queue of nights: how a crontab is read, and what becomes of a step whose host is gone.
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { addJobs, migrateQueue, readSchedule, startQueue } from '../../jobs/queue.ts';
import { forgetFuture, hastenJobs, ownSchedule } from '../../jobs/queue-care.ts';
import { printedOf } from '../../jobs/queue-log.ts';
import { moveFiles } from '../../jobs/worker-tasks.ts';
import { addWorker } from '../../src/run/run.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
  await migrateQueue(books.url, () => {});
});
afterAll(() => books.close());

beforeEach(() => books.pool.query('delete from tieout_queue._private_jobs; delete from run.workers'));

const RUN = '00000000-0000-4000-8000-000000000001';

/** Queues the files of a run on a host, some time ago. */
const queued = async (host: string, ago: string): Promise<void> => {
  const payload = { run: RUN, requests: 7 };
  await books.db
    .transaction()
    .execute((tx) => addJobs(tx, [{ task: `export on ${host}`, key: `${RUN} files`, queue: null, payload }]));
  await books.pool.query(`update tieout_queue._private_jobs set run_at = now() - interval '${ago}'`);
};

const workerOn = (host: string, writesFiles: boolean) =>
  addWorker(books.db, { id: `${host} ${writesFiles}`, host, pid: 1, schedule: '', writesFiles });

/** The steps that wait after a look, with their payloads, and those that it moved. */
const afterLook = async () => {
  const moved = await books.db.transaction().execute(moveFiles);
  const { rows } = await books.pool.query(
    'select t.identifier as task, j.payload from tieout_queue._private_jobs j join tieout_queue._private_tasks t on t.id = j.task_id',
  );
  return { steps: rows.map(({ task, payload }) => [task, JSON.parse(payload)]), moved };
};

const FACTS = { run: RUN, requests: 7 };

test('the files of a host that has had no worker for a minute are written by another', async () => {
  await queued('gone', '61 seconds');
  await workerOn('gone', false);
  await workerOn('here', true);
  expect(await afterLook()).toEqual({
    steps: [['export on here', FACTS]],
    moved: [{ run: RUN, from: 'gone', host: 'here' }],
  });
  expect((await afterLook()).moved).toEqual([]);
});

test('without a worker that writes files the night ends without them', async () => {
  await queued('gone', '61 seconds');
  await workerOn('here', false);
  expect((await afterLook()).steps).toEqual([['end without files', FACTS]]);
});

test.each([
  ['a host that restarts its worker', 'gone', '30 seconds', false],
  ['a host that is busy', 'gone', '2 hours', true],
] as const)('%s keeps its files', async (_, host, ago, isThere) => {
  await queued(host, ago);
  await workerOn('here', true);
  if (isThere) await workerOn(host, true);
  expect(await afterLook()).toEqual({ steps: [[`export on ${host}`, FACTS]], moved: [] });
});

test('a night that was queued by a clock that was ahead does not stop the schedule', async () => {
  await books.pool.query(
    `insert into tieout_queue._private_known_crontabs (identifier, known_since, last_execution)
     values ('ahead', now(), now() + interval '1 year'), ('a little', now(), now() + interval '50 minutes'), ('past', now(), now() - interval '1 day'),
       ('new', now(), null)`,
  );
  const forget = () => books.db.transaction().execute(forgetFuture);
  expect([await forget(), await forget()]).toEqual([1, 0]);
  const { rows } = await books.pool.query(
    `select identifier from tieout_queue._private_known_crontabs
     where last_execution is null or last_execution between now() - interval '10 minutes' and now() order by 1`,
  );
  expect(rows.map(({ identifier }) => identifier)).toEqual(['ahead', 'new']);
});

test.each([
  ['ahead', 5, 0],
  ['right', 0, 1],
])(
  'a host whose clock is %s makes up for the nights that were missed, not for those to come',
  async (_, hours, jobs) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    const half = new Date(Date.now() - 1_800_000);
    const line = `${half.getUTCMinutes()} ${half.getUTCHours()} * * * night ?id=half${hours}&fill=6h`;
    await books.pool.query(
      `insert into tieout_queue._private_known_crontabs (identifier, known_since) values ($1, now() - interval '2 days')`,
      [`half${hours}`],
    );
    const [warned, queued]: [string[], () => Promise<unknown>] = [
      [],
      async () =>
        (await books.pool.query('select count(*)::int as jobs from tieout_queue._private_jobs')).rows,
    ];
    for (const _start of ['first', 'second']) {
      const schedule = await ownSchedule(books.db, readSchedule(line, 'crontab'), ({ message }) => {
        warned.push(`${message}`);
      });
      const options = { url: books.url, tasks: {}, schedule, jobsMax: 1 };
      const queue = await startQueue({ ...options, tell: () => {} }, async () => {});
      await queue.stop();
      await books.db.transaction().execute(forgetFuture);
      expect(await queued()).toEqual([{ jobs }]);
    }
    expect(warned.map((message) => message.slice(0, 55))).toEqual(
      hours === 0 ? [] : Array(2).fill('the clock of this host is 5 hours ahead of the database'),
    );
  },
);

test.each(['3 days', '-1 day', '10 minutes'])(
  'a night that a clock ahead by %s has queued is not later than an hour for those that follow',
  async (ahead) => {
    const [night] = readSchedule('30 2 * * * night', 'crontab').map(({ options }) => options);
    /** As the package does when a night is due by the clock of its host. */
    const due = async (by: string) =>
      void (await books.pool.query(
        `select tieout_queue.add_job('night', run_at => now() + $1::interval, queue_name => $2, job_key => $3, job_key_mode => $4)`,
        [by, night?.queueName, night?.jobKey, night?.jobKeyMode],
      ));
    await due(ahead);
    await due('0');
    const forgotten = await books.db.transaction().execute(forgetFuture);
    expect(forgotten).toBe(ahead === '3 days' ? 1 : 0);
    const { rows } = await books.pool.query(
      `select run_at < now() + interval '1 hour' as is_soon from tieout_queue._private_jobs`,
    );
    expect(rows).toEqual([{ is_soon: true }]);
  },
);

test('what a queue that cannot start redirected is printed again', async () => {
  const printing = () => [console.trace, console.error, console.warn];
  const before = printing();
  const away = { url: books.url.replace(/\/[^/]*$/, '/nowhere'), tasks: {}, schedule: [], jobsMax: 1 };
  await expect(startQueue({ ...away, tell: () => {} }, async () => {})).rejects.toThrow('nowhere');
  expect(printing()).toEqual(before);
});

test('a file that is no crontab is named, and not shown whole', () => {
  const text = `${'x'.repeat(100_000)}\n`;
  expect(() => readSchedule(text, 'books.gz')).toThrow(
    /^books\.gz is not a crontab of tieout: .{20,200}; write lines such as "30 2 \* \* \* night", with .* in UTC$/,
  );
});

test.each(['', '# 30 2 * * * night\n'])(
  'a crontab by which no night would ever begin is refused: %j',
  (text) => {
    expect(() => readSchedule(text, 'crontab')).toThrow(
      /^crontab is not a crontab of tieout: it has no line, so no night would ever begin; write lines/,
    );
  },
);

test('nights are one job, whatever the crontab says', () => {
  const lines = ['0 2 * * * night', '0 4 * * * night ?id=late&queue=other&jobKey=other&fill=6h'].join('\n');
  const options = readSchedule(lines, 'crontab').map((item) => item.options);
  expect(options).toEqual([
    expect.objectContaining({ queueName: 'night', jobKey: 'night' }),
    expect.objectContaining({ queueName: 'night', jobKey: 'night', backfillPeriod: 21_600_000 }),
  ]);
});

test('a job that failed is one line of the log: what it says, without a stack', async () => {
  const job = { task: 'broken', key: 'broken', queue: null, payload: {} };
  await books.db.transaction().execute((tx) => addJobs(tx, [job]));
  const broken = async () => {
    throw new Error('the disk is full');
  };
  const options = { url: books.url, tasks: { broken }, schedule: [], jobsMax: 1 };
  const message = await new Promise((resolve) => {
    const queue = startQueue({ ...options, tell: ({ message }) => resolve(message) }, async () => {});
    onTestFinished(async () => (await queue).stop());
  });
  expect(message).toMatch(/^Failed task \d+ \(broken, .*, attempt 1 of 25\) with error 'the disk is full'$/);
});

test('a job waits a minute at most for its next try, however often the database was away', async () => {
  const keys = ['failed often', 'given up', 'of a later night', 'at work', 'failed once', 'killed'];
  const jobs = keys.map((key) => ({ task: 'entity', key, queue: null, payload: {} }));
  await books.db.transaction().execute((tx) => addJobs(tx, jobs));
  const as = (key: string, values: string) =>
    books.pool.query(`update tieout_queue._private_jobs set ${values} where key = '${key}'`);
  const away = "attempts = 9, last_error = 'away', run_at = now() + interval '3 hours'";
  await as('failed often', away);
  await as('given up', `${away}, max_attempts = 9`);
  await as('of a later night', "run_at = now() + interval '3 hours'");
  await as('at work', `${away}, locked_at = now(), locked_by = 'w'`);
  await as('failed once', "attempts = 1, last_error = 'away', run_at = now() + interval '3 seconds'");
  await as('killed', 'attempts = 9');
  await books.db.transaction().execute(hastenJobs);
  const { rows } = await books.pool.query(
    `select key, attempts, greatest(ceil(extract(epoch from run_at - now()) / 60), 0)::int as minutes
     from tieout_queue._private_jobs`,
  );
  expect(new Map(rows.map(({ key, attempts, minutes }) => [key, [attempts, minutes]]))).toEqual(
    new Map([
      ['failed often', [4, 1]],
      ['given up', [9, 180]],
      ['of a later night', [0, 180]],
      ['at work', [9, 180]],
      ['failed once', [1, 1]],
      ['killed', [9, 0]],
    ]),
  );
});

test('what the package prints beside its logger, with a stack, is one line of the log each', async () => {
  const messages: unknown[] = [];
  const before = console.trace;
  const printAgain = printedOf(({ message }) => void messages.push(message));
  console.trace(new Error('connect ECONNREFUSED'));
  console.error('attempt %d failed', 2);
  printAgain();
  expect(messages).toEqual(['Error: connect ECONNREFUSED', 'attempt 2 failed']);
  expect(console.trace).toBe(before);
});
