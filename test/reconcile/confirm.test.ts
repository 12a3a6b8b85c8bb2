// Confirming: each line against the books as of the same instant, stored with the digest of the signed statement.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256 } from '../../src/base/json.ts';
import { type ConfirmAsk, confirm } from '../../src/reconcile/confirm.ts';
import { instantAt } from '../land/stage.ts';
import { AFTER, adjustment, BEFORE, type Nights, openNights, wallet } from './stage.ts';

let nights: Nights;
const LATER = 2_000;

beforeAll(async () => {
  nights = await openNights();
  const gift = (id: string, pocketId: string, amount: string, currency = 'EUR') => ({
    id,
    date: instantAt(0),
    completedAt: instantAt(0),
    status: 'completed',
    method: 'promo-referral',
    destination: { class: 'pocket', pocketId, amount, currency },
  });
  await nights.night({
    records: {
      movements: [
        adjustment('m1', '10.000000000000000001'),
        adjustment('m2', '4', { serviceOrderName: 'bot', movementType: 'withdrawal' }),
        adjustment('m3', '7', { createdAt: instantAt(LATER) }),
      ],
      'wallet-transactions': [gift('w1', 'P1', '3'), gift('w2', 'p2', '2', 'BTC')],
    },
    after: { pocket: [wallet('P1', 'EUR', '3'), wallet('p2', 'BTC', '2'), wallet('p3', 'EUR', '0')] },
  });
});
afterAll(() => nights?.close());

const ask = (csv: string, more: Partial<ConfirmAsk> = {}) =>
  confirm(nights.db, {
    entity: 'main',
    asOf: instantAt(1_000),
    by: 'Ana Ruiz',
    at: instantAt(AFTER),
    evidence: null,
    statement: { name: 'october.csv', bytes: Buffer.from(`account,currency,balance\n${csv}`) },
    ...more,
  });

const AGREEING = 'trading,EUR,10.000000000000000001\nP1,EUR,3\np2,BTC,2.000\n';

test('all agree: trading and bots are one account, zeros after the point do not count', async () => {
  const made = await ask(AGREEING);
  expect(made.differing).toBe(0);
  expect(made.lines).toEqual([
    line(2, 'assets:trading', 'EUR', '10.000000000000000001', '10.000000000000000001', '0'),
    line(3, 'assets:pocket:p1', 'EUR', '3', '3', '0'),
    line(4, 'assets:pocket:p2', 'BTC', '2', '2', '0'),
  ]);
});

const line = (
  ...[number, account, currency, stated, booked, difference, status = 'agrees']: (string | number | null)[]
) => ({ line: number, account, currency, stated, booked, difference, status });

test('a difference in the last of 18 decimals and an account on one side only are listed; zeros are not', async () => {
  const made = await ask('trading,EUR,10\np3,EUR,1\nnobody,EUR,5\nnobody,BTC,0\nearn,ETH,1\n');
  expect(made.lines).toEqual([
    line(2, 'assets:trading', 'EUR', '10', '10.000000000000000001', '-0.000000000000000001', 'differs'),
    line(3, 'assets:pocket:p3', 'EUR', '1', '0', '1', 'differs'), // listed, and empty in the books
    line(4, 'assets:pocket:nobody', 'EUR', '5', '0', '5', 'not-in-books'),
    line(5, 'assets:pocket:nobody', 'BTC', '0', '0', '0', 'agrees'),
    line(6, 'assets:earn', 'ETH', '1', '0', '1', 'not-in-books'),
    line(null, 'assets:pocket:p1', 'EUR', null, '3', '-3', 'not-in-statement'),
    line(null, 'assets:pocket:p2', 'BTC', null, '2', '-2', 'not-in-statement'),
  ]);
  expect(made.differing).toBe(6);
});

test('as of an instant excludes entries of that instant', async () => {
  expect((await ask(AGREEING, { asOf: instantAt(LATER) })).differing).toBe(0);
  const after = await ask(AGREEING, { asOf: instantAt(LATER).replace('.000Z', '.001Z') });
  expect(after.lines[0]).toMatchObject({ booked: '17.000000000000000001', difference: '-7' });
});

test('is stored with its digests and lines on each run, and with the end of the coverage', async () => {
  const evidence = { name: 'october.pdf', bytes: Buffer.from('%PDF') };
  const made = await ask(AGREEING, { evidence });
  const again = await ask(AGREEING, { asOf: instantAt(BEFORE + 1), at: instantAt(BEFORE + 2) });
  const rows = await nights.rows(
    'select * from books.confirmations where confirmation_id = any($1) order by imported_at desc',
    [[made.confirmationId, again.confirmationId]],
  );
  expect(rows).toMatchObject([
    {
      entity_id: 'main',
      file_name: 'october.csv',
      file_sha256: made.sha256,
      imported_by: 'Ana Ruiz',
      evidence_name: 'october.pdf',
      evidence_sha256: sha256('%PDF'),
      imported_at: instantAt(AFTER),
      as_of: instantAt(1_000),
      covered_to: instantAt(1_000),
      lines: 3,
      agreed: 3,
      differing: 0,
    },
    {
      evidence_name: null,
      evidence_sha256: null,
      covered_to: instantAt(BEFORE),
      lines: 3,
      agreed: 2,
      differing: 1,
    },
  ]);
  expect(made.sha256).toBe(sha256(`account,currency,balance\n${AGREEING}`));
  const lines = await nights.rows(
    'select account, stated, difference, status from books.confirmation_lines where confirmation_id = $1 order by line',
    [made.confirmationId],
  );
  expect(lines[0]).toEqual({
    account: 'assets:trading',
    stated: '10.000000000000000001',
    difference: '0',
    status: 'agrees',
  });
});

test('a statement that cannot be read leaves nothing', async () => {
  const count = () => nights.rows('select count(*) as n from reconcile.confirmations');
  const before = await count();
  await expect(ask('trading,EUR,1e5\n')).rejects.toThrow('october.csv line 2');
  expect(await count()).toEqual(before);
});
