// The effect of a record on the accounts of tie-outs, in BigInt and from the shape of the stand-in's records alone: the sums
// that judge planted faults share no code with the rules that book them.
import type { StreamName } from '../../../src/base/streams.ts';
import { unitsOf } from '../../../src/sandbox/amount.ts';
import { digitsOf, type WireObject } from '../../../src/sandbox/wire-json.ts';
import type { Listed } from '../../../src/sandbox/world.ts';

/** Units of 1e-18 by `account currency`; trading and bots are one. */
export type Sums = Map<string, bigint>;

export type Row = Listed & { readonly stream: StreamName };

export const add = (sums: Sums, place: string, units: bigint): Sums =>
  sums.set(place, (sums.get(place) ?? 0n) + units);

export const plus = (sums: Sums, more: ReadonlyMap<string, bigint>, factor = 1n): Sums => {
  for (const [place, units] of more) add(sums, place, factor * units);
  return sums;
};

export const figure = (body: WireObject, field: string): bigint => unitsOf(digitsOf(body[field]));
export const word = (body: WireObject, field: string): string => digitsOf(body[field]);

/** For trades, movements, and completed wallet transactions between a pocket and outside or trading, without conversion. */
export const effectsOf = ({ stream, body }: Row): Sums => {
  if (stream === 'trades') return ofTrade(body);
  return stream === 'movements' ? ofMovement(body) : ofWallet(body);
};

const trading = (currency: string): string => `assets:trading ${currency}`;
export const clearing = (currency: string): string => `assets:clearing:trading ${currency}`;

const ofTrade = (body: WireObject): Sums => {
  const [base = '', quote = ''] = word(body, 'symbol').split('/');
  const sign = word(body, 'side') === 'buy' ? 1n : -1n;
  const sums: Sums = new Map();
  add(sums, trading(base), sign * figure(body, 'amount'));
  add(sums, trading(quote), -sign * figure(body, 'cost'));
  return add(sums, trading(word(body, 'feeCurrency')), -figure(body, 'feeAmount'));
};

const ofMovement = (body: WireObject): Sums => {
  const currency = word(body, 'currency');
  const units = (word(body, 'movementType') === 'deposit' ? 1n : -1n) * figure(body, 'amount');
  const origin = word(body, 'serviceOrderName');
  const sums: Sums = new Map();
  if (origin === 'bot') return sums;
  add(sums, trading(currency), units);
  return origin === 'wallet' ? add(sums, clearing(currency), -units) : sums;
};

/** An incoming amount is after fees, if that is given; a network fee beside equal sides comes on top. */
const ofWallet = (body: WireObject): Sums => {
  const [origin, destination] = [body.origin, body.destination] as [WireObject, WireObject];
  const sums: Sums = new Map();
  const currency = word(origin, 'currency');
  const arrived = destination.amountAfterFees === undefined ? 'amount' : 'amountAfterFees';
  if (origin.pocketId !== undefined) {
    const network = (body.fee as WireObject | undefined)?.network as WireObject | undefined;
    const onTop = network === undefined ? 0n : figure(network, 'amount');
    add(sums, `assets:pocket:${word(origin, 'pocketId')} ${currency}`, -figure(origin, 'amount') - onTop);
  }
  if (destination.pocketId !== undefined)
    add(sums, `assets:pocket:${word(destination, 'pocketId')} ${currency}`, figure(destination, arrived));
  if (origin.class === 'trading') add(sums, clearing(currency), -figure(origin, 'amount'));
  if (destination.class === 'trading') add(sums, clearing(currency), figure(destination, 'amount'));
  return sums;
};
