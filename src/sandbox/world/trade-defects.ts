// Defects in the list of trades.

import { strict as assert } from 'node:assert';
import { DAY_MS } from '../../base/time.ts';
import { textOf, unitsOf } from '../amount.ts';
import { digitsOf, exact, type WireObject } from '../wire-json.ts';
import type { Life } from './life.ts';
import { fundedTrade } from './order-actions.ts';
import type { WorldRow } from './scene.ts';
import { broken, main, other, type Plant, type Stage } from './stage.ts';

type TradeRow = { readonly row: WorldRow; readonly body: WireObject };

type Fits = (body: WireObject) => boolean;

/** The first matching trade 2 to 10 days before the anchor; if there is none, one is made, listed and funded. */
const chargedTrade = (stage: Stage, life: Life, fits: Fits, feeCurrency: string): TradeRow => {
  const found = findTrade(stage, life, fits);
  if (found) return found;
  fundedTrade(stage.scene(life, feeCurrency === 'ETH' ? 2.25 : 2.75), feeCurrency);
  const made = findTrade(stage, life, fits);
  assert(made, 'a trade made to fit fits');
  return made;
};

const findTrade = ({ options }: Stage, life: Life, fits: Fits): TradeRow | undefined => {
  const [from, to] = [options.anchor - 10 * DAY_MS, options.anchor - Math.min(2, options.days / 2) * DAY_MS];
  const trades = life.rows.filter(
    ({ stream, at: instant }) => stream === 'trades' && instant >= from && instant <= to,
  );
  const row = trades.find(({ versions }) => charged(bodyOf(versions)) && fits(bodyOf(versions)));
  return row && { row, body: bodyOf(row.versions) };
};

const bodyOf = (versions: WorldRow['versions']): WireObject => versions[0]?.body ?? {};

const figure = (body: WireObject, field: string): bigint => unitsOf(digitsOf(body[field]));
const charged = (body: WireObject): boolean => figure(body, 'feeAmount') > 0n;

/** A trade listed twice under two ids. */
export const doubledTrade: Plant = (stage) => {
  const life = other(stage);
  const inPair = (body: WireObject) => ['ETH', 'EUR'].includes(digitsOf(body.feeCurrency));
  const { row, body } = chargedTrade(stage, life, (it) => it.symbol === 'ETH/EUR' && inPair(it), 'ETH');
  const id = stage.scene(life, 1).random.uuid();
  life.rows.push({ ...row, id, versions: [{ from: row.at, body: { ...body, id } }] });
  const sign = body.side === 'buy' ? 1n : -1n;
  const twice = new Map([
    ['ETH', sign * figure(body, 'amount')],
    ['EUR', -sign * figure(body, 'cost')],
  ]);
  const feeCurrency = digitsOf(body.feeCurrency);
  twice.set(feeCurrency, (twice.get(feeCurrency) ?? 0n) - figure(body, 'feeAmount'));
  return {
    entity_id: life.player.entityId,
    what: `Trade ${row.id} is listed a second time as ${id}.`,
    expect: [...twice].map(([currency, units]) => broken('assets:trading', currency, -units)),
  };
};

/** A listed fee that is 1e-18 more than the amount charged. */
export const feeOff: Plant = (stage) => {
  const life = main(stage);
  const { row, body } = chargedTrade(
    stage,
    life,
    (it) => ['GEM', 'BTC'].includes(digitsOf(it.feeCurrency)),
    'GEM',
  );
  const changedFee = textOf(figure(body, 'feeAmount') + 1n);
  const feeAmount = typeof body.feeAmount === 'string' ? changedFee : exact(changedFee);
  life.rows[life.rows.indexOf(row)] = { ...row, versions: [{ from: row.at, body: { ...body, feeAmount } }] };
  return {
    entity_id: life.player.entityId,
    what: `Trade ${row.id} tells a fee that is 1e-18 more than what was charged.`,
    expect: [broken('assets:trading', digitsOf(body.feeCurrency), 1n)],
  };
};
