// The check on approvals: a command stores each with its effect; one that somebody stored without it, or with other rows, is named.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adjustment, propose, readLeg, reversal } from '../../src/approvals/approvals.ts';
import { byBoth } from '../approvals/both.ts';
import { DECISIONS, decideAll } from '../approvals/decisions.ts';
import { withReasons } from '../export/page/reasons.ts';
import { instantAt, openStage, type Stage } from '../land/stage.ts';

let stage: Stage;
const desk = () => ({ db: stage.db, decider: stage.db, settings: { timezone: 'UTC', currency: 'EUR' } });
const adjusted = (amount: string) =>
  adjustment(instantAt(0), [readLeg(`equity:external:person <- assets:trading ${amount} EUR`)]);

beforeAll(async () => {
  stage = await openStage();
  await decideAll(desk(), DECISIONS);
  await byBoth(stage.db, adjusted('1'));
  const [entry] = await stage.rows("select entry_id::text from ledger.entries where stream = 'manual'");
  const { content } = await reversal(stage.db, String(entry?.entry_id), 'main');
  await byBoth(stage.db, content);
});
afterAll(() => stage.close());

/** The reasons of the check after a change by SQL, which is undone. */
const reasonsAfter = async (change: string): Promise<unknown[]> => {
  await stage.rows(change);
  return withReasons(await stage.check('approval_effects')).map(({ reason }) => reason);
};

/** Stores Grace's approval of an adjustment, and nothing else. */
const approvedAlone = async (amount: string, period: string | null): Promise<void> => {
  const request = { entity: 'main', content: adjusted(amount), reason: 'r', by: 'Ada', evidence: null };
  const { proposal } = await propose(desk(), request);
  await stage.rows(
    `insert into decide.approvals (entity_id, proposal_id, verdict, prepared_by, approved_by, approved_at, period)
     values ('main', $1, 'approved', 'Ada', 'Grace', now(), $2)`,
    [proposal.proposal_id, period],
  );
};

const REST = ': store or remove the rest as the approver, or restore a dump from before it';

describe('approval_effects', () => {
  test('finds nothing where every approval has its effect', async () => {
    expect(await stage.check('approval_effects')).toEqual([]);
  });

  test('names an adjustment that was approved and is not booked, and how it can be', async () => {
    await approvedAlone('2', '2026-03');
    await approvedAlone('3', null);
    expect((await reasonsAfter('select')).sort()).toEqual([
      'Grace approved it (adjust), and its entry is not booked: npx tieout rebuild books it',
      'Grace approved it (adjust), and neither its entry nor its month is stored: restore a dump from before it',
    ]);
    await stage.rows(
      "delete from decide.approvals a using decide.proposals p where a.proposal_id = p.proposal_id and p.reason = 'r'",
    );
  });

  test.each([
    ['waivers', 'waive), 0 of its 1 rows are stored'],
    ['budgets', 'budget), 0 of its 1 rows are stored'],
    ['value_acceptances', 'accept), 0 of its 1 rows are stored'],
    ['external_lots', 'lots), 0 of its 1 rows are stored'],
    ['profiles', 'profiles), 0 of its 1 rows are stored'],
    ['counterparty_accounts', 'counterparties), 2 of its 3 rows are stored'],
    ['chart_lines', 'chart), 2 of its 3 rows are stored'],
    ['chart_classes', 'chart), 2 of its 3 rows are stored'],
    ['labels', 'labels), 1 of its 2 rows are stored'],
  ])('names an approval without its %s', async (name, counts) => {
    const place = `decide.${name}`;
    await stage.rows(`create table public.kept as table ${place}`);
    const reasons = await reasonsAfter(`delete from ${place}`);
    await stage.rows(`insert into ${place} overriding system value table public.kept`);
    await stage.rows('drop table public.kept');
    expect(new Set(reasons)).toEqual(new Set([`Grace approved it (${counts}${REST}`]));
    expect(await stage.check('approval_effects')).toEqual([]);
  });

  test('names a manual entry, and a reversal of one, that nobody approved', async () => {
    const added = `insert into ledger.entries (entity_id, entry_id, effective_at, recorded_at, period, kind, stream, record_id, version,
        ordinal, reverses, rule_version, description)
      select entity_id, gen_random_uuid(), now(), now(), '2026-03', 'manual', stream, 'p9', 1, 1, null, 1, '' from ledger.entries
      where ordinal = 1
      union all
      select entity_id, gen_random_uuid(), now(), now(), '2026-03', 'reversal', stream, record_id, 1, 3, gen_random_uuid(), 1, ''
      from ledger.entries where ordinal = 1`;
    const why = 'it was booked by hand and nobody approved it: npx tieout rebuild leaves it out';
    expect(await reasonsAfter(added)).toEqual([why, why]);
    await stage.rows("delete from ledger.entries where record_id = 'p9' or ordinal = 3");
  });

  /** Posts the reversal again as a reopening does: undone by the third entry of its chain, and redone as the fourth. */
  const returned = (amount: string, record = 'record_id') => `
    with late as (select * from ledger.entries where ordinal = 2), made as (
      insert into ledger.entries (entity_id, entry_id, effective_at, recorded_at, period, kind, stream, record_id, version, ordinal, reverses,
        rule_version, description)
      select entity_id, gen_random_uuid(), effective_at, now(), period, made.kind, stream, ${record}, 1, made.ordinal, null, 1, ''
      from late cross join (values ('manual', 3), ('reversal', 4)) as made (kind, ordinal)
      returning *
    ), legs as (
      insert into ledger.transfers
      select m.entity_id, m.entry_id, t.leg, case m.ordinal when 3 then t.credit else t.debit end,
        case m.ordinal when 3 then t.debit else t.credit end, t.currency, ${amount}
      from made m cross join late join ledger.transfers t on t.entry_id = late.entry_id
    )
    insert into ledger.returns (entity_id, entry_id, undone_by, redone_as, period, at)
    select late.entity_id, late.entry_id, u.entry_id, d.entry_id, late.period, now()
    from late join made u on u.ordinal = 3 join made d on d.ordinal = 4`;

  test.each([
    ['finds nothing in what a reopening posted again', returned('t.amount'), 0],
    ['names what only says so, with another amount', returned('t.amount + 1'), 2],
    ['names what only says so, in another chain', returned('t.amount', "'p9'"), 2],
  ])('%s', async (_, added, entries) => {
    expect(await reasonsAfter(added)).toHaveLength(entries);
    await stage.rows('delete from ledger.returns');
    await stage.rows(
      'delete from ledger.transfers t using ledger.entries e where e.entry_id = t.entry_id and e.ordinal > 2',
    );
    await stage.rows('delete from ledger.entries where ordinal > 2');
  });

  test('names an approval to which a row was added since', async () => {
    const added = `insert into decide.labels (version, kind, id, label) values (1, 'entity', 'other', 'Other')`;
    expect(await reasonsAfter(added)).toEqual([
      `Grace approved it (labels), 3 of its 2 rows are stored${REST}`,
    ]);
    await stage.rows("delete from decide.labels where id = 'other'");
  });
});
