// What the figures of balances, flows and fees share: one currency at a time, because amounts of two currencies have no common
// scale.
import { sum } from '../../base/money.ts';
import type { Money } from './money-facts.ts';
import type { Phrases } from './phrases.ts';
import type { PageOf } from './section.ts';
import { figuresOf } from './table.ts';
import { type Html, html } from './text.ts';

/** The most currencies with a chart, and with a row in a table; the others are in the files. */
export const CHARTS_MAX = 12;
export const ROWS_MAX = 60;

export type FigurePlace = { readonly page: PageOf; readonly id: string };

export const isMoved = (figures: readonly string[]): boolean => figures.some((figure) => figure !== '0');

export const hasFigures = ([, ...figures]: readonly string[]): boolean => isMoved(figures);

export const feesOf = ({ fees }: Money): string => sum([...fees.values()].map(sum));

/** An exact amount inside a sentence of text. */
export const plain = ({ mark }: Phrases, exact: string): string => exact.replace('.', mark);

export const tableWithQuery = (
  { facts, phrases }: PageOf,
  table: Parameters<typeof figuresOf>[1],
  query: Html | null,
): Html => {
  const unit = phrases.text(`unit.${facts.money.unit}`);
  return figuresOf(phrases.text('with.query', { unit }), { ...table, mark: phrases.mark }, query);
};

export const spanOf = ({ facts, phrases }: PageOf): Html => {
  const { days, unit } = facts.money;
  return html`<p class="span" aria-hidden="true"><span>${phrases.day(days[0] ?? '', unit)}</span><span>${phrases.day(days.at(-1) ?? '', unit)}</span></p>`;
};

/** The figures per month: days grouped by the month in which they begin. */
export const perMonth = (
  days: readonly string[],
  figures: readonly string[],
): ReadonlyMap<string, string> => {
  const months = new Map<string, string>();
  for (const [i, day] of days.entries())
    months.set(day.slice(0, 7), sum([months.get(day.slice(0, 7)) ?? '0', figures[i] ?? '0']));
  return months;
};
