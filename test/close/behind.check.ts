// A closed month and the owner of the database: verify ledger finds any alteration by the owner and names the entry.
import { afterAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/connection.ts';
import { verifySeals } from '../../src/verify/seals/seals.ts';
import { septemberClosed } from './month.ts';

let once: ReturnType<typeof septemberClosed> | undefined;
const closedOnce = () => {
  once ??= septemberClosed(afterAll);
  return once;
};

describe('alterations by the owner of the database are found, and the entry is named', () => {
  const ONE =
    "select entry_id from ledger.entries where entity_id = 'main' and period = '2026-09' order by entry_id limit 1";
  test.each([
    [
      'an amount altered',
      `update ledger.transfers set amount = amount + 1e-18 where entry_id = (${ONE})`,
      /was altered in/,
    ],
    [
      'a description altered',
      `update ledger.entries set description = 'x' where entry_id = (${ONE})`,
      /was altered in/,
    ],
    [
      'the time of booking altered',
      `update ledger.entries set recorded_at = now() where entry_id = (${ONE})`,
      /was altered in/,
    ],
    [
      'an entry taken out',
      `with gone as (delete from ledger.transfers where entry_id = (${ONE}) returning entry_id)
      update ledger.entries set period = '2026-08' where entry_id in (select entry_id from gone)`,
      /was removed from|took effect in/,
    ],
    [
      'an entry put in',
      `insert into ledger.entries (entity_id, entry_id, effective_at, recorded_at, period, kind, stream,
        record_id, version, ordinal, rule_version, description)
      values ('main', gen_random_uuid(), '2026-09-30', now(), '2026-09', 'movement', 'movements', 'x', 1, 1, 1, 'x')`,
      /was put into/,
    ],
    [
      'an entry moved to an open month',
      `update ledger.entries set period = '2026-10' where entry_id = (${ONE})`,
      /counts in 2026-10/,
    ],
    [
      'a leaf altered',
      "update decide.seal_leaves set leaf = sha256('x') where entity_id = 'main'",
      /leaves have the root/,
    ],
    [
      'a sealed report altered',
      "update decide.seal_files set content = content || ' ' where name = 'journal.csv'",
      /journal.csv has the SHA-256/,
    ],
    ['a seal altered', "update decide.seals set root = repeat('0', 64)", /its leaves have the root/],
    [
      'a seal taken out',
      'delete from decide.seal_leaves; delete from decide.seal_files; delete from decide.seals',
      /belongs to no seal/,
    ],
  ])('%s', async (_, sql, message) => {
    const { stage, closed } = await closedOnce();
    const roots = closed.map((it) => it.sealed?.root ?? '');
    const one = openDatabase(stage.database.url); // queried in sequence, so it uses one connection
    try {
      await one.pool.query('begin');
      await one.pool.query(sql);
      const faults = (await verifySeals(one, roots)).flatMap(({ first }) => first ?? []);
      expect(faults.join('\n')).toMatch(message);
    } finally {
      await one.pool.query('rollback');
      await one.close();
    }
  });
});
