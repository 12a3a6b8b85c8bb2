// A purchase by card that its user has not paid yet: its row is there, its order waits, and the coins come later.
import { HOUR_MS } from '../../base/time.ts';
import { unitsOf } from '../amount.ts';
import { free } from './books.ts';
import { convert } from './conversion-actions.ts';
import { money, pocketIn, pocketSide, type Scene, walletText } from './scene.ts';
import { walletRow } from './wallet-row.ts';

/** How long the payment takes. */
export const CARD_MS = 12 * HOUR_MS;

/** Lists a purchase of BTC by card, paid after a time. */
export const cardOrder = (scene: Scene, paymentMs: number): void => {
  const pocket = pocketIn(scene, 'BTC');
  const [paid, fee] = [unitsOf('120'), unitsOf('0.85')];
  const bought = convert(scene, paid - fee, ['EUR', 'BTC']);
  const paidAt = scene.at + paymentMs;
  scene.move(paidAt, free(pocket.id), 'BTC', bought);
  walletRow(scene, {
    type: 'deposit',
    subtype: 'purchase',
    method: 'card',
    outcome: { kind: 'completed', at: paidAt, waiting: 'waiting-user-information' },
    denomination: money(paid, 'EUR'),
    destination: pocketSide(pocket, bought),
    more: {
      fee: {
        teller: {
          feeCurrency: 'EUR',
          fixedFee: '0.25',
          variableFee: walletText(fee - unitsOf('0.25'), 'EUR'),
        },
      },
      instantId: scene.random.uuid(),
    },
  });
};
