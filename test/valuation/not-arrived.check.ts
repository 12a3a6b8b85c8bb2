// Arrivals that are cancelled once the month of their departure is closed: the lots stay in transit, which is a finding as long as nothing in that
// month puts it right.
import { beforeEach, describe, expect, test } from 'vitest';
import { derive, valueAgainFrom } from '../../src/valuation/valuation.ts';
import { BOOKS, booked, books, buy, left, reversed, twoEntities, withBooks } from './month-stand.ts';
import { closed, findings, pairedAs, RECEIVED, SENT, transferred } from './sides.ts';

withBooks(twoEntities);

describe.each([
  ['fifo', ''],
  ['average', ''],
  ['hifo', 'wallets-from:2026-01-01'],
  ['fifo', 'without-lot:zero'],
])('%s %s', (method, rules) => {
  beforeEach(async () => {
    await books.pool.query("update decide.profiles set cost_method = $1, lot_rules = nullif($2, '')", [
      method,
      rules,
    ]);
  });

  test('an arrival that is cancelled alone leaves its lots in transit, a finding until its departure is cancelled in that month', async () => {
    const { out, into } = await transferred();
    await reversed(into, '2026-02-05');
    expect(await left()).toEqual(['here 0.5 20000', 'in-transit 0.5 20000']);
    expect(await findings()).toEqual(['2026-02: not-arrived 0.5']);
    await reversed(out, '2026-02-08');
    expect(await left()).toEqual(['here 1 40000']);
    expect(await findings()).toEqual([]);
  });

  test('an arrival that is cancelled alone, and whose departure is cancelled in a later month', async () => {
    const { out, into } = await transferred();
    await reversed(into, '2026-02-05');
    await closed('2026-02');
    await reversed(out, '2026-03-08');
    expect(await left()).toEqual(['here 1 40000']);
    expect(await findings()).toEqual(['2026-02: not-arrived 0.5']);
  });

  test('an arrival that is cancelled in its own month, after that of its departure was closed', async () => {
    await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
    const out = await booked({ day: '2026-01-31', name: 'sent' }, SENT);
    const into = await booked({ day: '2026-02-01', name: 'received', entity: 'a' }, RECEIVED);
    await pairedAs(out, into);
    await closed('2026-01');
    await reversed(into, '2026-02-05');
    expect(await left()).toEqual(['here 0.5 20000', 'in-transit 0.5 20000']);
    expect(await findings()).toEqual(['2026-02: not-arrived 0.5']);
    await reversed(out, '2026-02-08');
    expect(await left()).toEqual(['here 1 40000']);
    expect(await findings()).toEqual([]);
  });

  test('an arrival that is cancelled alone, and stands again', async () => {
    const { out, into } = await transferred();
    await reversed(into, '2026-02-05');
    await derive(books.db, BOOKS);
    await pairedAs(
      out,
      await booked({ day: '2026-02-20', hour: '13', name: 'received', entity: 'a' }, RECEIVED),
    );
    expect(await left()).toEqual(['here 1 40000']);
    expect(await findings()).toEqual([]);
  });

  test('a transfer of which both sides are cancelled, and whose month is opened again, is valued as if it had never been closed', async () => {
    const { out, into } = await transferred();
    await reversed(into, '2026-02-05');
    expect(await left()).toEqual(['here 0.5 20000', 'in-transit 0.5 20000']);
    await reversed(out, '2026-02-08');
    await derive(books.db, BOOKS);
    for (const entity of ['main', 'a'])
      await books.pool.query(
        `insert into decide.reopenings (entity_id, period, seal_number, requests_to, by_name, reason, at)
         values ($1, '2026-01', 1, 0, 'Ada', 'r', '2026-03-01')`,
        [entity],
      );
    await valueAgainFrom(books.db, { entities: ['main', 'a'], period: '2026-01' });
    expect(await left()).toEqual(['here 1 40000']);
  });
});
