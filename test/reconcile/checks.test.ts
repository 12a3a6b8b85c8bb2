// The checks, one SQL file each: healthy books give no row, and one violation gives one row that names it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadSql, sqlPaths } from '../../src/sql.ts';
import { at, movement, openStage, type Stage } from '../land/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
beforeEach(() =>
  stage.rows(`truncate reconcile.tie_outs, land.records, land.inbox, ledger.outcomes, ledger.transfers, ledger.entries,
    decide.proposals, decide.approvals`),
);

const check = async (name: string) => {
  const { text, values } = loadSql(`checks/${name}.sql`, { run: stage.run.id });
  return stage.rows(text, values);
};

const plant = (account: string, status: string) =>
  stage.rows(
    `insert into reconcile.tie_outs (entity_id, run_id, account, currency, as_of, reported, booked, difference, status, reason)
     values ('main', $1, $2, 'EUR', '${at(0)}', 3, 5, -2, $3, 'why')`,
    [stage.run.id, account, status],
  );

/** Each check of a tie-out, and an account that it looks at. */
const TIE_OUTS = {
  trading_tie_out: 'assets:trading',
  pocket_tie_out: 'assets:pocket:p1',
  earn_tie_out: 'assets:earn',
  clearing_not_zero: 'assets:clearing:trading',
};

test('every check has a test here', () => {
  expect(sqlPaths('checks')).toEqual(
    [...Object.keys(TIE_OUTS), 'conservation', 'settled_and_decided']
      .map((name) => `checks/${name}.sql`)
      .sort(),
  );
});

describe.each(Object.entries(TIE_OUTS))('%s', (name, account) => {
  test('finds the break of its account, and says reported, booked and the difference', async () => {
    await plant(account, 'break');
    expect(await check(name)).toEqual([
      {
        ...{ entity_id: 'main', subject: `${account} EUR`, account, currency: 'EUR' },
        ...{ reported: '3', booked: '5', difference: '-2', reason: 'why' },
      },
    ]);
  });

  test('is silent about every other status, and about the accounts of the other checks', async () => {
    for (const status of ['tied', 'in-flight', 'pending', 'in-transit', 'uncovered']) {
      await plant(account, status);
      expect(await check(name)).toEqual([]);
      await stage.rows('truncate reconcile.tie_outs');
    }
    for (const other of Object.values(TIE_OUTS)) if (other !== account) await plant(other, 'break');
    expect(await check(name)).toEqual([]);
  });
});

describe('conservation', () => {
  test('finds a landed record that has no outcome', async () => {
    await stage.tell('movements', movement('m1'), movement('m2'));
    await stage.rows(`
      insert into ledger.outcomes (entity_id, stream, record_id, version, outcome, reason, final, rule_version)
      values ('main', 'movements', 'm1', 1, 'booked', null, true, 1)`);
    expect(await check('conservation')).toEqual([
      {
        ...{ entity_id: 'main', subject: 'movements', account: null, currency: null },
        ...{ reported: '2', booked: '1', difference: '1' },
        reason: '1 of 2 landed records of movements have no outcome',
      },
    ]);
  });

  test('is silent where every record was decided upon', async () => {
    await stage.tell('movements', movement('m1'));
    await stage.rows(`
      insert into ledger.outcomes (entity_id, stream, record_id, version, outcome, reason, final, rule_version)
      values ('main', 'movements', 'm1', 1, 'rejected', 'amount: missing', true, 1)`);
    expect(await check('conservation')).toEqual([]);
  });
});

describe('settled_and_decided', () => {
  /** m1 was rejected and settled by Ada, and its second version is what `outcome` says. */
  const settled = async (outcome: string, reason: string | null) => {
    await stage.tell('movements', movement('m1'));
    await stage.tell('movements', movement('m1', { status: 'changed' }));
    await stage.rows(
      `insert into ledger.outcomes (entity_id, stream, record_id, version, outcome, reason, final, rule_version)
       values ('main', 'movements', 'm1', 1, 'rejected', 'amount: missing', true, 1), ('main', 'movements', 'm1', 2, $1, $2, true, 1)`,
      [outcome, reason],
    );
    await stage.rows(`
      insert into decide.proposals (entity_id, proposal_id, action, content, reason, prepared_by, prepared_at) values
        ('main', 'p1', 'settle', '{"stream":"movements","record_id":"m1","version":"1"}', 'why', 'Ada', '${at(0)}');
      insert into decide.approvals (entity_id, proposal_id, verdict, prepared_by, approved_by, approved_at, period)
      values ('main', 'p1', 'approved', 'Ada', 'Grace', '${at(0)}', '2026-10');
      insert into ledger.entries values ('main', '00000000-0000-8000-8000-000000000001', '${at(0)}', '${at(0)}', '2026-10', 'manual',
        'manual', 'p1', 1, 1, null, 1, '')`);
  };

  test('finds a record that is booked since, and names the entry to reverse', async () => {
    await settled('booked', null);
    expect(await check('settled_and_decided')).toEqual([
      {
        ...{ entity_id: 'main', subject: 'movements m1', account: null, currency: null },
        ...{ reported: null, booked: null, difference: null },
        reason:
          'Ada settled it by entry 00000000-0000-8000-8000-000000000001, and its version 2 is booked: reverse that entry',
      },
    ]);
  });

  test('finds one that was cancelled since', async () => {
    await settled('set-aside', 'cancelled');
    expect(await check('settled_and_decided')).toMatchObject([
      { reason: expect.stringContaining('is set aside: cancelled') },
    ]);
  });

  test('is silent where it is rejected still, and once the entry is reversed', async () => {
    await settled('rejected', 'amount: missing');
    expect(await check('settled_and_decided')).toEqual([]);
    await stage.rows("update ledger.outcomes set outcome = 'booked', reason = null where version = 2");
    await stage.rows(`insert into ledger.entries values ('main', gen_random_uuid(), '${at(0)}', '${at(0)}', '2026-10', 'reversal',
      'manual', 'p1', 1, 2, '00000000-0000-8000-8000-000000000001', 1, '')`);
    expect(await check('settled_and_decided')).toEqual([]);
  });
});
