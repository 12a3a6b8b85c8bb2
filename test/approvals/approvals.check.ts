// Manual entries: one person proposes, another approves; then the books, a rebuild and a close use them.
import { expect, test } from 'vitest';
import { normalizeOnly, reconcileOnly } from '../../jobs/nightly.ts';
import { rebuild } from '../../src/actions/rebuild.ts';
import { forget } from '../../src/normalize/forget.ts';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { verifyLedger } from '../../src/verify/ledger/ledger.ts';
import { AUTUMN, as, close, septemberClosed } from '../close/month.ts';
import { reportTexts } from '../export/report-texts.ts';
import { firstNight, openStageAfter, openStageAfterNight, type Stage } from '../jobs/stage.ts';
import { deskOn, idOf } from './desk.ts';

const manual = (stage: Stage) =>
  stage.rows(`select kind, action, period, original_period, prepared_by, approved_by, reversed_by is not null as is_reversed
    from books.manual_entries order by approved_at`);

const holds = async (stage: Stage) =>
  (await verifyLedger({ pool: stage.database.pool, timezone: 'UTC', programs: [] })).holds;

/** manual_entries.csv of a month: kind, action, subject and legs. */
const listed = async (stage: Stage, period: string): Promise<string[]> => {
  const [text = ''] = await reportTexts(stage.database.pool, { period }, ['manual_entries.csv']);
  const [head = '', ...lines] = text.trim().split('\n');
  const names = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return ['kind', 'action', 'about_stream', 'legs'].map((name) => cells[names.indexOf(name)]).join('|');
  });
};

const reconciled = (stage: Stage) => as(stage, (work) => reconcileOnly(work, {}));

/** A world with one record of an unknown class, read once. */
const rejectedOnce = async () => {
  const world: Partial<SandboxOptions> = { ...AUTUMN, entities: 1, defects: ['unknown-class'] };
  const { stage, outcome } = await openStageAfter(firstNight(world));
  expect(outcome.exitCode).toBe(1);
  const [reject] = await stage.rows('select record_id, version from books.rejects');
  const [broken] = await stage.rows("select account from books.breaks where status = 'open'");
  const leg = `equity:external:platform <- ${broken?.account} 0.01234567 BTC`;
  return { stage, desk: deskOn(stage), record: reject?.record_id ?? '', leg };
};

test('a reject settled by Ada and approved by Grace: the account ties, the exit code is 0, the month closes, and then a rebuild is equal', async () => {
  const { stage, desk, record, leg } = await rejectedOnce();
  const id = idOf(await desk.settle(record, [leg]));
  expect(await stage.rows('select decision from books.rejects')).toEqual([{ decision: null }]);
  expect((await reconciled(stage)).exitCode).toBe(1);
  const [way] = (await close(stage, '2026-09', { only: 'main' })).closed;
  expect(way?.obstacles.map(({ need, detail }) => `${need}: ${detail}`)).toContain(
    `proposals: settle, prepared by Ada, awaits approval: approve ${id} --by NAME, or --refuse --reason TEXT if it is wrong`,
  );

  await expect(desk.approve(id, ' ADA ')).rejects.toThrow('another person approves or refuses it');
  expect(await manual(stage)).toEqual([]);
  expect((await desk.approve(id)).summary).toMatch(/approved by Grace: entry \S+ counts in 2026-09/);
  await expect(desk.approve(id)).rejects.toThrow(
    /was approved by Grace: npx tieout verify ledger shows whether it took effect, and the next night computes /,
  );

  const night = await reconciled(stage);
  expect([night.exitCode, night.summary]).toEqual([0, expect.stringMatching(/0 open breaks, 0 rejects/)]);
  expect(await stage.rows('select decision, decided_by from books.rejects')).toEqual([
    { decision: 'settled', decided_by: 'Ada' },
  ]);
  const [counted] = await stage.rows('select sum(rejected)::int as n from books.conservation');
  expect(counted?.n).toBe(1);
  expect(await listed(stage, '2026-09')).toEqual([`manual|settle|wallet-transactions|${leg}`]);
  expect(await holds(stage)).toBe(true);
  const { closed } = await close(stage, '2026-09');
  expect(closed.flatMap(({ obstacles }) => obstacles)).toEqual([]);
  expect((await as(stage, rebuild, 'owner')).isEqual).toBe(true);
  await expect(desk.settle(record, [leg], { reason: 'again' })).rejects.toThrow(/is settled by entry \S+/);
  await expect(desk.dismiss('wallet-transactions', record)).rejects.toThrow('is settled already');
});

test('a dismissed reject books nothing, still counts as rejected, and no longer affects the exit code', async () => {
  const { stage, desk, record } = await rejectedOnce();
  const entries = await stage.rows('select count(*) from ledger.entries');
  await desk.dismiss('wallet-transactions', record);
  expect((await reconciled(stage)).summary).toMatch(/1 open break, 0 rejects/);
  expect(await stage.rows('select count(*) from ledger.entries')).toEqual(entries);
  const [counted] = await stage.rows('select sum(rejected)::int as n from books.conservation');
  expect(counted?.n).toBe(1);
  await expect(desk.dismiss('wallet-transactions', record)).rejects.toThrow('is dismissed already');
  await expect(desk.dismiss('movements', 'nothing')).rejects.toThrow('movements nothing is not a rejected');
});

test('a break is waived for a month at its present difference, by a named person', async () => {
  const { stage, desk } = await rejectedOnce();
  const [broken] = await stage.rows("select break_id from books.breaks where status = 'open'");
  const id = broken?.break_id ?? '';
  await expect(desk.waive('000000000000', '2026-09')).rejects.toThrow('no break 000000000000');
  await desk.waive(id, '2026-09');
  expect((await desk.waive(id, '2026-09')).summary).toMatch(
    /was already proposed and was approved by Grace$/,
  );
  expect((await reconciled(stage)).summary).toMatch(/1 open break, 1 reject,/); // compared in a later month
  expect(
    await stage.rows('select status, by_name, reason from reconcile.break_events where by_name is not null'),
  ).toEqual([{ status: 'waived', by_name: 'Ada', reason: 'waived for 2026-09: they will pay it' }]);
  expect(await stage.rows('select difference::text, prepared_by from books.waivers')).toEqual([
    { difference: '-0.01234567', prepared_by: 'Ada' },
  ]);
  const needs = async () =>
    (await close(stage, '2026-09', { only: 'main', budget: '100000' })).closed[0]?.obstacles.map(
      ({ need }) => need,
    );
  expect(await needs()).toEqual(['rejects', 'budget']); // nobody set that budget before
  await desk.budget('100000', 'Alan');
  expect(await needs()).toEqual(['rejects']);
});

test('a late entry that a reopening has not returned yet is reversed where it counts', async () => {
  const stage = await openStageAfterNight({ ...AUTUMN, entities: 1 });
  const desk = deskOn(stage);
  await stage.rows(`insert into decide.seals (entity_id, period, seal_number, requests_to, entries, root, seal, prepared_by, sealed_at)
    select 'main', '2026-09', 1, max(request_id), 0, repeat('0', 64), '{}', 'Ada', now() from land.requests`);
  const late = await desk.adjust(
    'assets:trading <- equity:external:platform 1.5 BTC',
    '2026-09-15T00:00:00.000Z',
  );
  await desk.approve(idOf(late));
  await stage.rows(`insert into decide.reopenings (entity_id, period, seal_number, requests_to, by_name, reason, at)
    select 'main', '2026-09', 1, max(request_id), 'Grace', 'killed before it returned anything', now() from land.requests`);
  const [entry] = await stage.rows('select entry_id from books.manual_entries');
  await desk.approve(idOf(await desk.reverse(entry?.entry_id ?? '')));
  expect(
    (await manual(stage)).map(({ kind, period, original_period }) => [kind, period, original_period]),
  ).toEqual([
    ['manual', '2026-10', '2026-09'],
    ['reversal', '2026-10', '2026-09'],
  ]);
});

test('an entry is reversed once, by another proposal; a repeated proposal is the same one; a refusal books nothing', async () => {
  const stage = await openStageAfterNight({ ...AUTUMN, entities: 1 });
  const desk = deskOn(stage);
  const before = await stage.rows('select * from books.balances order by 1, 2, 3');
  const ask = () =>
    desk.adjust('assets:trading <- equity:external:platform 1.5 BTC', '2026-09-15T00:00:00.000Z');
  const first = await ask();
  const again = await ask();
  expect([first.isNew, again.isNew, idOf(again)]).toEqual([true, false, idOf(first)]);
  expect(again.result.summary).toContain('was already proposed and awaits approval');
  await desk.approve(idOf(first));
  expect((await ask()).result.summary).toContain('was already proposed and was approved by Grace');

  const [entry] = await stage.rows('select entry_id from books.manual_entries');
  const entryId = entry?.entry_id ?? '';
  const undo = idOf(await desk.reverse(entryId, { evidence: null }));
  const other = idOf(await desk.reverse(entryId, { reason: 'said twice' }));
  await desk.approve(undo);
  await expect(desk.approve(other)).rejects.toThrow(
    /cannot be approved, only refused: entry \S+ was reversed by/,
  );
  await desk.refuse(other);
  await expect(desk.approve(other)).rejects.toThrow(/was refused by Grace$/);
  await expect(desk.reverse(entryId)).rejects.toThrow('was reversed by');
  await expect(ask()).rejects.toThrow('its entry was reversed later');
  expect(await stage.rows('select * from books.balances order by 1, 2, 3')).toEqual(before);
  expect((await manual(stage)).map(({ kind, is_reversed }) => [kind, is_reversed])).toEqual([
    ['manual', true],
    ['reversal', false],
  ]);
  expect(await listed(stage, '2026-09')).toEqual([
    'manual|adjust||assets:trading <- equity:external:platform 1.5 BTC',
    'reversal|reverse|manual|equity:external:platform <- assets:trading 1.5 BTC',
  ]);
  const [undone] = await stage.rows("select entry_id from books.manual_entries where kind = 'reversal'");
  await expect(desk.reverse(undone?.entry_id ?? '')).rejects.toThrow('is a reversal');
  const [landed] = await stage.rows("select entry_id from books.entries where stream <> 'manual' limit 1");
  await expect(desk.reverse(landed?.entry_id ?? '')).rejects.toThrow('was not entered by a person');
  const refused = () => desk.adjust('assets:trading <- equity:opening 1 EUR', '2026-09-15T00:00:00.000Z');
  await desk.refuse(idOf(await refused()));
  await expect(refused()).rejects.toThrow('Grace refused it (not so)');
  expect(await stage.rows('select * from books.balances order by 1, 2, 3')).toEqual(before);
});

test('an entry that takes effect in a closed month is posted in the open one, and so is its reversal, also by a rebuild', async () => {
  const { stage } = await septemberClosed();
  const desk = deskOn(stage);
  await desk.approve(
    idOf(await desk.adjust('assets:trading <- equity:external:platform 2 EUR', '2026-09-15T00:00:00.000Z')),
  );
  const [entry] = await stage.rows('select entry_id from books.manual_entries');
  await desk.approve(idOf(await desk.reverse(entry?.entry_id ?? '')));
  const wrong = await desk.adjust('assets:trading <- equity:opening 1 EUR', '2026-10-01T00:00:00.000Z');
  await desk.refuse(idOf(wrong));
  expect((await manual(stage)).map(({ period, original_period }) => [period, original_period])).toEqual([
    ['2026-10', '2026-09'],
    ['2026-10', '2026-09'],
  ]);
  expect(await listed(stage, '2026-09')).toEqual([]);
  expect(await listed(stage, '2026-10')).toHaveLength(2);
  expect((await as(stage, rebuild, 'owner')).isEqual).toBe(true);
  expect(await holds(stage)).toBe(true);
});

test('a rebuild that fails while it posts manual entries again changes nothing', async () => {
  const stage = await openStageAfterNight({ ...AUTUMN, entities: 1 });
  const before = await stage.rows('select count(*), (select count(*) from land.inbox) from ledger.entries');
  const killed = forget(stage.database.db, { restore: () => Promise.reject(new Error('killed')) });
  await expect(killed).rejects.toThrow('killed');
  expect(await stage.rows('select count(*), (select count(*) from land.inbox) from ledger.entries')).toEqual(
    before,
  );
});

test('a settled record that lands later with valid content is booked, the settlement stays, and a break asks for its reversal', async () => {
  const { stage, desk, record, leg } = await rejectedOnce();
  await desk.approve(idOf(await desk.settle(record, [leg])));
  await stage.rows(`
    insert into land.records (entity_id, stream, record_id, version, digest, payload, record_at, landed_at, request_id, scope)
    select entity_id, stream, record_id, 2, '\\x00', replace(payload, '"vault"', '"blockchain"'), record_at, landed_at, request_id, scope
    from land.records where record_id = '${record}'`);
  await stage.rows(`insert into land.inbox (entity_id, stream, record_id, version, request_id)
    select entity_id, stream, record_id, version, request_id from land.records where record_id = '${record}' and version = 2`);
  const again = () => as(stage, (work) => normalizeOnly(work, {}));
  await again();
  expect((await reconciled(stage)).exitCode).toBe(1);
  expect(
    await stage.rows("select check_name, subject from books.breaks where status = 'open' order by 1"),
  ).toMatchObject([
    { check_name: 'pocket_tie_out' },
    { check_name: 'settled_and_decided', subject: `wallet-transactions ${record}` },
  ]);
  const [entry] = await stage.rows('select entry_id from books.manual_entries');
  await desk.approve(idOf(await desk.reverse(entry?.entry_id ?? '')));
  expect((await reconciled(stage)).exitCode).toBe(0);
});

test('an approved entry that was deleted by hand is named by the proof, and posted again by a rebuild', async () => {
  const stage = await openStageAfterNight({ ...AUTUMN, entities: 1 });
  const desk = deskOn(stage);
  await desk.approve(
    idOf(await desk.adjust('assets:trading <- equity:opening 2 EUR', '2026-09-15T00:00:00.000Z')),
  );
  await stage.rows(`with gone as (delete from ledger.transfers where entry_id in
    (select entry_id from ledger.entries where stream = 'manual')) delete from ledger.entries where stream = 'manual'`);
  expect(await holds(stage)).toBe(false);
  expect((await as(stage, rebuild, 'owner')).isEqual).toBe(false);
  expect(await holds(stage)).toBe(true);
});
