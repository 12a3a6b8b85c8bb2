// The first candidate where a balance lacks a booked record that the balance of its other account has.
import { expect, test } from 'vitest';
import { openNights, tradingSide, wallet, walletSide } from '../reconcile/stage.ts';

const side = (pocketId: string, amount: string, currency: string) => ({
  class: 'pocket',
  pocketId,
  amount,
  currency,
});

test('the record that one balance lacks is the first candidate, whichever side it is', async () => {
  const books = await openNights();
  const paid = { origin: side('p1', '100', 'EUR'), destination: side('p2', '0.002', 'BTC') };
  const received = { origin: side('p3', '70', 'EUR'), destination: side('p4', '0.001', 'BTC') };
  const moved = { origin: side('p5', '50', 'EUR') };
  await books.night({
    records: {
      'wallet-transactions': [
        walletSide('w1', '100', paid),
        walletSide('w2', '70', received),
        walletSide('w3', '50', moved),
      ],
      movements: [tradingSide('m3', '50')],
    },
    after: {
      trading: [wallet('t1', 'EUR', '50')],
      pocket: [
        wallet('p1', 'EUR', '0'),
        wallet('p2', 'BTC', '0.002'),
        wallet('p3', 'EUR', '-70'),
        wallet('p4', 'BTC', '0'),
        wallet('p5', 'EUR', '0'),
      ],
    },
  });
  const found = await books.rows(`
    select c.kind, c.records, c.proof from books.breaks b join books.break_candidates c using (entity_id, break_id)
    where c.rank = 1 order by b.account`);
  const proof = expect.stringContaining('but the account ties');
  expect(found).toEqual([
    { kind: 'surplus', records: ['wallet-transactions w1'], proof },
    { kind: 'surplus', records: ['wallet-transactions w2'], proof },
    { kind: 'surplus', records: ['wallet-transactions w3'], proof },
  ]);
  await books.close();
});
