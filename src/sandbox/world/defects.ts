// Defects planted by name: what the gateway reports differs from what happened, and the expected findings are known exactly.
// Each has an entity and currency of its own, so that no two differences fall on one account.

import { strict as assert } from 'node:assert';
import { ownValue } from '../../base/own-value.ts';
import { DAY_MS } from '../../base/time.ts';
import { textOf, unitsOf } from '../amount.ts';
import { randomOf } from '../random.ts';
import type { WireObject } from '../wire-json.ts';
import type { Planted } from '../world.ts';
import { free } from './books.ts';
import { fund } from './funds.ts';
import { hiddenScene } from './hidden-scene.ts';
import { burstOf, hostileRecords } from './hostile.ts';
import type { Life, SeededOptions } from './life.ts';
import { newerForms } from './newer-forms.ts';
import { ownTransfers } from './own-transfers.ts';
import { referenceScenes } from './reference-scenes.ts';
import { money, pocketSide, type Scene } from './scene.ts';
import { broken, main, other, type Plant, type Stage } from './stage.ts';
import { doubledTrade, feeOff } from './trade-defects.ts';
import { walletRow } from './wallet-row.ts';

const unlistedMovement: Plant = (stage) => {
  const scene = stage.scene(main(stage), 4);
  const units = unitsOf('250.5');
  scene.move(scene.at, 'trading', 'USDC', units);
  return {
    entity_id: scene.player.entityId,
    what: 'The platform added 250.5 USDC to the trading wallet; the list of movements never shows it.',
    expect: [broken('assets:trading', 'USDC', units)],
  };
};

/** Takes listed funds from a pocket, whatever the generator does. */
const funded = (scene: Scene, currency: string, amount: string): { pocketId: string; origin: WireObject } => {
  const units = unitsOf(amount);
  const pocket = fund(scene, currency, units);
  scene.move(scene.at, free(pocket.id), currency, -units);
  return { pocketId: pocket.id, origin: pocketSide(pocket, units) };
};

const oneSidedTransfer: Plant = (stage) => {
  const scene = stage.scene(other(stage), 3);
  const units = unitsOf('731.25');
  const { origin } = funded(scene, 'EUR', '731.25');
  const id = walletRow(scene, {
    type: 'withdrawal',
    subtype: 'trading',
    method: 'pocket',
    origin,
    denomination: money(units, 'EUR'),
    destination: { class: 'trading', ...money(units, 'EUR') },
  });
  const account = 'assets:clearing:trading';
  return {
    entity_id: scene.player.entityId,
    what: `Wallet transaction ${id} took 731.25 EUR towards trading; no movement shows it and trading never got it.`,
    expect: [
      { finding: 'break', check: 'clearing_not_zero', account, currency: 'EUR', difference: textOf(-units) },
    ],
  };
};

const unknownClass: Plant = (stage) => {
  const scene = stage.scene(main(stage), 6);
  const units = unitsOf('0.01234567');
  const { pocketId, origin } = funded(scene, 'BTC', '0.01234567');
  const record_id = walletRow(scene, {
    type: 'withdrawal',
    subtype: 'vault',
    method: 'pocket',
    denomination: money(units, 'BTC'),
    origin,
    destination: { class: 'vault', ...money(units, 'BTC') },
  });
  return {
    entity_id: scene.player.entityId,
    what: `Wallet transaction ${record_id} took 0.01234567 BTC to a class of destination that nobody knows.`,
    expect: [
      { finding: 'reject', stream: 'wallet-transactions', record_id, field: 'destination.class' },
      broken(`assets:pocket:${pocketId}`, 'BTC', -units),
    ],
  };
};

const PLANTS: Readonly<Record<string, Plant>> = {
  'unlisted-movement': unlistedMovement,
  'doubled-trade': doubledTrade,
  'fee-off': feeOff,
  'one-sided-transfer': oneSidedTransfer,
  'unknown-class': unknownClass,
};

/** The defects that can be planted. */
export const DEFECTS: readonly string[] = Object.keys(PLANTS);

/** Plants the defects that the options name, and the data faults. Throws on an unknown name. */
export const plant = (lives: readonly Life[], options: SeededOptions): Planted[] => {
  const stage: Stage = {
    lives,
    options,
    scene: (life, daysBefore) => sceneBefore(life, options, daysBefore),
  };
  if (options.references) referenceScenes(stage);
  if (options.newerForms) newerForms(stage.scene(main(stage), 1.75));
  if (options.burst > 0) burstOf(stage.scene(main(stage), 2.5), options.burst);
  if (options.ownTransfers > 0) ownTransfers(stage, options.ownTransfers);
  const hostile = options.hostile
    ? [{ name: 'hostile', ...hostileRecords(stage.scene(main(stage), 2)) }]
    : [];
  const planted = options.defects.map((name) => {
    const defect = ownValue(PLANTS, name);
    assert(defect, `unknown defect ${name}; there are ${DEFECTS.join(', ')}`);
    return { name, ...defect(stage) };
  });
  return [...planted, ...hostile];
};

const sceneBefore = (life: Life, { seed, anchor, days }: SeededOptions, daysBefore: number): Scene =>
  hiddenScene(
    life,
    randomOf(`${seed}:planted:${life.player.entityId}:${daysBefore}`),
    anchor - Math.floor(Math.min(daysBefore, days - 0.25) * DAY_MS),
  );
