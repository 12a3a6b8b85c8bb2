// Every fault of the gateway, one at a time, and the outcome of a night.
import { beforeAll, describe, expect, test } from 'vitest';
import { FAULTS, startSandbox } from '../../src/sandbox/sandbox.ts';
import type { Planted } from '../../src/sandbox/world.ts';
import { booked, night, openStage, openStageAfterNight, type Stage, truth, WORLD } from './stage.ts';

let clean: { readonly journal: string; readonly advanced: string };

const CALM = [0, / 0 open breaks, 0 rejects, 0 gaps, 0 findings/] as const;

beforeAll(async () => {
  const ends: (() => Promise<void>)[] = [];
  const stage = await openStageAfterNight({}, (end) => ends.push(end));
  const journal = await stage.journal();
  await stage.advance(1);
  await stage.night();
  clean = { journal, advanced: await stage.journal() };
  for (const end of ends) await end();
});

/** Each fault is in exactly one test: a new one cannot be forgotten. */
const tested: string[] = ['newer-forms']; // that one has a file of its own: newer-forms.test.ts
const faulty = (faults: string[], what: string, run: (stage: Stage) => Promise<void>) => {
  tested.push(...faults.map((fault) => fault.split(':')[0] as string));
  test.concurrent(`${faults.join(', ')}: ${what}`, async ({ onTestFinished: finished }) =>
    run(await openStage({ faults }, finished)));
};

const sameBooks = async (stage: Stage): Promise<void> => {
  const { exitCode, summary } = await stage.night();
  expect([exitCode, summary]).toEqual([CALM[0], expect.stringMatching(CALM[1])]);
  expect(await stage.journal()).toBe(clean.journal);
  expect(await booked(stage)).toEqual(await truth(stage));
};

const WEATHER = [
  'reset:11',
  'throttle:13',
  'unavailable:14',
  'server-error:17',
  'not-json:19',
  'wrong-envelope:23',
  'slow:5',
];

describe('temporary failures', () => {
  faulty(WEATHER, 'all of it in one night is waited out: the same books', async (stage) => {
    await sameBooks(stage);
    const statuses = new Set((await stage.log()).map((request) => request.status));
    expect([0, 200, 429, 500, 502].filter((status) => !statuses.has(status))).toEqual([]);
  });
});

describe('habits of lists', () => {
  faulty(['clamp:3'], 'fewer trades in a page, the same books', sameBooks);
  faulty(['rpm:120'], 'a budget that is kept is never refused', async (stage) => {
    const { gateway, ...others } = stage.settings();
    const settings = { ...others, gateway: { ...gateway, requestsPerMinute: 120 } };
    expect(await night(settings, { writesFiles: false })).toMatchObject({ exitCode: 0 });
    expect(await stage.journal()).toBe(clean.journal);
    expect((await stage.log()).filter((request) => request.status === 429)).toEqual([]);
  });
  faulty(['per-second'], 'the pace of an account is kept: the same books', async (stage) => {
    await sameBooks(stage);
    expect((await stage.log()).filter((request) => request.status === 429)).toEqual([]);
  });
  faulty(['late-rows'], 'the same books once they are in', async (stage) => {
    expect((await stage.night()).exitCode).toBeLessThan(2);
    await stage.advance(1);
    const { exitCode } = await stage.night();
    expect([exitCode, await stage.journal()]).toEqual([0, clean.advanced]);
    expect(await booked(stage)).toEqual(await truth(stage));
  });
  faulty(
    ['shifting-trades'],
    'a list that grows while it is read loses and repeats nothing',
    async (stage) => {
      const first = await stage.night();
      expect(first.exitCode).toBeLessThan(2);
      await stage.night();
      expect(await booked(stage)).toEqual(await truth(stage));
      const [count] = await stage.rows(
        "select count(*)::int as all, count(distinct record_id)::int as ids from books.entries where stream = 'trades'",
      );
      expect(count?.all).toBe(count?.ids);
    },
  );
  faulty(['burst:130'], 'a full instant is split, and nothing of it is lost', async (stage) => {
    const { exitCode, summary } = await stage.night();
    expect([exitCode, summary]).toEqual([CALM[0], expect.stringMatching(CALM[1])]);
    expect(await booked(stage)).toEqual(await truth(stage));
  });
});

describe('refusals', () => {
  faulty(['ban:12'], 'exit 2, then one request, and the same books when it is lifted', async (stage) => {
    const first = await stage.night();
    expect([first.exitCode, first.summary]).toEqual([2, expect.stringContaining('banned')]);
    const sent = (await stage.log()).length;
    const selected = ['main', ...stage.sandbox.world.entities.slice(1).map((entity) => entity.entityId)];
    await expect(stage.night(selected)).rejects.toMatchObject({ failure: 'banned' });
    expect((await stage.log()).length - sent).toBe(1);
    await expect(stage.night()).rejects.toMatchObject({ failure: 'banned' });
    expect((await stage.log()).length - sent).toBe(2);
    await stage.sandbox.close();
    stage.sandbox = await startSandbox(WORLD); // the same world, without the ban
    await sameBooks(stage);
  });
  faulty(['forbid:trades'], 'a finding, and trading is not comparable', async (stage) => {
    const { exitCode } = await stage.night();
    const found = await stage.rows("select distinct subject from books.findings where severity = 'finding'");
    expect([exitCode, found]).toEqual([1, [{ subject: 'trades' }]]);
    const statuses = await stage.rows(
      "select distinct status from books.tie_outs where account = 'assets:trading' and status <> 'tied'",
    );
    expect(statuses).toEqual([{ status: 'uncovered' }]);
    expect(await stage.rows('select * from books.breaks')).toEqual([]);
  });
  faulty(['missing:subaccounts'], 'a note, and the main account alone', async (stage) => {
    expect((await stage.night()).exitCode).toBe(0);
    const found = await stage.rows('select subject, severity from books.findings');
    expect(found).toEqual([{ subject: 'subaccounts', severity: 'note' }]);
    expect(await stage.rows('select entity_id from books.entities')).toEqual([{ entity_id: 'main' }]);
  });
  faulty(['own-transfers:4'], 'both sides pair up, and people outside keep the rest', async (stage) => {
    const { exitCode, summary } = await stage.night();
    expect([exitCode, summary]).toEqual([CALM[0], expect.stringMatching(CALM[1])]);
    expect(await booked(stage)).toEqual(await truth(stage));
    const pairs = await stage.rows(
      'select trim_scale(amount_out) as amount, grounds from books.own_transfers where from_entity = $$main$$ order by from_at',
    );
    const by = ['amount and time', 'pocket', 'amount and time', 'pocket'];
    expect(pairs).toEqual(by.map((grounds, nth) => ({ amount: `${43.5 - nth}`, grounds })));
    const [euro] = await stage.rows("select * from books.consolidated where currency = 'EUR'");
    expect(euro).toMatchObject({
      entities: '2',
      difference: '0',
      own_transfers: '4',
      own_out: '168',
      own_in: '168',
    });
  });
  faulty(['hostile'], 'rejects that name the field, and nothing else is lost', async (stage) => {
    expect((await stage.night()).exitCode).toBe(1);
    const [planted] = (await (await fetch(`${stage.sandbox.url}/__world/defects`)).json()) as Planted[];
    const rejects = await stage.rows('select record_id, reason from books.rejects');
    const reasonOf = new Map(rejects.map((row) => [row.record_id, row.reason]));
    const expected = planted?.expect.flatMap((it) => (it.finding === 'reject' ? [it] : [])) ?? [];
    expect(expected.length).toBe(6);
    for (const reject of expected) expect(reasonOf.get(reject.record_id)).toContain(reject.field);
    expect(rejects).toHaveLength(expected.length);
    expect(await booked(stage)).toEqual(await truth(stage));
    expect(await stage.rows("select * from books.breaks where status <> 'resolved'")).toEqual([]);
  });
});

test('a gateway that refuses connections fails the run in one line, after a time without any answer', async () => {
  const stage = await openStage();
  const settings = stage.settings();
  const nowhere = { ...settings, gateway: { ...settings.gateway, baseUrl: 'http://127.0.0.1:9' } };
  const message =
    'no answer from http://127.0.0.1:9 in 1 s: check GATEWAY_BASE_URL and the network, and run again';
  await expect(night(nowhere, { silenceMs: 1_000 })).rejects.toMatchObject({ exitCode: 2, message });
  const runs = await stage.rows('select exit_code, summary from books.runs');
  expect(runs).toEqual([{ exit_code: 2, summary: `failed: ${message}` }]);
  expect(await stage.rows('select from land.records')).toEqual([]);
});

test('every fault of the stand-in has its test', () => {
  expect([...new Set(tested)].sort()).toEqual([...FAULTS].sort());
});
