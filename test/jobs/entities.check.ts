// The entities of a night, and the effect of one entity's failure on the others.

import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { UsageError } from '../../src/base/errors.ts';
import { exportReports } from '../../src/export/export.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { booked, night, openStage, openStageAfterNight, type Stage, truth, WORLD } from './stage.ts';
import { edit, tampered } from './tampered.ts';

/** What is read does not depend on how many records an entity has. */
const SMALL = { days: 2, perDay: 6 };

const subaccountOf = ({ sandbox }: Stage): string => sandbox.world.entities[1]?.entityId ?? '';

const entities = async (stage: Stage): Promise<string[]> =>
  (await stage.rows('select entity_id from books.entities order by entity_id')).map(({ entity_id }) =>
    String(entity_id),
  );

const findings = (stage: Stage) =>
  stage.rows("select severity, subject from books.findings where subject <> 'earn-wallets' order by 1, 2");

/** The entities not read on the cover of the last month. */
const notRead = async ({ home, database: { pool } }: Stage): Promise<unknown> => {
  const outDir = join(home, 'november');
  const month = { pool, period: '2026-11', outDir, timezone: 'UTC', currency: 'EUR' };
  return (await exportReports(month)).manifest.entities_not_read;
};

test('only configured entities are read, and the cover lists the others', async () => {
  const stage = await openStage(SMALL);
  const sub = subaccountOf(stage);
  expect((await stage.night(['main'])).exitCode).toBe(0);
  expect(await entities(stage)).toEqual(['main']);
  expect(await notRead(stage)).toEqual([sub]);
  expect((await stage.night([sub])).exitCode).toBe(0);
  expect(await entities(stage)).toEqual([sub, 'main'].sort());
  expect(await notRead(stage)).toEqual([]);
  expect(await stage.rows('select is_read from books_internal.subaccounts')).toEqual([{ is_read: true }]);
  expect(await stage.rows('select entity_id from run.listings')).toEqual([{ entity_id: 'main' }]); // the same list twice
  expect(await booked(stage)).toEqual(await truth(stage));
});

test('configured entities are read if the key may not list them, and the others are unknown', async () => {
  const stage = await openStage({ ...SMALL, faults: ['forbid:subaccounts'] });
  expect((await stage.night(['main'])).exitCode).toBe(0);
  expect(await findings(stage)).toEqual([]);
  expect(await stage.rows('select from run.listings')).toEqual([]); // as in the books of test/export/golden
});

test('a key that may not list subaccounts reads the main account: a note', async () => {
  const stage = await openStage({ ...SMALL, faults: ['forbid:subaccounts'] });
  expect((await stage.night()).exitCode).toBe(0);
  expect(await findings(stage)).toEqual([{ severity: 'note', subject: 'subaccounts' }]);
  expect(await entities(stage)).toEqual(['main']);
});

test('the same with an explicit all is a finding', async () => {
  const stage = await openStage({ ...SMALL, faults: ['forbid:subaccounts'] });
  expect((await stage.night('all')).exitCode).toBe(1);
  expect(await findings(stage)).toEqual([{ severity: 'finding', subject: 'subaccounts' }]);
});

/** Every table that has rows of an entity. */
const tablesWith = async ({ rows }: Stage, entity: string): Promise<string[]> => {
  const tables =
    await rows(`select format('%I.%I', table_schema, table_name) as name from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where column_name = 'entity_id' and table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`);
  const found: string[] = [];
  for (const { name } of tables)
    if ((await rows(`select from ${name} where entity_id = '${entity}' limit 1`)).length > 0)
      found.push(String(name));
  return found;
};

test.each(['subaccounts', 'nothing'])(
  'an entity unknown to the gateway is a finding and leaves nothing, if it forbids %s',
  async (list) => {
    const stage = await openStage({
      ...SMALL,
      faults: list === 'nothing' ? [] : [`forbid:${list}`],
    });
    const { exitCode } = await stage.night(['nobody', 'main', subaccountOf(stage)]);
    expect(exitCode).toBe(1);
    expect(await booked(stage)).toEqual(await truth(stage));
    expect(await tablesWith(stage, 'main')).toContain('run.entities');
    expect(await tablesWith(stage, 'nobody')).toEqual([]);
    expect(
      await stage.rows("select severity, detail from books.findings where subject = 'entities'"),
    ).toEqual([
      {
        severity: 'finding',
        detail: expect.stringMatching(/^GATEWAY_ENTITIES names nobody, which the gateway does/),
      },
    ]);
  },
);

test('listed ids that cannot name books are findings, and their accounts are not read', async () => {
  const stage = await openStage(SMALL);
  const bad = [
    'main',
    'all',
    'acme',
    'a\u0000b',
    'a\r\nx-api-key: b',
    'ü',
    'x'.repeat(65),
    '../main',
    'half \ud800',
  ];
  stage.sandbox = await tampered(stage.sandbox, (target, answer) => {
    if (!target.startsWith('/v1/account/subaccount')) return;
    edit(answer, ({ data }: { data: unknown[] }) => {
      const rows = [...data, ...data, ...bad.map((id) => ({ id }))];
      return { total: rows.length - data.length, data: rows };
    });
  });
  const result = await night({ ...stage.settings(), entity: 'acme' });
  expect([result.exitCode, result.summary]).toEqual([1, expect.not.stringContaining('failed')]);
  expect(await entities(stage)).toEqual([subaccountOf(stage), 'acme'].sort());
  const unusable = await stage.rows("select detail from books.findings where subject = 'subaccounts'");
  expect(unusable.map(({ detail }) => detail)).toEqual(
    bad.map((id) => expect.stringContaining(`as ${JSON.stringify(id)}, which cannot name books`)),
  );
});

test('a subaccount that is answered as the main account is a finding, and nothing is counted twice', async () => {
  const stage = await openStage({ ...SMALL, entities: 3 });
  const main = stage.sandbox.world.entities[0]?.userId;
  stage.sandbox = await tampered(
    stage.sandbox,
    () => {},
    () => true,
  );
  expect((await stage.night()).exitCode).toBe(1);
  expect((await stage.night()).exitCode).toBe(1);
  expect(await entities(stage)).toEqual(['main']);
  const reported = await stage.rows(
    "select distinct severity, detail from books.findings where subject = 'subaccounts'",
  );
  expect(reported).toHaveLength(2);
  const detail = expect.stringContaining(`as user ${main}, whose books are main: it is not read`);
  expect(reported).toEqual(reported.map(() => ({ severity: 'finding', detail })));
});

test('a list of subaccounts that names the account itself too is a note', async () => {
  const stage = await openStage(SMALL);
  const own = { id: stage.sandbox.world.entities[0]?.userId };
  stage.sandbox = await tampered(
    stage.sandbox,
    (target, answer) => {
      if (!target.startsWith('/v1/account/subaccount')) return;
      edit(answer, ({ total, data }: { total: number; data: unknown[] }) => ({
        total: total + 1,
        data: [...data, own],
      }));
    },
    (subaccount) => subaccount === own.id,
  );
  expect((await stage.night()).exitCode).toBe(0);
  expect(await entities(stage)).toEqual([subaccountOf(stage), 'main'].sort());
});

test('GATEWAY_ENTITIES with the name that TIEOUT_ENTITY gives the main account is refused, and nothing is stored', async () => {
  const stage = await openStage(SMALL);
  await expect(night({ ...stage.settings(['acme']), entity: 'acme' })).rejects.toMatchObject({
    exitCode: 64,
    message: 'GATEWAY_ENTITIES names acme, the name of the main account in TIEOUT_ENTITY: write main instead',
  });
  expect(await entities(stage)).toEqual([]);
});

test("another account's key is refused, and none of its records or entities is stored", async () => {
  const stage = await openStageAfterNight();
  const count = () =>
    stage.rows(
      'select (select count(*) from land.records) as records, (select count(*) from run.entities) as entities',
    );
  const before = await count();
  const other = await startSandbox({ ...WORLD, ...SMALL, seed: 5, entities: 4 });
  onTestFinished(() => other.close());
  const own = stage.sandbox;
  stage.sandbox = other;
  const refused = await stage.night().catch((error: Error) => error);
  stage.sandbox = own;
  expect(refused).toBeInstanceOf(UsageError);
  expect((refused as Error).message).toMatch(/books of another account/);
  expect(await count()).toEqual(before);
  const [run] = await stage.rows('select exit_code from books.runs order by started_at desc limit 1');
  expect(run).toEqual({ exit_code: 64 });
});

test('the same account under another entity name is refused, because everything would count twice', async () => {
  const stage = await openStageAfterNight();
  const again = night({ ...stage.settings(), entity: 'again' });
  await expect(again).rejects.toThrow(UsageError);
  await expect(again).rejects.toThrow('has books already, as main');
  expect(await stage.rows("select record_id from land.records where entity_id = 'again'")).toEqual([]);
  expect(await entities(stage)).toEqual([subaccountOf(stage), 'main'].sort()); // a night of it could never finish
});

test('another account begins books of its own beside the first ones', async () => {
  const stage = await openStageAfterNight();
  const before = await entities(stage);
  const other = await startSandbox({ ...WORLD, ...SMALL, seed: 5, entities: 1 });
  onTestFinished(() => other.close());
  stage.sandbox = other;
  await night({ ...stage.settings(), entity: 'second' });
  expect(await entities(stage)).toEqual([...before, 'second'].sort());
  expect(await stage.rows("select from land.records where entity_id = 'second' limit 1")).toHaveLength(1);
});
