// Restate: a changed rule replaces the outcomes of the rule before it, by reversal and never by rewriting.
import { beforeEach, describe, expect, test } from 'vitest';
import { forget } from '../../src/normalize/forget.ts';
import { normalize } from '../../src/normalize/normalize.ts';
import { booked, type Rule } from '../../src/normalize/outcome.ts';
import { type RestateRequest, restate } from '../../src/normalize/restate.ts';
import { RULES, type Rules } from '../../src/normalize/rule-table.ts';
import { instantAt, movement } from '../land/stage.ts';
import { BOOKS, openBooks, withdrawal } from './books.ts';

const books = openBooks();
beforeEach(() => books.rows('truncate ledger.restatements'));

/** The rule of movements with another result, as version 9. */
const changed = (rule: Rule, version = 9): Rules => ({ ...RULES, movements: { version, rule } });
const { rule: now, version: TODAY } = RULES.movements;

/** An earlier rule: half of the amount, a day late, or other words for the outcome. */
const halved: Rule = (record, context) => now({ ...record, amount: '5' }, context);
const late: Rule = (record, context) => now({ ...record, createdAt: instantAt(86_400) }, context);
const refused: Rule = (record, context) => now({ ...record, status: 'odd' }, context);
const waiting: Rule = (record, context) => now({ ...record, status: 'pending' }, context);

const book = (rules: Rules) => normalize(books.stage().db, BOOKS, { rules });
const again = (ask: RestateRequest = {}) => restate(books.stage().db, BOOKS, ask);
const chain = () =>
  books.rows(`select record_id, version, ordinal, kind, rule_version, effective_at, recorded_at > landed_at as later, outcome
    from books.chain order by record_id, version, ordinal`);
const tally = { unchanged: 0, restated: 0, newly_booked: 0, newly_rejected: 0, newly_set_aside: 0 };
const counted = (rest: object) => [
  { stream: 'movements', from_rule: 9, to_rule: TODAY, looked_at: 1, ...tally, ...rest },
];
const posted = (ordinal: number, kind: string, rest: object = {}) => ({
  record_id: 'm1',
  version: 1,
  ordinal,
  kind,
  rule_version: TODAY,
  effective_at: instantAt(0),
  later: true,
  outcome: 'booked',
  ...rest,
});
const first = posted(1, 'movement', { rule_version: 9, later: false });

describe("a record that today's rule", () => {
  test('books differently is reversed at its own time and posted again, when it is restated', async () => {
    await books.tell('movements', movement('m1'));
    await book(changed(halved));
    expect(await again({ by: 'Ada', reason: 'half was lost' })).toEqual(counted({ restated: 1 }));
    expect(await chain()).toEqual([first, posted(2, 'reversal'), posted(3, 'movement')]);
    expect((await books.balances())['assets:trading EUR']).toBe('10');
    expect(await books.rows('select * from books_internal.conservation_sums where difference <> 0')).toEqual(
      [],
    );
    const [restatement] = await books.rows(
      'select version, ordinal, restated_by, reason, from_rule, to_rule, was_outcome, was_reason from books.restatements',
    );
    expect(restatement).toEqual({
      version: 1,
      ordinal: 2,
      restated_by: 'Ada',
      reason: 'half was lost',
      from_rule: 9,
      to_rule: TODAY,
      was_outcome: 'booked',
      was_reason: null,
    });
    expect(
      await books.rows('select ordinal, restated_by, restated_because from books.chain order by ordinal'),
    ).toEqual([
      { ordinal: 1, restated_by: null, restated_because: null },
      { ordinal: 2, restated_by: 'Ada', restated_because: 'half was lost' },
      { ordinal: 3, restated_by: 'Ada', restated_because: 'half was lost' },
    ]);
  });

  test('books at another time is reversed at the old one and posted at the new one', async () => {
    await books.tell('movements', movement('m1'));
    await book(changed(late));
    await again();
    const before = instantAt(86_400);
    expect(await chain()).toEqual([
      { ...first, effective_at: before },
      posted(2, 'reversal', { effective_at: before }),
      posted(3, 'movement'),
    ]);
  });

  test("books alike keeps its entry; only the outcome names today's rule", async () => {
    await books.tell('movements', movement('m1'));
    await book(changed(now));
    expect(await again()).toEqual(counted({ unchanged: 1 }));
    expect(await chain()).toEqual([first]);
    expect(await books.rows('select rule_version from ledger.outcomes')).toEqual([{ rule_version: TODAY }]);
    expect(await books.rows('select * from ledger.restatements')).toEqual([]);
  });

  test.each([
    [
      'rejects is reversed',
      { amount: 'much' },
      (() => booked({ kind: 'movement', effectiveAt: instantAt(0), description: '', legs: TEN })) as Rule,
      { newly_rejected: 1 },
      [{ ...first, outcome: 'rejected' }, posted(2, 'reversal', { outcome: 'rejected' })],
    ],
    [
      'sets aside is reversed',
      { amount: '0' },
      (() => booked({ kind: 'movement', effectiveAt: instantAt(0), description: '', legs: TEN })) as Rule,
      { newly_set_aside: 1 },
      [{ ...first, outcome: 'set aside: zero' }, posted(2, 'reversal', { outcome: 'set aside: zero' })],
    ],
    ['books, formerly rejected, is posted', {}, refused, { newly_booked: 1 }, [posted(1, 'movement')]],
    ['books, formerly set aside, is posted', {}, waiting, { newly_booked: 1 }, [posted(1, 'movement')]],
  ])('%s', async (_what, fields, rule, tallied, entries) => {
    await books.tell('movements', movement('m1', fields));
    await book(changed(rule));
    expect(await again()).toEqual(counted(tallied));
    expect(await chain()).toEqual(entries);
  });

  test('rejected, and now accepts because of a setting, is posted', async () => {
    const user = { class: 'acme', amount: '7', currency: 'EUR' };
    await books.tell('wallet-transactions', withdrawal('completed', { destination: user }));
    await books.book();
    expect(await again()).toEqual([]);
    const tallies = await restate(books.stage().db, { ...BOOKS, platformClass: 'acme' });
    expect(tallies).toMatchObject([{ stream: 'wallet-transactions', looked_at: 1, newly_booked: 1 }]);
    expect((await books.balances())['equity:external:person EUR']).toBe('7');
    expect(await restate(books.stage().db, { ...BOOKS, platformClass: 'acme' })).toEqual([]);
  });

  test('booked as a payment to somebody else, whose pocket is listed by now, is posted to that pocket', async () => {
    const { stage } = books;
    await books.rows('truncate land.snapshots cascade');
    const pocket = (id: string) => ({ id, currency: 'EUR', balance: '0', blockedBalance: '0' });
    const toPocket = (id: string, pocketId: string) =>
      withdrawal('completed', {
        id,
        destination: { class: 'pocket', pocketId, amount: '100', currency: 'EUR' },
      });
    await books.tell('wallet-transactions', toPocket('w1', 'p-theirs'));
    await books.book(); // no list was read yet: every pocket is ours
    await stage().read('pocket', 'after', [pocket('p1')], instantAt(1));
    await books.tell('wallet-transactions', toPocket('w2', 'P2'), toPocket('w3', 'p-theirs'));
    await books.book();
    expect(await again()).toMatchObject([{ looked_at: 1, restated: 1 }]);
    expect((await books.balances())['equity:external:person EUR']).toBe('300');
    await stage().read('pocket', 'after', [pocket('p1'), pocket('p2')], instantAt(2));
    expect(await again()).toMatchObject([{ looked_at: 1, restated: 1 }]);
    expect(await again()).toEqual([]);
    const balances = {
      'assets:pocket:p1 EUR': '-300',
      'assets:pocket:p2 EUR': '100',
      'equity:external:person EUR': '200',
    };
    expect(await books.balances()).toEqual(balances);
    expect(await books.rows('select * from books_internal.conservation_sums where difference <> 0')).toEqual(
      [],
    );
    await forget(stage().db);
    await books.book();
    expect(await books.balances()).toEqual(balances);
  });

  test('rejects for another reason shows the earlier reason', async () => {
    await books.tell('movements', movement('m1', { amount: 'much' }));
    await book(changed(refused));
    expect(await again()).toEqual(counted({ unchanged: 1 }));
    expect(await books.rows('select was_outcome, was_reason, ordinal from books.restatements')).toEqual([
      { was_outcome: 'rejected', was_reason: 'status: unknown word "odd"', ordinal: null },
    ]);
    expect(await books.rows('select reason from books.rejects')).toEqual([
      { reason: 'amount: is not a number' },
    ]);
  });
});

const TEN = [{ debit: 'assets:trading', credit: 'assets:clearing:trading', currency: 'EUR', amount: '10' }];

describe('a restatement', () => {
  const many = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, nth) => movement(`m${String(from + nth).padStart(4, '0')}`));

  test('as a dry run books nothing and prints the same', async () => {
    await books.tell('movements', ...many(0, 1_200));
    await book(changed(halved));
    const before = await books.rows('select * from ledger.entries order by entry_id');
    const tallies = await again({ isDry: true });
    expect(tallies).toEqual(counted({ looked_at: 1_200, restated: 1_200 }));
    expect(await books.rows('select * from ledger.entries order by entry_id')).toEqual(before);
    expect(await books.rows('select * from ledger.restatements')).toEqual([]);
    expect(await again()).toEqual(tallies);
    expect(await again()).toEqual([]);
    expect((await books.balances())['assets:trading EUR']).toBe('12000');
  });

  test('killed between two batches resumes where it stopped', async () => {
    await books.tell('movements', ...many(0, 1_200));
    await book(changed(halved));
    const seen: string[] = [];
    const dying: Rule = (record, context) => {
      if (seen.push(String(record.id)) > 1_100) throw new Error('killed');
      return now(record, context);
    };
    await expect(again({ rules: changed(dying, TODAY) })).rejects.toThrow('killed');
    expect((await books.balances())['assets:trading EUR']).toBe('11000');
    expect(await again()).toEqual(counted({ looked_at: 200, restated: 200 }));
    expect((await books.balances())['assets:trading EUR']).toBe('12000');
  });

  test('processes only the latest version, and leaves new ones to normalize', async () => {
    await books.tell('movements', movement('m1'), movement('m2'));
    await book(changed(halved));
    await books.tell('movements', movement('m1', { amount: '11' }));
    expect(await again()).toEqual(counted({ restated: 1 })); // m2
    await books.book();
    expect(await again()).toEqual([]);
    expect((await books.balances())['assets:trading EUR']).toBe('21');
  });

  test('to another rule and back leaves a chain of five entries, and later versions follow them', async () => {
    await books.tell('movements', movement('m1'));
    await book(changed(now));
    await again({ rules: changed(halved, 8) });
    await again();
    await books.tell('movements', movement('m1', { amount: '12' }));
    await books.book();
    expect(
      (await chain()).map(({ ordinal, version, rule_version }) => [ordinal, version, rule_version]),
    ).toEqual([
      [1, 1, 9],
      [2, 1, 8],
      [3, 1, 8],
      [4, 1, TODAY],
      [5, 1, TODAY],
      [6, 2, TODAY],
      [7, 2, TODAY],
    ]);
    expect((await books.balances())['assets:trading EUR']).toBe('12');
  });
});

describe('forgetting', () => {
  const TABLES = ['ledger.entries', 'ledger.transfers', 'ledger.outcomes'];
  const all = async () =>
    Object.fromEntries(
      await Promise.all(
        TABLES.map(async (table) => [
          table,
          await books.rows(`select (to_jsonb(t) - 'entry_number')::text from ${table} t order by 1`),
        ]),
      ),
    );

  test('preserves the work of another rule or a restatement, and processes the rest again with the same result', async () => {
    await books.tell('movements', movement('m1'), movement('m2', { amount: '5' }), movement('m3'));
    await book(changed(halved)); // m1 and m3 change, m2 does not
    await books.tell('movements', movement('m4', { amount: 'much' }), movement('m5', { status: 'pending' }));
    await book(changed(refused));
    await again(); // m5 newly set aside, m4 rejected for another reason
    await books.tell('movements', movement('m1', { amount: '11' }), movement('m6'));
    await books.book();
    await books.tell('movements', movement('m7'));
    await book(changed(now)); // processed by the other rule, and not restated
    const before = await all();
    await forget(books.stage().db);
    expect(await books.rows('select record_id from land.inbox')).toEqual([{ record_id: 'm6' }]);
    await books.book();
    expect(await all()).toEqual(before);
    expect((await books.balances())['assets:trading EUR']).toBe('46');
  });

  test('preserves nothing if one rule made everything', async () => {
    await books.tell('movements', movement('m1'));
    await books.book();
    await forget(books.stage().db);
    expect(await books.rows('select record_id from land.inbox')).toHaveLength(1);
    expect(await books.rows('select * from ledger.entries')).toEqual([]);
  });
});
