// Bases: the origin of a value, or the fact that there is none.
import type { Atto } from '../base/money.ts';
import type { Basis, Event, LegValue } from './event.ts';
import type { Price } from './prices.ts';

/** A value from the entry's own record. */
export const ownBasis = (event: Event, rule: string): Basis => ({
  rule,
  source: event.name,
  path: 'direct',
  ageSeconds: 0,
});

export const noValue = (rule: string): LegValue => ({
  value: null,
  basis: { rule, source: '', path: null, ageSeconds: null },
});

/** The value of a number of units at a price. */
export const valueAtPrice = ({ convert, source, path, ageSeconds }: Price, units: Atto): LegValue => ({
  value: convert(units),
  basis: { rule: 'rate', source, path, ageSeconds },
});
