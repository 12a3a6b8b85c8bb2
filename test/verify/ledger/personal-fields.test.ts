// verify ledger: personal fields are stored until an erasure takes them, and records are marked as erased by erasures alone. The
// approver's role may delete the fields and mark the records, whatever it erased and whatever is on hold.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WireRecord } from '../../../src/base/streams.ts';
import { loadSql } from '../../../src/database/sql.ts';
import { placeHold } from '../../../src/privacy/holds.ts';
import { peopleKey, seal } from '../../../src/privacy/people.ts';
import { erase } from '../../../src/privacy/privacy.ts';
import { provePersonalFields } from '../../../src/verify/verify.ts';
import { instantAt, openStage, type Stage } from '../../land/stage.ts';

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
  origin: { class: 'email', email },
  ...rest,
});

const signed = { by: 'Ana Ruiz', reason: 'case 17', at: '2033-03-02T00:00:00.000Z', entities: ['main'] };
const eraseLuz = () =>
  stage.db
    .transaction()
    .execute((tx) => erase(tx, { ...signed, person: 'luz@example.org', retentionYears: 6, isDryRun: false }));

const asApprover = async (statement: string): Promise<void> => {
  const session = await stage.pool.connect();
  try {
    await session.query(`begin; set local role tieout_approver; ${statement}; commit`);
  } finally {
    session.release();
  }
};

const fields = async () => {
  const { checked, first } = await provePersonalFields(stage.url);
  return [checked, first];
};
const marks = async () => (await stage.pool.query(loadSql('proofs/erased_records.sql'))).rows[0];

test('what is stored and what was erased hold, also what lands after the erasure', async () => {
  expect(await fields()).toEqual(['2', null]);
  await eraseLuz();
  await stage.tell('wallet-transactions', payment('w1', 'luz@example.org', { status: 'cancelled' }));
  expect(await fields()).toEqual(['1', null]);
  expect(await marks()).toEqual({ checked: '1', faults: '0', first: null });
});

test('fields on hold that the approver deletes by hand are named', async () => {
  await stage.db.transaction().execute((tx) => placeHold(tx, { ...signed, text: 'luz@example.org' }));
  await asApprover("delete from land.people where record_id = 'w1'");
  expect(await fields()).toEqual([
    '2',
    'wallet-transactions w1 of main: origin.email of version 1 was deleted, and no erasure names the record',
  ]);
});

test('a field that the owner alters is named: the bank account of a list of payments is one', async () => {
  await stage.rows(`update land.people set value = '"ben@example.com"' where record_id = 'w2'`);
  expect(await fields()).toEqual([
    '2',
    'wallet-transactions w2 of main: origin.email of version 1 was altered: its value is not the one that its record commits to',
  ]);
});

test('a record that is marked without an erasure is named', async () => {
  await asApprover("insert into land.erased_records values ('main', 'wallet-transactions', 'w1', 'none')");
  expect((await marks()).first).toBe(
    'wallet-transactions w1 of main is marked as erased by none, and the log has no such erasure',
  );
});

test('a mark that is added to an erasure is named', async () => {
  const [erased] = await eraseLuz();
  await asApprover(
    `insert into land.erased_records values ('main', 'wallet-transactions', 'w2', '${erased?.erasureId}')`,
  );
  expect((await marks()).first).toBe(
    `erasure ${erased?.erasureId} of main: records erased 1, marked with it 2`,
  );
});

test('text of somebody else that looks like a commitment is none, and neither is what is not JSON', async () => {
  const lookalike = `personal:${'a'.repeat(64)}`;
  await stage.tell('wallet-transactions', payment('w3', 'zoe@example.org', { reference: lookalike }));
  await stage.rows(`update land.records set payload = '{"personal:' where record_id = 'w2'`);
  expect(await fields()).toEqual(['3', null]);
});

test('a delivery of the webhook and a line of a bank have fields too', async () => {
  const { payload, people } = seal({ name: 'Luz' }, await peopleKey(stage.db, 'main'));
  expect(people.map(({ path }) => path)).toEqual(['name']);
  await stage.rows(
    `insert into land.authorizations (entity_id, delivery_number, received_at, is_authorized, reason, body, body_sha256)
     values ('main', 7, now(), true, 'every transaction is authorized', $1, repeat('0', 64))`,
    [JSON.stringify(payload)],
  );
  await stage.rows(
    'alter table land.external_lines drop constraint external_lines_entity_id_account_name_statement_number_fkey',
  );
  await stage.rows(
    `insert into land.external_lines (entity_id, account_name, line_number, statement_number, file_line, booked_on, value_on, amount,
       reference_marks, is_related, payload) values ('main', 'Bank 1', 4, 1, 4, now(), now(), 1, '{}', true, $1)`,
    [JSON.stringify(payload)],
  );
  const store = (stream: string, record: string, version: number) =>
    stage.rows(`insert into land.people values ('main', $1, $2, $3, 'name', '"Luz"')`, [
      stream,
      record,
      version,
    ]);
  expect((await provePersonalFields(stage.url)).faults).toBe('2');
  await store('authorizations', 'delivery 7', 7);
  expect(await fields()).toEqual([
    '4',
    'bank-lines Bank 1 4 of main: name of version 1 was deleted, and no erasure names the record',
  ]);
  await store('bank-lines', 'Bank 1 4', 1);
  expect(await fields()).toEqual(['4', null]);
});
