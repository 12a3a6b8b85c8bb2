// What the reports of an export must agree on, added up from their rows: the same figures by account or currency in two of them.
import { type Atto, attoText, roundToCents } from '../../base/money.ts';
import type { Examination, Examiner } from './examine.ts';
import { type FigureOf, figureReader, hasColumns, type Table } from './tables.ts';
import { type Side, TIES, type Tie } from './tie-rules.ts';

/** What no cell of a key contains. */
const BETWEEN = '\t';

/** The sums of one side by entity and key, over all files of its report. */
type Sums = {
  readonly byKey: Map<string, Atto>;
  readonly opened: Set<string>;
  /** The figure of the row before and its entry, which may go on in the next sheet. */
  last: { readonly entry: string | undefined; readonly total: Atto };
  isRead: boolean;
};

const newSums = (): Sums => ({
  byKey: new Map(),
  opened: new Set(),
  last: { entry: undefined, total: 0n },
  isRead: false,
});

/** A sentence for each sum that differs between two reports; a report that a folder lacks ties to nothing. */
export const tiesExamination = (): Examination => {
  const ties = TIES.map((tie) => ({ ...tie, sums: [newSums(), newSums()] as const }));
  return {
    proof: 'the reports agree with each other',
    examinersOf: (table) =>
      ties.flatMap(({ by, sides, sums: [first, second] }) => [
        ...summing(table, { by, side: sides[0], sums: first }),
        ...summing(table, { by, side: sides[1], sums: second }),
      ]),
    figures: () => {
      const compared = ties.filter(({ sums }) => sums.every(({ isRead }) => isRead)).map(differences);
      return {
        checked: compared.reduce((count, { checked }) => count + checked, 0),
        faults: compared.flatMap(({ faults }) => faults),
      };
    },
  };
};

type Summed = {
  readonly by: readonly string[];
  readonly side: Side;
  readonly sums: Sums;
};

const summing = (table: Table, { by, side, sums }: Summed): Examiner[] => {
  const { report, plus, minus = [] } = side;
  const keyed = ['entity_id', ...by];
  if (table.report !== report || !hasColumns(table, [...keyed, ...plus, ...minus])) return [];
  sums.isRead = true;
  const read = figureReader(table);
  const figures = [
    ...plus.map((name) => [read(name), 1n] as const),
    ...minus.map((name) => [read(name), -1n] as const),
  ];
  const keys = keyed.map((name) => table.stated.columns.indexOf(name));
  const counted = countedOf(table, side, sums);
  const take = (cells: readonly string[]): void => {
    const key = keys.map((index) => cells[index]).join(BETWEEN);
    const amount = counted(cells, key, totalOf(figures, cells));
    if (amount !== null) sums.byKey.set(key, (sums.byKey.get(key) ?? 0n) + amount);
  };
  return [{ take: (rows) => rows.forEach(take) }];
};

/** What a row with a total adds to its sum; null if it does not count. */
const countedOf = (table: Table, { accounts, isOpening, isPerEntry, isDebit }: Side, sums: Sums) => {
  const account = table.stated.columns.indexOf('account');
  const entry = table.stated.columns.indexOf('entry_id');
  return (cells: readonly string[], key: string, total: Atto): Atto | null => {
    if (accounts && !accounts.test(cells[account] ?? '')) return null;
    if (isOpening && sums.opened.has(key)) return null;
    if (isOpening) sums.opened.add(key);
    if (isDebit && total <= 0n) return null;
    return isPerEntry ? total - replaced(sums, cells[entry], total) : total;
  };
};

/** The figure of the row before, if it is of the same entry: only the last one counts. */
const replaced = (sums: Sums, entry: string | undefined, total: Atto): Atto => {
  const { last } = sums;
  sums.last = { entry, total };
  return last.entry === entry ? last.total : 0n;
};

const totalOf = (figures: readonly (readonly [FigureOf, bigint])[], cells: readonly string[]): Atto =>
  figures.reduce((total, [figure, side]) => total + side * (figure(cells) ?? 0n), 0n);

type TieCompared = { readonly checked: number; readonly faults: readonly string[] };

const differences = ({
  sides,
  sums: [first, second],
  isPartial = false,
}: Tie & { readonly sums: readonly [Sums, Sums] }): TieCompared => {
  const entities = new Set([...first.byKey.keys()].map(entityOf));
  const keys = [...new Set([...first.byKey.keys(), ...second.byKey.keys()])].filter(
    (key) => !isPartial || entities.has(entityOf(key)),
  );
  const faults = keys.flatMap((key) => {
    const [one, other] = [sumAt(sides[0], first, key), sumAt(sides[1], second, key)];
    return one === other
      ? []
      : [
          `${nameOf(sides[0])} and ${nameOf(sides[1])} differ in ${key.replaceAll(BETWEEN, ' ')}: ${attoText(one)} and ${attoText(other)}`,
        ];
  });
  return { checked: keys.length, faults };
};

const sumAt = ({ isRounded = false }: Side, { byKey }: Sums, key: string): Atto => {
  const sum = byKey.get(key) ?? 0n;
  return isRounded ? roundToCents(sum) : sum;
};

const entityOf = (key: string): string => key.split(BETWEEN)[0] ?? '';

const nameOf = ({ report, plus, minus = [] }: Side): string =>
  `${report}.csv (${[...plus, ...minus.map((name) => `-${name}`)].join(' + ')})`.replaceAll('+ -', '- ');
