// Figures of several sets of books, added up.
import { expect, test } from 'vitest';
import { addFigures } from '../../../src/export/page/figures.ts';

/** Counterparties of one set of books, by name, each with a label and another amount received. */
const partiesFrom = (first: number, many: number) =>
  Array.from({ length: many }, (_, nth) => ({
    counterparty_type: 'third-party',
    counterparty: `party ${first + nth}`,
    counterparty_label: `Label ${first + nth}`,
    channel: 'bank',
    value_currency: 'EUR',
    in: String(first + nth),
    out: '0',
    lines: '1',
    unvalued: '0',
    parties: '1',
  }));

const figuresOf = (counterparties: ReturnType<typeof partiesFrom>) => ({
  values: [],
  months: [],
  fee_values: [],
  counterparties,
});

test('counterparties beyond twenty of a type are one row, which has none of their labels', () => {
  const added = addFigures([figuresOf(partiesFrom(1, 15)), figuresOf(partiesFrom(16, 15))]).counterparties;
  expect(added).toHaveLength(21);
  expect(added.filter(({ counterparty }) => counterparty === null)).toEqual([
    expect.objectContaining({ counterparty_label: null, channel: '', parties: '10', in: '55' }),
  ]);
});

test('a counterparty of two sets of books is one of the others', () => {
  const books = figuresOf(partiesFrom(1, 20));
  const third = figuresOf(partiesFrom(21, 15));
  const others = addFigures([books, books, third]).counterparties.filter(({ channel }) => channel === '');
  expect(others).toEqual([expect.objectContaining({ parties: '15', lines: '26' })]);
});
