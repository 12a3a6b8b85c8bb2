// Records in the forms of newer clients, each with the funds that it moves: users of the platform, origins with only a
// class, other kinds of fees, fees in other coins, Earn movements with a status.
import { DAY_MS, isoOf, MINUTE_MS } from '../../base/time.ts';
import { textOf, unitsOf } from '../amount.ts';
import { free } from './books.ts';
import type { Holder } from './cast.ts';
import { earnRow } from './earn-actions.ts';
import { money, pocketIn, pocketSide, type Scene } from './scene.ts';
import { walletRow } from './wallet-row.ts';

/** Lists one of each form, a minute apart from the scene's moment on. Without Earn, the forms of Earn are skipped. */
export const newerForms = (scene: Scene): void => {
  const forms = [fromUser, googlePay, mercantile, feeElsewhere, failed, ...(scene.player.earn ? EARN : [])];
  forms.forEach((form, nth) => void form({ ...scene, at: scene.at + nth * 10 * MINUTE_MS }));
};

/** Deposits units into a pocket by chain; only the class of the origin is known. */
const receive = (scene: Scene, pocket: Holder, amount: string): bigint => {
  const units = unitsOf(amount);
  scene.move(scene.at, free(pocket.id), pocket.currency, units);
  walletRow(scene, {
    type: 'deposit',
    subtype: 'receive',
    method: 'blockchain',
    origin: { class: 'blockchain' },
    denomination: money(units, pocket.currency),
    destination: pocketSide(pocket, units),
  });
  return units;
};

const fromUser = (scene: Scene): void => {
  const pocket = pocketIn(scene, 'EUR');
  const units = unitsOf('25');
  scene.move(scene.at, free(pocket.id), 'EUR', units);
  walletRow(scene, {
    type: 'deposit',
    subtype: 'receive',
    method: 'platform',
    denomination: money(units, 'EUR'),
    origin: { class: 'platform-user', ...money(units, 'EUR') },
    destination: pocketSide(pocket, units),
  });
};

const googlePay = (scene: Scene): void => {
  const pocket = pocketIn(scene, 'USD');
  const units = unitsOf('60');
  scene.move(scene.at, free(pocket.id), 'USD', units);
  walletRow(scene, {
    type: 'deposit',
    subtype: 'funding',
    method: 'google-pay',
    denomination: money(units, 'USD'),
    destination: pocketSide(pocket, units),
  });
};

const mercantile = (scene: Scene): void => {
  const pocket = pocketIn(scene, 'BTC');
  const units = receive(scene, pocket, '0.02');
  const [instant, fee] = [scene.at + MINUTE_MS, unitsOf('0.0003')];
  scene.move(instant, free(pocket.id), 'BTC', -units);
  scene.move(instant, 'fees-unclassified', 'BTC', fee);
  walletRow(scene, {
    at: instant,
    type: 'withdrawal',
    subtype: 'automatic-send',
    method: 'blockchain',
    denomination: money(units, 'BTC'),
    origin: pocketSide(pocket, units),
    destination: { class: 'blockchain', ...money(units - fee, 'BTC') },
    more: { fee: { mercantile: { ...money(fee, 'BTC'), class: 'percentage' } } },
  });
};

/** The network takes its fee from the only pocket of another coin. */
const feeElsewhere = (scene: Scene): void => {
  const [pocket, payer] = [pocketIn(scene, 'USDC'), pocketIn(scene, 'SOL')];
  const units = receive(scene, pocket, '80');
  const paid = receive({ ...scene, at: scene.at + MINUTE_MS }, payer, '0.004');
  const instant = scene.at + 2 * MINUTE_MS;
  scene.move(instant, free(pocket.id), 'USDC', -units);
  scene.move(instant, free(payer.id), 'SOL', -paid);
  scene.move(instant, 'fees-network', 'SOL', paid);
  walletRow(scene, {
    at: instant,
    type: 'withdrawal',
    subtype: 'automatic-send',
    method: 'blockchain',
    denomination: money(units, 'USDC'),
    origin: pocketSide(pocket, units),
    destination: { class: 'blockchain', ...money(units, 'USDC') },
    more: { fee: { network: money(paid, 'SOL') } },
  });
};

const failed = (scene: Scene): void => {
  const pocket = pocketIn(scene, 'EUR');
  walletRow(scene, {
    type: 'withdrawal',
    subtype: 'manual-send',
    method: 'bank-transfer',
    denomination: money(unitsOf('12'), 'EUR'),
    origin: pocketSide(pocket, unitsOf('12')),
    destination: { class: 'bank-transfer', ...money(unitsOf('12'), 'EUR') },
    more: { status: 'failed', completedAt: null },
  });
};

const earnWallet = ({ player }: Scene): Holder =>
  player.earn?.find(({ currency }) => currency === 'USDC') as Holder;

/** Into Earn, and out again with a tax withheld from the withdrawal. */
const thereAndBack = (scene: Scene): void => {
  const [wallet, pocket] = [earnWallet(scene), pocketIn(scene, 'USDC')];
  const units = receive(scene, pocket, '100');
  const [there, back, tax] = [scene.at + MINUTE_MS, scene.at + 5 * MINUTE_MS, unitsOf('19')];
  const earn = { class: 'earn', ...money(units, 'USDC') };
  scene.move(there, free(pocket.id), 'USDC', -units);
  scene.move(there, 'earn', 'USDC', units);
  scene.move(back, 'earn', 'USDC', -units);
  scene.move(back, 'tax-withheld', 'USDC', tax);
  scene.move(back, free(pocket.id), 'USDC', units - tax);
  const earnSide = { method: 'pocket', subtype: 'earn', denomination: money(units, 'USDC') };
  walletRow(scene, {
    ...earnSide,
    at: there,
    type: 'withdrawal',
    origin: pocketSide(pocket, units),
    destination: earn,
  });
  earnRow(scene, wallet, { at: there, type: 'deposit', units, pocket, more: { status: 'completed' } });
  const withholdingAmount = { value: textOf(tax), currency: 'USDC' };
  earnRow(scene, wallet, {
    at: back,
    type: 'withdrawal',
    units,
    pocket,
    more: { status: 'completed', withholdingAmount },
  });
  walletRow(scene, {
    ...earnSide,
    at: back,
    type: 'deposit',
    origin: { class: 'earn' },
    destination: pocketSide(pocket, units - tax),
  });
};

/** A reward that waits for four days, and a withdrawal that is cancelled before anything moves. */
const waiting = (scene: Scene): void => {
  const [wallet, units, end] = [earnWallet(scene), unitsOf('1.5'), scene.at + 4 * DAY_MS];
  scene.move(end, 'earn', 'USDC', units);
  scene.move(end, 'rewards', 'USDC', -units);
  earnRow(scene, wallet, { at: scene.at, type: 'reward', units, more: { status: 'pending' } }, [
    { from: end, change: { status: 'completed', updatedAt: isoOf(end) } },
  ]);
  earnRow(scene, wallet, { at: scene.at, type: 'withdrawal', units, more: { status: 'cancelled' } });
};

const EARN = [thereAndBack, waiting];
