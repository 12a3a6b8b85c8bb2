// The money of a closed month: the sealed closing is the opening of the next month, in units and in value.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/database/connection.ts';
import { verifySealedValues, verifySeals } from '../../../src/verify/seals/seals.ts';
import { septemberClosed } from '../../close/month.ts';
import type { Stage } from '../../jobs/stage.ts';

let stage: Stage;
let one: ReturnType<typeof openDatabase>; // queried in sequence, so it uses one connection
beforeAll(async () => {
  ({ stage } = await septemberClosed(afterAll));
  one = openDatabase(stage.database.url);
});
afterAll(() => one?.close());

const faultsAfter = async (statement: string): Promise<(string | null)[]> => {
  await one.pool.query('begin');
  try {
    await one.pool.query(`set local session_replication_role = replica; ${statement}`);
    return (await verifySealedValues(one.pool)).map(({ first }) => first);
  } finally {
    await one.pool.query('rollback');
  }
};

test('an unaltered month passes, with every entry and every account', async () => {
  const proofs = await verifySealedValues(one.pool);
  expect(proofs.map(({ first }) => first)).toEqual([null, null]);
  for (const { checked } of proofs) expect(Number(checked)).toBeGreaterThan(10);
});

/** An open lot of September, one of the accounts that carry it, and the source of its value. */
const LOT = `(select entry_id from value.lots where period = '2026-09' and origin <> 'moved' and cost > 0
  order by entity_id, lot_id limit 1)`;

describe('named', () => {
  test('1,000 added to a lot and to both its lines, with correct sums', async () => {
    const [values, closings] = await faultsAfter(`
      update value.postings set value = value + 1000 * sign(value), exact = exact + 1000 * sign(exact)
      where entry_id = ${LOT} and leg is not null;
      update value.lots set cost = cost + 1000 where entry_id = ${LOT}`);
    expect(values).toMatch(/^the values of \S+ of \S+ were altered in the closed month 2026-09$/);
    expect(closings).toMatch(/2026-09: was sealed with \S+ and \S+ in value, the next month opens with/);
  });

  test('a finding added to the month, and one removed', async () => {
    const [put = null] = await faultsAfter(`insert into value.findings
      select entity_id, gen_random_uuid(), 1, entity_id, '2026-09', null, 'no-cost', 'finding', 'BTC', 1, 'x' from decide.seals limit 1`);
    expect(put).toMatch(/were put into the closed month 2026-09$/);
    const [out] = await faultsAfter("delete from value.postings where period = '2026-09'");
    expect(out).toMatch(/(were removed from|were altered in) the closed month 2026-09$/);
  });

  test('sealed values altered together with the books, through the digest in the seal', async () => {
    await one.pool.query('begin');
    await one.pool.query(`set local session_replication_role = replica;
      update decide.seal_closings set value = value + 1000 where value > 0`);
    const faults = (await verifySeals(one)).flatMap(({ first }) => first ?? []);
    await one.pool.query('rollback');
    expect(faults).toEqual([
      expect.stringMatching(/was sealed with/),
      expect.stringMatching(/^seal 1 of 2026-09 of \S+: its closings are /),
    ]);
  });

  test('a text of the seal without its values', async () => {
    await one.pool.query('begin');
    await one.pool.query(`set local session_replication_role = replica;
      update decide.seals set seal = (seal::jsonb - 'values')::text`);
    const faults = (await verifySeals(one)).flatMap(({ first }) => first ?? []);
    await one.pool.query('rollback');
    expect(faults).toEqual([expect.stringMatching(/: its values are .+, it says null$/)]);
  });
});
