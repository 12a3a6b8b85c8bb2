// A network fee in a coin other than the one sent: the check names the pocket that paid it.
import { expect, onTestFinished, test } from 'vitest';
import { instantAt } from '../land/stage.ts';
import { AFTER, openNights, wallet } from './stage.ts';

const old = instantAt(AFTER - 3 * 24 * 3_600);

test('network_fee_pockets: the pocket that is lower by a fee without a named pocket', async () => {
  const books = await openNights();
  onTestFinished(() => books.close());
  const check = (name: string) => books.check(name);
  const pockets = [wallet('p-usdc', 'USDC', '20'), wallet('p-a', 'ETH', '3'), wallet('p-b', 'ETH', '0.9996')];
  const on = (pocketId: string, currency: string, amount: string) => ({
    class: 'pocket',
    currency,
    amount,
    pocketId,
  });
  const came = (id: string, destination: ReturnType<typeof on>) => ({
    id,
    date: old,
    completedAt: old,
    status: 'completed',
    type: 'deposit',
    origin: { class: 'blockchain' },
    destination,
  });
  const sent = {
    id: 'w4',
    date: old,
    completedAt: old,
    status: 'completed',
    type: 'withdrawal',
    origin: on('p-usdc', 'USDC', '80'),
    destination: { class: 'blockchain', currency: 'USDC', amount: '80' },
    fee: { network: { amount: '0.0004', currency: 'ETH' } },
  };
  await books.night({
    after: { trading: [], pocket: pockets.map((pocket) => ({ ...pocket, balance: '0' })) },
  });
  await books.night({
    records: {
      'wallet-transactions': [
        came('w1', on('p-usdc', 'USDC', '100')),
        came('w2', on('p-a', 'ETH', '3')),
        came('w3', on('p-b', 'ETH', '1')),
        sent,
      ],
    },
    after: { trading: [], pocket: pockets },
  });
  expect(await check('network_fee_pockets')).toEqual([
    {
      entity_id: 'main',
      subject: 'wallet-transactions w4',
      account: 'assets:pocket:p-b',
      currency: 'ETH',
      reported: '0.9996',
      booked: '1',
      difference: '-0.0004',
      reason:
        '0.0004 ETH of network fees and the difference of this pocket are the same: npx tieout adjust --entity main --leg "assets:clearing:fees <- assets:pocket:p-b 0.0004 ETH" --at DAY --by NAME --reason TEXT --evidence FILE',
    },
  ]);
  const broken = await books.rows("select account from books.breaks where status = 'open' order by account");
  expect(broken.map(({ account }) => account)).toEqual(['assets:clearing:fees', 'assets:pocket:p-b']);
});
