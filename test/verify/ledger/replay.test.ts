// The replay: landed rows give every entry and every leg again, and it finds any that was added by hand.
import { beforeEach, describe, expect, test } from 'vitest';
import { normalize } from '../../../src/normalize/normalize.ts';
import type { Rule } from '../../../src/normalize/outcome.ts';
import { restate } from '../../../src/normalize/restate.ts';
import { RULES, type Rules } from '../../../src/normalize/rule-table.ts';
import { verifyRows } from '../../../src/verify/verify.ts';
import { movement } from '../../land/stage.ts';
import { BOOKS, openBooks, withdrawal } from '../../normalize/books.ts';

const books = openBooks();
beforeEach(() => books.rows('truncate ledger.restatements, run.conservation'));

const faults = async (rules?: Rules) => {
  const settings = { timezone: 'UTC', currency: 'EUR', ...(rules ? { rules } : {}) };
  return (await verifyRows(books.stage().db, settings)).flatMap(({ first }) => first ?? []);
};

const whole = async () => {
  await books.tell('movements', movement('m1'), movement('m2'));
  await books.tell('wallet-transactions', withdrawal('completed'));
  await books.tell('wallet-transactions', withdrawal('cancelled'));
  await books.book();
};

test('unaltered books pass, with a correction and a cancellation', async () => {
  await whole();
  const proofs = await verifyRows(books.stage().db, { timezone: 'UTC', currency: 'EUR' });
  expect(proofs.slice(0, 2).map(({ checked, first }) => [checked, first])).toEqual([
    ['3', null],
    ['0', null],
  ]);
});

const M1 = "(select entry_id from ledger.entries where record_id = 'm1')";

describe('named', () => {
  test.each([
    [
      'a leg added to an open entry',
      `insert into ledger.transfers values ('main', ${M1}, 2, 'assets:trading', 'equity:external:platform', 'EUR', 1)`,
      /^movements m1 of main: entry \S+ has the legs .*"2","assets:trading","equity:external:platform","EUR","1".* the rules give/,
    ],
    ['an amount', `update ledger.transfers set amount = amount + 1e-18 where entry_id = ${M1}`, /m1 .* legs/],
    ['a leg number', `update ledger.transfers set leg = 7 where entry_id = ${M1}`, /m1 .* legs/],
    [
      'an entry of no version',
      `insert into ledger.entries select entity_id, gen_random_uuid(), effective_at, recorded_at, period, kind, stream, record_id,
        version, 2, reverses, rule_version, description, original_period from ledger.entries where record_id = 'm1'`,
      /m1 of main: entry \S+ follows from none of its versions/,
    ],
    [
      'an entry that is gone',
      `delete from ledger.transfers where entry_id = ${M1}; delete from ledger.entries where record_id = 'm1'`,
      /m1 of main: entry \S+ \(movement\) is missing/,
    ],
    [
      'a description',
      "update ledger.entries set description = 'a gift' where record_id = 'm1'",
      /m1 of main: entry \S+ has the description a gift, the rules give/,
    ],
    [
      'an outcome',
      "update ledger.outcomes set final = false where record_id = 'm1'",
      /m1 of main: the outcome of version 1 has the final false, the rules give true/,
    ],
    [
      'a claim that an older rule decided',
      "update ledger.outcomes set rule_version = 8 where record_id = 'm1'; update ledger.entries set rule_version = 8 where record_id = 'm1'",
      /^movements m1 of main: version 1 was decided by rule 8, and this program knows the rules 1 to 1$/,
    ],
    [
      'a claim that a rule before the first one decided, which is neither replayed nor counted',
      `update ledger.outcomes set rule_version = 0 where record_id = 'm1';
       update ledger.entries set rule_version = 0, description = 'a gift' where record_id = 'm1'`,
      /^movements m1 of main: version 1 was decided by rule 0, and this program knows the rules 1 to 1$/,
    ],
    [
      'an earlier version put back into the inbox, and what it booked taken out',
      `delete from ledger.transfers t using ledger.entries e where (t.entity_id, t.entry_id) = (e.entity_id, e.entry_id) and e.stream = 'wallet-transactions';
       delete from ledger.entries where stream = 'wallet-transactions';
       delete from ledger.outcomes where stream = 'wallet-transactions' and version = 1;
       insert into land.inbox select entity_id, stream, record_id, version, request_id from land.records where stream = 'wallet-transactions' and version = 1`,
      /^version 1 of wallet-transactions \S+ of main has no outcome, and a later one has$/,
    ],
    [
      'a version that waits where no night looks',
      `delete from ledger.transfers where entry_id = ${M1}; delete from ledger.entries where record_id = 'm1';
       delete from ledger.outcomes where record_id = 'm1';
       insert into land.inbox select entity_id, stream, record_id, version, -5 from land.records where record_id = 'm1'`,
      /^version 1 of movements m1 of main waits in the inbox at request -5, and request \d+ landed it$/,
    ],
    [
      'an entry of a rule before the first one',
      "update ledger.entries set rule_version = 0, description = 'a gift' where record_id = 'm1'",
      /^movements m1 of main: entry \S+ was booked by rule 0, which never was$/,
    ],
  ])('%s', async (_, statement, says) => {
    await whole();
    await books.rows(statement);
    const found = await faults();
    expect(found[0]).toMatch(says);
  });
});

test('a pocket that is listed between two versions of a record, or after it, is no fault', async () => {
  await books.rows('truncate land.snapshots cascade');
  const list = (...ids: string[]) =>
    books.stage().read(
      'pocket',
      'after',
      ids.map((id) => ({ id, currency: 'EUR', balance: '0', blockedBalance: '0' })),
    );
  const toPocket = (id: string, note: string) =>
    withdrawal('completed', {
      id,
      note,
      destination: { class: 'pocket', pocketId: 'p2', amount: '100', currency: 'EUR' },
    });
  await list('p1');
  await books.tell('wallet-transactions', toPocket('changed', 'a'), toPocket('same', 'a'));
  await books.book();
  await list('p1', 'p2');
  await books.tell('wallet-transactions', toPocket('changed', 'b'));
  await books.book();
  const kinds = await books.rows('select record_id, kind from books.entries order by record_id, ordinal');
  expect(kinds.map(({ record_id }) => record_id)).toEqual(['changed', 'changed', 'changed', 'same']);
  expect(await faults()).toEqual([]);
});

/** Today's rules, as the second version of that of movements. */
const SECOND: Rules = { ...RULES, movements: { ...RULES.movements, version: 2 } };

test("outcomes of an older rule pass until altered, and restated ones are replayed by today's rule", async () => {
  const halved: Rule = (record, context) => RULES.movements.rule({ ...record, amount: '5' }, context);
  await books.tell('movements', movement('m1'));
  await normalize(books.stage().db, BOOKS, {
    rules: { ...RULES, movements: { version: 1, rule: halved } },
  });
  await restate(books.stage().db, BOOKS, { by: 'Ada', reason: 'half was lost', rules: SECOND });
  expect(await faults(SECOND)).toEqual([]);
  await books.rows(`update ledger.transfers set amount = 11 where entry_id =
    (select entry_id from ledger.entries order by ordinal desc limit 1)`);
  expect(await faults(SECOND)).toEqual([expect.stringMatching(/m1 of main: entry \S+ has the legs/)]);
});

test("an older rule's entry that today's rule confirms passes after a restatement, until altered", async () => {
  await books.tell('movements', movement('m1'));
  await normalize(books.stage().db, BOOKS);
  await restate(books.stage().db, BOOKS, {
    by: 'Ada',
    reason: 'the rule has a new version',
    rules: SECOND,
  });
  const [outcome] = await books.rows('select rule_version from ledger.outcomes');
  expect(outcome).toEqual({ rule_version: 2 });
  expect(await faults(SECOND)).toEqual([]);
  await books.rows('update ledger.transfers set amount = 11');
  expect(await faults(SECOND)).toEqual([expect.stringMatching(/m1 of main: entry \S+ has the legs/)]);
});
