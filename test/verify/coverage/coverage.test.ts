// verify coverage after a night: every removed or altered row is named.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyCoverage } from '../../../src/verify/coverage/coverage.ts';
import { openStageAfterNight, type Stage } from '../../jobs/stage.ts';

const ends: (() => Promise<void>)[] = [];
let stage: Stage;
beforeAll(async () => {
  stage = await openStageAfterNight({ entities: 1 }, (end) => ends.push(end));
});
afterAll(async () => {
  for (const end of ends) await end();
});

/** Verifies after a change that is rolled back, and returns the faults by list. */
const faultsAfter = async (change: string): Promise<string[]> =>
  stage.database.db
    .transaction()
    .execute(async (tx) => {
      await tx.executeQuery({ sql: change, parameters: [] } as never);
      const verified = await verifyCoverage(tx);
      const faults = verified.flatMap(({ stream, fault }) => (fault ? [`${stream}: ${fault.why}`] : []));
      throw Object.assign(new Error('taken back'), { faults });
    })
    .catch((error: Error & { faults?: string[] }) => {
      if (!error.faults) throw error;
      return error.faults;
    });

const first = (stream: string, table: string) =>
  `ctid = (select ctid from ${table} where stream = '${stream}' limit 1)`;

test('an unaltered night passes', async () => {
  expect((await verifyCoverage(stage.database.db)).map(({ fault }) => fault)).toEqual(
    (await verifyCoverage(stage.database.db)).map(() => null),
  );
});

test('a deleted record is named', async () => {
  const [record] = await stage.rows("select record_id from land.records where stream = 'trades' limit 1");
  const faults = await faultsAfter(`delete from land.records where ${first('trades', 'land.records')}`);
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(/^trades: page \d+ landed \d+ versions, \d+ are there; no longer there: record /);
  expect(faults[0]).toContain(`record ${record?.record_id}, version 1`);
});

test('an altered payload, request, page and interval are each named in their own list', async () => {
  const changes = {
    'land.records': `update land.records set payload = replace(payload, 'a', 'b')`,
    'land.requests': `update land.requests set target = target || '&limit=9'`,
    'land.pages': `update land.pages set fresh = fresh + 1`,
    'land.leaves': `update land.leaves set covered = tstzrange(lower(covered), upper(covered) + interval '1 day')`,
  };
  for (const [table, change] of Object.entries(changes)) {
    const faults = await faultsAfter(`${change} where ${first('movements', table)}`);
    expect([table, faults.map((fault) => fault.split(':')[0])]).toEqual([table, ['movements']]);
  }
});

test('an added record is named, also one that claims a request from before the first one', async () => {
  for (const request of ['request_id', '0', '-5', "'-9223372036854775808'"]) {
    const faults = await faultsAfter(`
      insert into land.records (entity_id, stream, record_id, version, scope, digest, payload, record_at, landed_at, request_id)
      select entity_id, stream, 'added', 1, scope, digest, payload, record_at, landed_at, ${request} from land.records
      where stream = 'trades' limit 1`);
    expect([request, faults.map((fault) => fault.split(':')[0])]).toEqual([request, ['trades']]);
  }
});
