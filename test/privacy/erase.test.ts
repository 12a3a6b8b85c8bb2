// Erasing: whole records of the person, except young and held ones, once, and never landed again.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WireRecord } from '../../src/base/streams.ts';
import { loadSql } from '../../src/database/sql.ts';
import { listHolds, placeHold, releaseHold } from '../../src/privacy/holds.ts';
import { type Erased, type ErasureRequest, erase, listErasures } from '../../src/privacy/privacy.ts';
import { instantAt, openStage, type Stage } from '../land/stage.ts';

/** The records of these tests are of March 2026, so they can be erased six years later. */
const [TODAY, IN_SEVEN_YEARS] = ['2026-11-21T00:00:00.000Z', '2033-03-02T00:00:00.000Z'];

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
  await stage.tell('wallet-transactions', payment('w1', 'luz@example.org'), payment('w2', 'ben@example.org'));
});
afterEach(() => stage.close());

const payment = (id: string, email: string, rest: WireRecord = {}): WireRecord => ({
  id,
  date: instantAt(0),
  status: 'completed',
  note: `of ${email}`,
  origin: { class: 'email', email, fullName: `name of ${email}` },
  ...rest,
});

const decided = { by: 'Ana Ruiz', reason: 'case 17', at: IN_SEVEN_YEARS };
const ask = async (more: Partial<ErasureRequest> = {}): Promise<Erased> => {
  const request = {
    person: null,
    entities: ['main'],
    retentionYears: 6,
    isDryRun: false,
    ...decided,
    ...more,
  };
  const [erased] = await stage.db.transaction().execute((tx) => erase(tx, request));
  if (!erased) throw new Error('nothing was told');
  return erased;
};
const luz = (more: Partial<ErasureRequest> = {}) => ask({ person: 'Luz@example.org', ...more });
const holdLuz = (more: { readonly text?: string; readonly at?: string } = {}) =>
  stage.db
    .transaction()
    .execute((tx) => placeHold(tx, { ...decided, text: 'luz@example.org', entities: ['main'], ...more }));

const people = async () =>
  (
    await stage.rows(
      'select record_id, version, path from land.people order by record_id collate "C", version, path collate "C"',
    )
  ).map((row) => `${row.record_id} ${row.version} ${row.path}`);
const ALL = ['w1', 'w2'].flatMap((id) =>
  ['note', 'origin.email', 'origin.fullName'].map((path) => `${id} 1 ${path}`),
);

test('what landed during an erasure is erased by the next one', async () => {
  await luz();
  await stage.rows(`insert into land.people (entity_id, stream, record_id, version, path, value)
    values ('main', 'wallet-transactions', 'w1', 2, 'note', '"Luz@example.org"')`);
  expect(await luz()).toMatchObject({ streams: [{ records: 1, fields: 1 }] });
  expect(await people()).toEqual(ALL.slice(3));
});

test('erasing a person clears the whole record; other records stay, and the log does not name the person', async () => {
  expect(await luz()).toMatchObject({
    streams: [{ stream: 'wallet-transactions', records: 1, fields: 3 }],
    retained: 0,
    protectedByHold: 0,
    erasedBefore: null,
  });
  expect(await people()).toEqual(ALL.slice(3));
  const [logged] = await listErasures(stage.db, ['main']);
  expect(logged).toMatchObject({
    erased_by: 'Ana Ruiz',
    reason: 'case 17',
    ground: 'person',
    erased_at: IN_SEVEN_YEARS,
    records_erased: 1,
    fields_erased: 3,
    kept_by_retention: 0,
    kept_by_hold: 0,
    retention_years: 6,
  });
  expect(JSON.stringify(await stage.rows('select * from land.erasures'))).not.toMatch(/luz/i);
});

test('a second erasure reports that nothing is left; an unknown person is reported differently', async () => {
  const { erasureId } = await luz();
  const again = await luz({ at: '2033-04-01T00:00:00.000Z' });
  expect(again).toMatchObject({ streams: [], erasureId: null, erasedBefore: IN_SEVEN_YEARS });
  expect(await ask({ person: 'zoe@example.org' })).toMatchObject({ streams: [], erasedBefore: null });
  expect((await listErasures(stage.db, ['main'])).map((row) => row.erasure_id)).toEqual([erasureId]);
});

test('a dry run reports the same and changes nothing', async () => {
  const erased = await luz({ isDryRun: true });
  expect(erased).toMatchObject({ streams: [{ records: 1, fields: 3 }], erasureId: null });
  expect([await people(), await listErasures(stage.db, ['main'])]).toEqual([ALL, []]);
});

test('a record younger than the retention stays, with the date from which it can be erased', async () => {
  const mayGoAt = instantAt(0).replace('2026', '2032');
  expect(await luz({ at: TODAY })).toMatchObject({
    streams: [],
    retained: 1,
    firstMayGoAt: mayGoAt,
    lastMayGoAt: mayGoAt,
  });
  expect(await people()).toEqual(ALL);
  expect((await luz({ at: mayGoAt })).streams).toHaveLength(1); // at exactly that instant it is possible
});

test('a record without a time of its own is as old as its landing', async () => {
  await stage.tell('wallet-transactions', payment('w3', 'zoe@example.org', { date: 'some day' }));
  await stage.rows("update land.records set landed_at = '2030-01-01' where record_id = 'w3'");
  expect(await ask({ person: 'zoe@example.org' })).toMatchObject({
    retained: 1,
    firstMayGoAt: '2036-01-01T00:00:00.000Z',
  });
});

test('a record whose own time is after its landing is as old as its landing', async () => {
  const later = [
    ['w3', '2026-11-22T00:00:00Z'],
    ['w4', '9999-12-31T00:00:00Z'],
  ] as const;
  for (const [id, date] of later)
    await stage.tell('wallet-transactions', payment(id, 'zoe@example.org', { date }));
  await stage.rows("update land.records set landed_at = '2026-11-21' where record_id in ('w3', 'w4')");
  const lastDay = { person: 'zoe@example.org', at: '2032-11-21T00:00:00.000Z' };
  expect(await ask(lastDay)).toMatchObject({ streams: [{ records: 2 }], retained: 0 });
});

test('expired data is erased without a name; a retention of 0 years keeps nothing', async () => {
  await stage.tell('wallet-transactions', payment('w3', 'luz@example.org', { date: '2031-01-01T00:00:00Z' }));
  await stage.rows("update land.records set landed_at = record_at where record_id = 'w3'");
  expect(await ask()).toMatchObject({
    streams: [{ records: 2, fields: 6 }],
    retained: 0,
    protectedByHold: 0,
  });
  expect(await people()).toEqual(['note', 'origin.email', 'origin.fullName'].map((path) => `w3 1 ${path}`));
  expect(await ask({ retentionYears: 0 })).toMatchObject({ streams: [{ records: 1 }] });
  expect(await ask()).toMatchObject({ streams: [], erasureId: null });
  expect((await listErasures(stage.db, ['main'])).map((row) => row.ground)).toEqual(['expired', 'expired']);
});

test('a hold protects its records from both, later ones too, until it is released', async () => {
  const [hold] = await holdLuz({ text: 'LUZ@example.org' });
  expect(hold).toMatchObject({ isNew: true, records: 1 });
  await stage.tell('wallet-transactions', payment('w3', 'luz@example.org'));
  expect(await luz()).toMatchObject({ streams: [], protectedByHold: 2, retained: 0 });
  expect(await ask()).toMatchObject({ streams: [{ records: 1, fields: 3 }], protectedByHold: 2 });
  expect(await holdLuz()).toEqual([{ ...hold, isNew: false, records: 2 }]);
  expect(JSON.stringify(await stage.rows('select * from land.holds'))).not.toMatch(/luz/i);
  expect(await stage.rows('select record_id from land.held_records order by 1')).toEqual([
    { record_id: 'w1' },
    { record_id: 'w3' },
  ]);

  const release = { ...decided, by: 'Ben', holdId: hold?.holdId ?? '', entities: ['main'] };
  expect(await releaseHold(stage.db, release)).toEqual(['main']);
  expect(await releaseHold(stage.db, release)).toEqual([]);
  expect(await listHolds(stage.db, ['main'])).toMatchObject([{ placed_by: 'Ana Ruiz', released_by: 'Ben' }]);
  expect(await luz()).toMatchObject({ streams: [{ records: 2 }], protectedByHold: 0 });
});

const HELD = /^wallet-transactions w1 of main was erased by e1, and hold [0-9a-f]{12} covered it$/;

/** An erasure written by hand: the fields of a record go, and the log says so. */
const eraseByHand = (id: string) =>
  stage.rows(`
    with gone as (delete from land.people where record_id = '${id}'),
    marked as (insert into land.erased_records (entity_id, stream, record_id, erasure_id) values ('main', 'wallet-transactions', '${id}', 'e1'))
    insert into land.erasures (entity_id, erasure_id, at, by_name, reason, asked_for, retention_years, records_erased, fields_erased,
      kept_by_retention, kept_by_hold)
    values ('main', 'e1', '${IN_SEVEN_YEARS}', 'Ana Ruiz', 'so', 'expired', 6, 1, 3, 0, 0)`);

const erasuresProved = () => stage.rows(loadSql('proofs/erased_records.sql').text);

test.each([
  ['before it', true],
  ['after it', false],
])('an erasure past a hold is named, of a record that landed %s', async (_when, isEarlier) => {
  if (!isEarlier) await stage.rows("delete from land.people where record_id = 'w1'");
  await holdLuz({ at: TODAY });
  if (!isEarlier)
    await stage.tell('wallet-transactions', payment('w1', 'luz@example.org', { note: 'changed' }));
  expect(await erasuresProved()).toMatchObject([{ faults: '0' }]);
  await eraseByHand('w1');
  expect(await erasuresProved()).toEqual([
    expect.objectContaining({ faults: '1', first: expect.stringMatching(HELD) }),
  ]);
});

test('an erasure after the release of a hold, before the hold, or of another record is not named', async () => {
  await ask({ person: 'ben@example.org', at: IN_SEVEN_YEARS });
  const [placed] = await holdLuz({ at: TODAY });
  await stage.tell('wallet-transactions', payment('w2', 'luz@example.org')); // its fields were erased before
  expect(await erasuresProved()).toMatchObject([{ checked: '1', faults: '0' }]);
  const holdId = placed?.holdId ?? '';
  await releaseHold(stage.db, { ...decided, holdId, entities: ['main'], at: IN_SEVEN_YEARS });
  await eraseByHand('w1');
  await holdLuz({ at: '2034-01-01T00:00:00.000Z' });
  await stage.tell('wallet-transactions', payment('w1', 'luz@example.org', { note: 'changed' }));
  expect(await erasuresProved()).toMatchObject([{ faults: '0', first: null }]);
});

test('all versions are erased, and a later one lands without personal data; change detection still works', async () => {
  await stage.tell('wallet-transactions', payment('w1', 'luz@example.org', { note: 'changed' }));
  expect(await luz()).toMatchObject({ streams: [{ records: 1, fields: 6 }] });
  const [now] = [payment('w1', 'luz@example.org', { note: 'changed' })];
  expect(await stage.tell('wallet-transactions', now)).toMatchObject({ fresh: 0, changed: 0 });
  const next = payment('w1', 'luz@example.org', { note: 'changed again', status: 'canceled' });
  expect(await stage.tell('wallet-transactions', next)).toMatchObject({ fresh: 0, changed: 1 });
  expect(await people()).toEqual(ALL.slice(3));
});

test('a new record of the same person has its personal data, because its retention begins', async () => {
  await luz();
  await stage.tell('wallet-transactions', payment('w9', 'luz@example.org'));
  expect((await people()).filter((one) => one.startsWith('w9'))).toHaveLength(3);
});

test('with an entity only its books are erased, without one all of them at once', async () => {
  await stage.rows(
    `insert into run.entities (entity_id, name, first_seen_at) values ('sub-1', 'sub-1', now())`,
  );
  const sub = { entity: 'sub-1', stream: 'wallet-transactions', key: Buffer.alloc(32, 7) } as const;
  await stage.rows(`insert into land.people_keys values ('sub-1', decode(repeat('07', 32), 'hex'))`);
  await stage.land([{ rows: [payment('w1', 'luz@example.org')] }], sub);
  await luz();
  const left = () =>
    stage.rows(`select distinct entity_id from land.people where value = '"luz@example.org"'`);
  expect(await left()).toEqual([{ entity_id: 'sub-1' }]);
  await ask({ person: 'luz@example.org', entities: ['main', 'sub-1'] });
  expect(await left()).toEqual([]);
});

test('thousands of records are erased in batches, and a failure in between leaves all of them', async () => {
  const rows = Array.from({ length: 4_500 }, (_, n) =>
    payment(`x${n}`, n % 2 ? 'odd@example.org' : 'even@example.org'),
  );
  await stage.tell('wallet-transactions', ...rows);
  const before = (await people()).length;
  await stage.rows('alter table land.erasures add constraint full_disk check (false) not valid');
  await expect(ask({ person: 'odd@example.org' })).rejects.toThrow('full_disk');
  expect(await people()).toHaveLength(before);
  await stage.rows('alter table land.erasures drop constraint full_disk');
  expect(await ask({ person: 'odd@example.org' })).toMatchObject({
    streams: [{ records: 2_250, fields: 6_750 }],
  });
  expect(await people()).toHaveLength(before - 6_750);
});

test("the planner's statistics contain no personal value", async () => {
  const statistics = async (target: number) => {
    await stage.rows(`alter table land.people alter column value set statistics ${target}`);
    await stage.rows('analyze land.people');
    return stage.rows("select attname from pg_stats where tablename = 'people' and attname = 'value'");
  };
  const [column] = await stage.rows(
    "select attstattarget from pg_attribute where attrelid = 'land.people'::regclass and attname = 'value'",
  );
  expect(column).toEqual({ attstattarget: 0 });
  expect(await statistics(0)).toEqual([]);
  expect(await statistics(-1)).toHaveLength(1); // otherwise this proves nothing
});
