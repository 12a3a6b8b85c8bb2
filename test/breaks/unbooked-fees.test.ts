// A fee that a wallet transaction names beside the difference between its sides: the rules book the difference alone.
import { expect, test } from 'vitest';
import type { WireRecord } from '../../src/base/streams.ts';
import { expectWritten } from '../export/page/reasons.ts';
import { instantAt } from '../land/stage.ts';
import { openNights, wallet } from '../reconcile/stage.ts';

const sent = (id: string, fee: WireRecord): WireRecord => ({
  id,
  date: instantAt(0),
  status: 'completed',
  origin: { class: 'pocket', pocketId: 'p1', amount: '100', currency: 'USDT' },
  destination: { class: 'blockchain', amount: '99', currency: 'USDT' },
  fee,
});

test('what a pocket lacks is the fee that a record names in another coin, or in its own, and no rule charges', async () => {
  const books = await openNights();
  const transactions = [
    sent('w1', { network: { amount: '27.50', currency: 'TRX' } }),
    sent('w2', {
      teller: { feeCurrency: 'USDT', fixedFee: '0.4' },
      flip: { amount: '0.3', currency: 'USDT' },
    }),
    sent('w3', { network: { amount: '1', currency: 'USDT' } }),
  ];
  await books.night({
    records: { 'wallet-transactions': transactions },
    after: { pocket: [wallet('p1', 'USDT', '-300.4'), wallet('p2', 'TRX', '-27.5')] },
  });
  const found = await books.rows(`
    select b.currency, b.reason, b.reason_parts, c.kind, c.records
    from books.breaks b join books.break_candidates c using (entity_id, break_id)
    where c.rank = 1 order by b.currency`);
  for (const { reason_parts: parts } of found) expectWritten(parts);
  const reason = (record: string) =>
    `a fee of that amount is named, but not booked, and may have been charged: wallet-transactions ${record}`;
  expect(found).toMatchObject([
    { currency: 'TRX', kind: 'fee', reason: reason('w1'), records: ['wallet-transactions w1'] },
    { currency: 'USDT', kind: 'fee', reason: reason('w2'), records: ['wallet-transactions w2'] },
  ]);
  await books.close();
});
