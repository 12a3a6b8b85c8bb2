// The checks, one SQL file each: healthy books give no row, and one violation gives one row that names it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sqlPaths } from '../../src/database/sql.ts';
import { conserve } from '../../src/normalize/conservation.ts';
import { normalize } from '../../src/normalize/normalize.ts';
import type { Rule } from '../../src/normalize/outcome.ts';
import { RULES } from '../../src/normalize/rule-table.ts';
import { withReasons } from '../export/page/reasons.ts';
import { instantAt, movement, openStage, type Stage } from '../land/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
const CLEAR = `truncate reconcile.tie_outs, land.records, land.inbox, land.people, ledger.outcomes, ledger.entries,
  ledger.transfers, run.conservation, decide.proposals, decide.approvals cascade`;
beforeEach(() => stage.rows(CLEAR));

const check = async (name: string) => withReasons(await stage.check(name));

const plant = (account: string, status: string) =>
  stage.rows(
    `insert into reconcile.tie_outs (entity_id, run_id, account, currency, as_of, reported, booked, difference, status, reason)
     values ('main', $1, $2, 'EUR', '${instantAt(0)}', 3, 5, -2, $3, 'why')`,
    [stage.run.id, account, status],
  );

/** Each check of a tie-out, and an account that it covers. */
const TIE_OUTS = {
  trading_tie_out: 'assets:trading',
  pocket_tie_out: 'assets:pocket:p1',
  earn_tie_out: 'assets:earn',
  clearing_not_zero: 'assets:clearing:trading',
};

test('every check has a test of its own', () => {
  const here = import.meta.dirname;
  const files = readdirSync(here).filter((name) => /^(checks|clearing|network-fees).*\.test\.ts$/.test(name));
  const tested = files.map((name) => readFileSync(join(here, name), 'utf8')).join('\n');
  const names = sqlPaths('checks').map((path) => path.replace(/^checks\/(.*)\.sql$/, '$1'));
  expect(
    names.filter((name) => !new RegExp(`(test|describe)\\('${name}|^  ${name}: 'assets:`, 'm').test(tested)),
    "write test('<name> …') or describe('<name>') beside this file",
  ).toEqual([]);
});

describe.each(Object.entries(TIE_OUTS))('%s', (name, account) => {
  test('finds the break of its account, with reported, booked and the difference', async () => {
    await plant(account, 'break');
    expect(await check(name)).toEqual([
      {
        entity_id: 'main',
        subject: `${account} EUR`,
        account,
        currency: 'EUR',
        reported: '3',
        booked: '5',
        difference: '-2',
        reason: 'why',
      },
    ]);
  });

  test('ignores every other status, and the accounts of the other checks', async () => {
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
  const books = { entity: 'main', timezone: 'UTC', currency: 'EUR' };
  /** Two movements, m1 of 10 EUR booked; returns the rows of the check after the books are altered. */
  const found = async (...harm: string[]) => {
    await stage.tell('movements', movement('m1'));
    await normalize(stage.db, books);
    for (const sql of harm) await stage.rows(sql);
    await conserve(stage.db, stage.run, { entity: 'main' });
    return check('conservation');
  };
  const row = (
    subject: string,
    figures: (string | null)[],
    [reason, reason_parts]: [string, Record<string, string>],
  ) => {
    const [currency, reported, booked, difference] = figures;
    return {
      entity_id: 'main',
      account: null,
      subject,
      currency,
      reported,
      booked,
      difference,
      reason,
      reason_parts: { ...reason_parts, stream: 'movements' },
    };
  };

  test('finds a landed record that has no outcome', async () => {
    await stage.tell('movements', movement('m2'));
    await stage.rows('delete from land.inbox');
    expect(await found()).toEqual([
      row(
        'movements',
        [null, '2', '1', '1'],
        [
          '1 of 2 landed records of movements have no outcome',
          { kind: 'conservation.lost', amount: '1', other_amount: '2' },
        ],
      ),
    ]);
  });

  test('finds an outcome of a record that never landed', async () => {
    expect(await found("update ledger.outcomes set record_id = 'm9'")).toContainEqual(
      row(
        'movements records, rule 1',
        [null, '0', '1', '-1'],
        [
          '0 landed records of movements have an outcome of rule 1, and there are 1 such outcomes',
          { kind: 'conservation.count', amount: '0', other_amount: '1' },
        ],
      ),
    );
  });

  test('finds an amount of the ledger that differs from the reported one, however small', async () => {
    const more = 'update ledger.transfers set amount = amount + 1e-18';
    expect(await found(more)).toEqual([
      row(
        'movements into trading EUR, rule 1',
        ['EUR', '10', '10.000000000000000001', '-0.000000000000000001'],
        [
          'records of movements say 10 EUR into trading, the ledger has 10.000000000000000001',
          {
            kind: 'conservation.sum',
            place: 'into trading',
            amount: '10',
            other_amount: '10.000000000000000001',
            currency: 'EUR',
          },
        ],
      ),
    ]);
  });

  test('finds a missing leg, and a swapped one', async () => {
    expect((await found('delete from ledger.transfers')).map(({ reason }) => reason)).toEqual([
      'records of movements say 10 EUR into trading, the ledger has 0',
    ]);
    await stage.rows(CLEAR);
    const turned = await found('update ledger.transfers set debit = credit, credit = debit');
    expect(turned.map(({ subject, difference }) => [subject, difference])).toEqual([
      ['movements into trading EUR, rule 1', '10'],
      ['movements out of trading EUR, rule 1', '-10'],
    ]);
  });

  test("finds a rule that books the gross amount instead of the gateway's net", async () => {
    const rule: Rule = (record, context) => {
      const { destination, ...rest } = record;
      const gross = { ...(destination as object), amountAfterFees: null };
      return RULES['wallet-transactions'].rule({ ...rest, destination: gross }, context);
    };
    const end = { class: 'pocket', pocketId: 'p1', currency: 'EUR', amount: '100', amountAfterFees: '98' };
    const origin = { class: 'bank', currency: 'EUR', amount: '100' };
    await stage.tell('wallet-transactions', {
      id: 'w1',
      date: instantAt(0),
      completedAt: instantAt(0),
      status: 'completed',
      origin,
      destination: end,
    });
    await normalize(stage.db, books, {
      rules: { ...RULES, 'wallet-transactions': { ...RULES['wallet-transactions'], rule } },
    });
    expect((await found()).map(({ reason }) => reason)).toEqual([
      'records of wallet-transactions say 98 EUR into pockets, the ledger has 100',
    ]);
  });

  test('finds nothing if every record has its outcome', async () => {
    await stage.tell('movements', movement('m2', { amount: 'much' }), movement('m3', { status: 'pending' }));
    expect(await found()).toEqual([]);
  });
});

describe('settled_and_decided', () => {
  /** m1 is rejected and settled by Ada; its second version has the given outcome. */
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
        ('main', 'p1', 'settle', '{"stream":"movements","record_id":"m1","version":"1"}', 'why', 'Ada', '${instantAt(0)}');
      insert into decide.approvals (entity_id, proposal_id, verdict, prepared_by, approved_by, approved_at, period)
      values ('main', 'p1', 'approved', 'Ada', 'Grace', '${instantAt(0)}', '2026-10');
      insert into ledger.entries values ('main', '00000000-0000-8000-8000-000000000001', '${instantAt(0)}', '${instantAt(0)}', '2026-10', 'manual',
        'manual', 'p1', 1, 1, null, 1, '')`);
  };

  test('finds a record that is booked since, and names the entry to reverse', async () => {
    await settled('booked', null);
    expect(await check('settled_and_decided')).toEqual([
      {
        entity_id: 'main',
        subject: 'movements m1',
        account: null,
        currency: null,
        reported: null,
        booked: null,
        difference: null,
        since: '2026-03-01T10:00:00.000Z',
        reason:
          'Ada settled it by entry 00000000-0000-8000-8000-000000000001, and its version 2 is booked: reverse that entry',
        reason_parts: {
          kind: 'settled_and_decided.twice',
          records: ['movements m1'],
          name: 'Ada',
          version: '2',
          outcome: 'booked',
        },
      },
    ]);
  });

  test('finds one that was cancelled since', async () => {
    await settled('set-aside', 'cancelled');
    expect(await check('settled_and_decided')).toMatchObject([
      { reason: expect.stringContaining('is set aside: cancelled') },
    ]);
  });

  test('finds nothing while it is still rejected, and once the entry is reversed', async () => {
    await settled('rejected', 'amount: missing');
    expect(await check('settled_and_decided')).toEqual([]);
    await stage.rows("update ledger.outcomes set outcome = 'booked', reason = null where version = 2");
    await stage.rows(`insert into ledger.entries values ('main', gen_random_uuid(), '${instantAt(0)}', '${instantAt(0)}', '2026-10', 'reversal',
      'manual', 'p1', 1, 2, '00000000-0000-8000-8000-000000000001', 1, '')`);
    expect(await check('settled_and_decided')).toEqual([]);
  });
});
