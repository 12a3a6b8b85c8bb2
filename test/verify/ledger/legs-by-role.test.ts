// A leg is written with its entry, in one transaction, by the role of its stream: an existing entry takes no further legs.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inSession, openDatabase } from '../../../src/database/connection.ts';
import { copyBatch } from '../../../src/database/database.ts';
import { verifyRows } from '../../../src/verify/verify.ts';
import { addressesOf } from '../../database/roles/logins.ts';
import { openStageAfterNight, type Stage } from '../../jobs/stage.ts';

let stage: Stage;
let addresses: Awaited<ReturnType<typeof addressesOf>>;
beforeAll(async () => {
  stage = await openStageAfterNight({}, afterAll);
  await stage.advance(1);
  await stage.night();
  addresses = await addressesOf(stage.database.url);
});

const proofs = () => verifyRows(stage.database.db, { timezone: 'UTC', currency: 'EUR' });

test('two nights of a world equal a replay of the rules', async () => {
  const [entries] = await proofs();
  expect(entries).toMatchObject({ faults: '0', first: null });
  expect(Number(entries?.checked)).toBeGreaterThan(200);
});

const LEG = `
  insert into ledger.transfers (entity_id, entry_id, leg, debit, credit, currency, amount)
  select entity_id, entry_id, 99, 'assets:trading', 'equity:external:platform', 'EUR', 1
  from ledger.entries order by entry_id desc limit 1`;

const REFUSED =
  /^a leg joins only an entry of the same transaction$|^query would be affected by row-level security/;

describe.each(['loader', 'approver'] as const)('the %s cannot add a leg to an existing entry', (role) => {
  test.each(['', 'set row_security = off; ', 'begin isolation level repeatable read; '])(
    'by a statement: %s',
    async (setting) => {
      const adding = inSession(addresses[role], 'tieout test', (session) =>
        session.query(`${setting}${LEG}`),
      );
      await expect(adding).rejects.toThrow(REFUSED);
    },
  );

  test('by COPY', async () => {
    const [entry] = await stage.rows('select entry_id from ledger.entries');
    const legs = copyBatch('ledger.transfers');
    const leg = { leg: 99, debit: 'assets:trading', credit: 'equity:external:platform', currency: 'EUR' };
    legs.add({ entity_id: 'main', entry_id: entry?.entry_id ?? '', ...leg, amount: '1' });
    const { db, close } = openDatabase(addresses[role]);
    await expect(legs.take()(db)).rejects.toThrow(REFUSED);
    await close();
  });
});

test('nor to an entry of another role, in one transaction or not', async () => {
  const entry = (stream: string) => `
    insert into ledger.entries (entity_id, entry_id, effective_at, recorded_at, period, kind, stream, record_id, version, ordinal,
      rule_version, description)
    values ('main', gen_random_uuid(), now(), now(), '2031-01', 'manual', '${stream}', 'forged', 1, 1, 1, 'forged')`;
  const both = (role: 'loader' | 'approver', stream: string) =>
    inSession(addresses[role], 'tieout test', async (session) => {
      await session.query(`begin; ${entry(stream)}`);
      await session.query(LEG.replace('order by', "where record_id = 'forged' order by"));
      await session.query('rollback');
    });
  await expect(both('loader', 'movements')).resolves.toBeUndefined();
  await expect(both('approver', 'manual')).resolves.toBeUndefined();
  await expect(both('loader', 'manual')).rejects.toThrow('row-level security');
  await expect(both('approver', 'movements')).rejects.toThrow('row-level security');
});
