// Records that break a careless parser, and a burst that fills a page within one millisecond.
import { isoOf } from '../../base/time.ts';
import { unitsOf } from '../amount.ts';
import { exact, type WireObject } from '../wire-json.ts';
import type { Expected, Planted } from '../world.ts';
import { free } from './books.ts';
import { holderOf, money, movement, pocketIn, pocketSide, type Scene } from './scene.ts';
import { walletRow } from './wallet-row.ts';

const FORMULA = "=cmd|'/c calc'!A1";
const NOTES = ['a NUL \u0000 inside', 'half a pair \ud800 inside', FORMULA];

/** Movements that every rule must reject, by the wrong field. None of them moves funds. */
const WRONG: readonly (readonly [string, WireObject])[] = [
  ['amount', { amount: exact('1.0000000000000000001') }],
  ['amount', { amount: exact('1e400') }],
  ['amount', { amount: exact('-5') }],
  ['amount', { amount: undefined }],
  ['movementType', { movementType: 'sideways' }],
  ['status', { status: 'dreaming' }],
];

/** Lists hostile records. Those with valid figures really move funds; the others must be rejects. */
export const hostileRecords = (scene: Scene): Omit<Planted, 'name'> => {
  NOTES.forEach((note, index) => {
    hostileDeposit(scene, note, index);
  });
  return {
    entity_id: scene.player.entityId,
    what: 'Records with amounts, words and texts that no careful reader trusts.',
    expect: WRONG.map(([field, change], index) =>
      wrongMovement(scene, { field, change, at: scene.at + index }),
    ),
  };
};

const wrongMovement = (scene: Scene, wrong: { field: string; change: WireObject; at: number }): Expected => {
  const id = scene.random.uuid();
  const sound = {
    id,
    walletId: holderOf(scene.player.trading, 'EUR').id,
    amount: exact('1'),
    currency: 'EUR',
  };
  const words = { movementType: 'deposit', serviceOrderName: 'admin', status: 'completed' };
  const body = { ...sound, createdAt: isoOf(wrong.at), ...words, ...wrong.change };
  scene.list({ stream: 'movements', id, at: wrong.at, versions: [{ from: wrong.at, body }] });
  return { finding: 'reject', stream: 'movements', record_id: id, field: wrong.field };
};

/** One euro from the platform, with a hostile text in every free field. */
const hostileDeposit = (scene: Scene, note: string, index: number): void => {
  const pocket = pocketIn(scene, 'EUR');
  const [units, instant] = [unitsOf('1'), scene.at + index];
  scene.move(instant, free(pocket.id), 'EUR', units);
  walletRow(scene, {
    at: instant,
    type: 'deposit',
    subtype: 'funding',
    method: 'promo-referral',
    denomination: money(units, 'EUR'),
    destination: { ...pocketSide(pocket, units), pocketName: FORMULA },
    more: { note, concept: FORMULA },
  });
};

const CURRENCIES = ['EUR', 'BTC', 'ETH', 'USDC', 'SOL', 'MOTE', 'GEM'];

/** `count` movements in one millisecond, over several currencies and two origins. */
export const burstOf = (scene: Scene, count: number): void => {
  for (let index = 0; index < count; index += 1) {
    const currency = CURRENCIES[index % CURRENCIES.length] as string;
    const [units, origin] = [unitsOf('1'), index % 2 === 0 ? 'admin' : 'working-capital'];
    scene.move(scene.at, 'trading', currency, units);
    if (origin === 'working-capital') scene.move(scene.at, 'working-capital', currency, -units);
    movement(scene, { at: scene.at, currency, units, type: 'deposit', origin });
  }
};
