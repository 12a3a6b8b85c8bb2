// A second person: a change of money or tax needs another person's approval, in the program and in the database.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  acceptance,
  approve,
  budgetChange,
  budgetOf,
  type Change,
  dutiesOf,
  proposals,
  propose,
  setDuties,
} from '../../src/approvals/approvals.ts';
import { overBudget } from '../../src/close/readiness.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { BANK_RULE, chartFrom, lotsOf, profileOf, ratesOf, rulesOf, waiverOf } from './changes.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
  await books.pool.query(`insert into run.entities (entity_id, name, timezone, currency, first_seen_at)
    values ('main', 'main', 'UTC', 'EUR', now())`);
});
afterAll(() => books.close());

const desk = () => ({ db: books.db, decider: books.db, settings: { timezone: 'UTC', currency: 'EUR' } });
const rows = async (sql: string) => (await books.pool.query(sql)).rows;
const prepared = async (content: Change, by = 'Ada', reason = 'as agreed') => {
  const evidence = { name: 'mail.eml', sha256: 'c'.repeat(64) };
  const request = { entity: 'main', content, reason, by, evidence };
  return (await propose(desk(), request)).proposal.proposal_id;
};

const approvedBy = (id: string, by: string) => approve(desk(), { id, entity: 'main', by });

const KINDS: readonly (readonly [string, Change])[] = [
  ['decide.waivers', waiverOf('2026-10')],
  [
    'decide.value_acceptances',
    {
      action: 'accept',
      description: 'value findings',
      base: '0',
      period: '2026-10',
      findings_max: '3',
    },
  ],
  ['decide.external_lots', lotsOf('a.csv')],
  ['decide.counterparty_files', rulesOf(BANK_RULE)],
  ['decide.charts', chartFrom('2026-01')],
  [
    'decide.label_files',
    {
      action: 'labels',
      description: 'labels',
      base: '0',
      file_name: 'a.csv',
      labels: [{ kind: 'entity', id: 'main', label: 'Acme' }],
    },
  ],
  ['land.official_files', ratesOf('2026-10-01')],
  ['decide.profiles', profileOf({ legal_name: 'Acme', taxpayer: 'acme', cost_method: 'average' })],
];

test.each(KINDS)('%s changes nothing before another person approves it', async (place, change) => {
  const count = async () => (await rows(`select count(*)::int as count from ${place}`))[0]?.count;
  const before = await count();
  const id = await prepared(change);
  expect(await count()).toBe(before);
  await expect(approvedBy(id, ' ADA ')).rejects.toThrow('another person approves or refuses it');
  await approvedBy(id, 'Grace');
  expect(await count()).toBe(before + 1);
});

test('an id of two proposals is refused without the entity: whoever prepares them can make their ids equal', async () => {
  const id = await prepared(waiverOf('2026-09'), 'Ada', 'one of two');
  const columns = 'proposal_id, action, content, content_sha256, reason, prepared_by, prepared_at';
  await rows(
    `insert into decide.proposals (entity_id, ${columns}) select 'other', ${columns} from decide.proposals where proposal_id = '${id}'`,
  );
  const answer = { id, entity: null, by: 'Grace' };
  await expect(approve(desk(), answer)).rejects.toThrow(
    `several proposals have the id ${id}, of main, other: add --entity ID`,
  );
  await approvedBy(id, 'Grace');
  await rows(`delete from decide.proposals where entity_id = 'other'`);
});

test('a lookalike name counts as the same person, and a name in two scripts is refused', async () => {
  const id = await prepared(waiverOf('2026-11'), 'Coco');
  await expect(approvedBy(id, '\u0421\u043e\u0441\u043e')).rejects.toThrow('another person approves');
  await expect(approvedBy(id, 'C\u043eco')).rejects.toThrow('mixes Latin and Cyrillic letters');
});

test('the database refuses the same name, an approval without a proposal, and a change without approval', async () => {
  const id = await prepared(waiverOf('2026-12'));
  const asApprover = async (sql: string) => {
    const session = await books.pool.connect();
    try {
      await session.query('begin');
      await session.query('set local role tieout_approver');
      await session.query(sql);
    } finally {
      await session.query('rollback');
      session.release();
    }
  };
  const approval = (by: string, version = 'null') =>
    asApprover(`insert into decide.approvals (entity_id, proposal_id, verdict, prepared_by, approved_by, approved_at, duties_version)
      values ('main', '${id}', 'approved', 'Ada', '${by}', now(), ${version})`);
  for (const name of ['\uff21da', 'A.da', ' a-d\u2009a', 'Ad\u00e1'])
    await expect(approval(name), name).rejects.toThrow('another_person');
  await expect(approval('Ada', '1')).rejects.toThrow('row-level security');
  await expect(approval('Grace')).resolves.toBeUndefined();
  await expect(
    asApprover(`insert into decide.waivers (entity_id, break_id, period, difference, by_name, reason, at)
      values ('main', 'b', '2026-10', 1, 'Grace', 'so', now())`),
  ).rejects.toThrow('row-level security');
});

const CONTENT = "replace(content, '-5', '-50000')";

test.each([
  ['content', `content = ${CONTENT}`],
  [
    'content and its digest',
    `content = ${CONTENT}, content_sha256 = encode(sha256(convert_to(${CONTENT}, 'UTF8')), 'hex')`,
  ],
  ['content without a digest', `content = ${CONTENT}, content_sha256 = null`],
  ['reason', "reason = 'another'"],
  ['evidence', "evidence_sha256 = repeat('a', 64)"],
  ['preparer', "prepared_by = 'Eve'"],
  ['entity', "entity_id = 'other'"],
])('a proposal whose %s was altered after it was prepared cannot be approved', async (what, change) => {
  const id = await prepared(waiverOf('2027-01'), 'Ada', `altered: ${what}`);
  await rows(`update decide.proposals set ${change} where proposal_id = '${id}'`);
  await expect(approve(desk(), { id, entity: null, by: 'Grace' })).rejects.toThrow(
    'cannot be approved, only refused: it has changed since it was prepared',
  );
  await rows(`delete from decide.proposals where proposal_id = '${id}'`);
});

test('a change that another one overtook must be prepared again', async () => {
  const [first, second] = [
    await prepared(await budgetChange(books.db, 'main', { ceiling: '100', currency: 'EUR' })),
    await prepared(await budgetChange(books.db, 'main', { ceiling: '900', currency: 'EUR' })),
  ];
  await approvedBy(first, 'Grace');
  await expect(approvedBy(second, 'Grace')).rejects.toThrow('other budget took effect since it was prepared');
  expect(await budgetOf(books.db, 'main')).toEqual({ version: '1', ceiling: '100', prepared_by: 'Ada' });
});

test('a number of accepted items may be set back to an earlier one', async () => {
  const accept = async (findingsMax: number) => {
    const content = await acceptance(books.db, 'main', { period: '2027-05', findingsMax });
    await approvedBy(await prepared(content), 'Grace');
  };
  for (const findingsMax of [5, 3, 5]) await accept(findingsMax);
  expect(
    await rows(
      `select findings_max from books_internal.value_acceptances where period = '2027-05' order by approved_at`,
    ),
  ).toEqual([{ findings_max: 5 }, { findings_max: 3 }, { findings_max: 5 }]);
});

test('of two proposals that replace the same, the second is prepared again once the first is approved', async () => {
  const change = await acceptance(books.db, 'main', { period: '2027-06', findingsMax: 4 });
  const [first, second] = [await prepared(change, 'Ada', 'one'), await prepared(change, 'Ada', 'two')];
  await approvedBy(first, 'Grace');
  await expect(approvedBy(second, 'Grace')).rejects.toThrow('took effect since it was prepared (1 after 0)');
});

const USES = {
  by: 'Grace',
  waivedBy: 'Linus',
  acceptedBy: 'Edsger',
  budget: '50',
  highest: '100',
  isOnePerson: false,
};
const needsOf = (uses: Partial<typeof USES>): string[] => {
  const { by, waivedBy, acceptedBy, budget, highest, isOnePerson } = { ...USES, ...uses };
  const waived = [
    {
      break_id: '3f9c21d07a44',
      account: 'assets:trading',
      currency: 'BTC',
      difference: '-5',
      value: '10',
      by_name: waivedBy,
      reason: 'paid in November',
      at: '2026-11-01T00:00:00Z',
    },
  ];
  const unvalued = { findings: 2, accepted: 2, accepted_by: acceptedBy, estimate: '30', unpriced: 1 };
  const ceiling = { version: '1', ceiling: highest, prepared_by: 'Ada' };
  const accepted = { waived, unvalued, by, budget, ceiling, isOnePerson, currency: 'EUR' };
  return overBudget(accepted).map(({ detail }) => detail);
};
const budgetNeeds = (uses: Partial<typeof USES>) => needsOf(uses).map((detail) => detail.split(': ')[0]);

test.each<[Partial<typeof USES>, string[]]>([
  [{}, []],
  [{ budget: '39' }, ['their gross value is 40.00 EUR, the budget is 39']],
  [{ budget: '101' }, ['the ceiling is 100 EUR']],
  [{ by: 'ada' }, ['Ada set its ceiling, and closes']],
  [{ waivedBy: 'A.da' }, ['Ada set its ceiling, and waived break 3f9c21d07a44']],
  [{ acceptedBy: 'Ad\u00e1' }, ['Ada set its ceiling, and accepted value findings']],
  [{ by: 'Ada', waivedBy: 'Ada', acceptedBy: 'Ada', isOnePerson: true }, []],
])('a close keeps to a ceiling that somebody else set before: with %j it needs %j', (uses, needs) => {
  expect(budgetNeeds(uses)).toEqual(needs);
});

test('a larger budget is advised where the ceiling allows it; otherwise the ceiling comes first', () => {
  const [allowed] = needsOf({ budget: '39', highest: '40' });
  expect(allowed).toMatch(/: resolve some, or state a larger one with --budget AMOUNT$/);
  const [refused] = needsOf({ budget: '0', highest: '39.99' });
  expect(refused).toMatch(
    /: resolve some, or raise the ceiling of 39.99 EUR \(.*\), then state a larger one with --budget AMOUNT$/,
  );
});

test('one person may do both once a named person allows it; it is switched off once, and every version stays', async () => {
  const off = { isOnePerson: true, by: 'Ada', reason: 'a company of one' };
  const id = await prepared(waiverOf('2027-02'));
  await setDuties(books.db, off);
  await approvedBy(id, 'Ada');
  expect((await proposals(books.db, { id }))[0]).toMatchObject({ verdict: 'approved', approved_by: 'Ada' });
  await setDuties(books.db, { isOnePerson: false, by: 'Grace', reason: 'there are two of us' });
  await expect(approvedBy(await prepared(waiverOf('2027-03')), 'Ada')).rejects.toThrow('another person');
  await expect(setDuties(books.db, off)).rejects.toThrow('cannot be switched off twice');
  expect(await dutiesOf(books.db)).toMatchObject({ version: 2, is_one_person: false, set_by: 'Grace' });
  await expect(
    rows("insert into decide.duties values (3, true, 'Mallory', 'quietly', now())"),
  ).rejects.toThrow('duties_off_once');
});

test('decisions have the time of the database, whatever clock their hosts have', async () => {
  const [began] = await rows('select clock_timestamp() as at');
  const onHost = async (aheadMs: number, decide: () => Promise<unknown>) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + aheadMs });
    await decide().finally(() => vi.useRealTimers());
  };
  const day = 86_400_000;
  const change = waiverOf('2027-04');
  await onHost(day, () => prepared(change, 'Ada', 'by two hosts'));
  const id = await prepared(change, 'Ada', 'by two hosts');
  await onHost(-day, () => approvedBy(id, 'Grace'));
  const times = await rows(
    `select '${began?.at}' <= prepared_at and prepared_at <= approved_at and approved_at <= clock_timestamp() as "areInOrder"
     from books.proposals where proposal_id = '${id}'`,
  );
  expect(times).toEqual([{ areInOrder: true }]);
});
