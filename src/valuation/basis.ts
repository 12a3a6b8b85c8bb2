// Bases: where a value comes from, or that there is none.
import type { Atto } from '../base/money.ts';
import type { Basis, Event, LegValue } from './event.ts';
import type { Price } from './prices.ts';

/** The entry's own record reports the value. */
export const ownBasis = (event: Event, rule: string): Basis => ({
  rule,
  source: event.name,
  path: 'direct',
  ageSeconds: 0,
});

export const noValue = (rule: string): LegValue => ({
  value: null,
  rule,
  source: '',
  path: null,
  ageSeconds: null,
});

/** The value of units at a price. */
export const valueAtPrice = (
  { convert: worthOf, source, path, ageSeconds }: Price,
  units: Atto,
): LegValue => ({
  value: worthOf(units),
  rule: 'rate',
  source,
  path,
  ageSeconds,
});
