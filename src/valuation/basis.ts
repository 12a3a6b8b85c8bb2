// Bases: the ways in which a worth is known, or is not.
import type { Atto } from '../base/money.ts';
import type { Basis, Event, Worth } from './event.ts';
import type { Price } from './prices.ts';

/** The entry's own record says so. */
export const ownBasis = (event: Event, rule: string): Basis => ({
  rule,
  source: event.name,
  path: 'direct',
  ageSeconds: 0,
});

export const noWorth = (rule: string): Worth => ({
  worth: null,
  rule,
  source: '',
  path: null,
  ageSeconds: null,
});

/** What units are worth at a price. */
export const pricedBy = ({ worthOf, source, path, ageSeconds }: Price, units: Atto): Worth => ({
  ...{ worth: worthOf(units), rule: 'rate', source, path, ageSeconds },
});
