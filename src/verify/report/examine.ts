// Reads every table of an export once, and lets each examination see the rows that it needs.
import { isExamined, type Proof, proofFrom } from '../proof.ts';
import { bodyOf, headingFault, type Table } from './tables.ts';

/** The number of figures compared, and a sentence for each that differs. */
export type Figures = { readonly checked: number; readonly faults: readonly string[] };

/** Sees one table: its rows in pieces, then its end, if it can be read so far. */
export type Examiner = {
  readonly take: (rows: readonly string[][]) => void;
  readonly end?: () => void;
};

/** One proof over all tables; `figures` is called when they have been read. */
export type Examination = {
  readonly proof: string;
  /** None for a table that this proof does not need. */
  readonly examinersOf: (table: Table) => readonly Examiner[];
  readonly figures: () => Figures;
};

/**
 * The proofs of all examinations that compared something: one that found nothing to compare proves nothing, and is left out. A
 * table that cannot be read is a fault of each that needs it.
 */
export const examine = async (
  tables: readonly Table[],
  examinations: readonly Examination[],
): Promise<Proof[]> => {
  const unreadable = new Map<Examination, string[]>(examinations.map((each) => [each, []]));
  for (const table of tables) {
    const examiners = new Map(examinations.map((each) => [each, each.examinersOf(table)]));
    const fault = await faultOfReading(table, [...examiners.values()].flat());
    if (fault !== null)
      for (const [each, { length }] of examiners) if (length > 0) unreadable.get(each)?.push(fault);
  }
  const proofs = examinations.map((each) => {
    const { checked, faults } = each.figures();
    return proofFrom(each.proof, checked, [...(unreadable.get(each) ?? []), ...faults]);
  });
  return proofs.filter(isExamined);
};

/** Under another header the cells mean something else: such a table is not read. */
const faultOfReading = async (table: Table, examiners: readonly Examiner[]): Promise<string | null> => {
  let heading: string | null = null;
  try {
    const onHead = (cells: readonly string[]) => {
      heading = headingFault(table, cells);
    };
    for await (const rows of bodyOf(table, onHead)) {
      if (heading !== null) return heading;
      for (const examiner of examiners) examiner.take(rows);
    }
    for (const examiner of examiners) examiner.end?.();
    return null;
  } catch (error) {
    return `${table.file}: ${(error as Error).message}`;
  }
};
