// Proves that the files which an accounting package imports book what batch_entries.csv says of each of their lines.
import { join } from 'node:path';
import { absolute } from '../../base/money.ts';
import { linesIn } from '../../base/named-file.ts';
import { type BookedAmount, centsOf, decimal, LINKS, sideAmount } from '../../export/contents.ts';
import type { PackageFormat } from '../../export/packages/package.ts';
import type { Manifest } from '../../export/reports/manifest.ts';
import { type Proof, proofFrom } from '../proof.ts';
import { cellsOf, packageForm, textOf } from './package-text.ts';
import { bodyOf, plainText, type Table, withTables } from './tables.ts';

const PROOF = 'each line of its files has the amounts of batch_entries.csv';

/** What a line of a package's file books. */
type BookedLine = { readonly file: string; readonly line: number; readonly amounts: readonly BookedAmount[] };

/** None if no batch of a known package is in the folder, or its list of entries is missing. */
export const packageLineProofs = (
  dir: string,
  manifest: Pick<Manifest, 'files' | 'profile' | 'batch'>,
): Promise<Proof[]> =>
  withTables(dir, manifest, async (tables) => {
    const links = tables.find(({ file }) => file === LINKS);
    const names = manifest.files.map(({ name }) => name).filter((name) => packageForm(manifest, name));
    const [format] = names.map((name) => packageForm(manifest, name));
    if (!links || !format) return [];
    const surplus = surplusOf();
    let checked = 0;
    try {
      const lines = bookedLines(dir, names, format);
      for await (const linked of linkedLines(links, format)) {
        for (const each of linked) surplus.add(each, -1n);
        checked += await drawInto(surplus, lines, linked.length); // together, so that few lines wait for their entries
      }
      checked += await drawInto(surplus, lines, Number.POSITIVE_INFINITY);
    } catch (error) {
      return [proofFrom(PROOF, 1, [(error as Error).message])];
    }
    return [proofFrom(PROOF, checked, surplus.faults())];
  });

type Surplus = ReturnType<typeof surplusOf>;

/** Adds up to `most` lines of the files; returns how many. */
const drawInto = async (
  surplus: Surplus,
  lines: AsyncGenerator<BookedLine, undefined>,
  most: number,
): Promise<number> => {
  for (let count = 0; ; count += 1) {
    if (count >= most) return count;
    const { value } = await lines.next();
    if (value === undefined) return count;
    surplus.add(value, 1n);
  }
};

/** By line and account, the cents that the files have beyond their entries; none where they agree. */
const surplusOf = () => {
  const cents = new Map<string, bigint>();
  return {
    add: ({ file, line, amounts }: BookedLine, sign: 1n | -1n): void => {
      for (const [account, amount] of amounts) {
        const booked = centsOf(amount);
        if (booked === null) throw new Error(`${file}, line ${line}: expected an amount, found ${amount}`);
        const key = `${file}, line ${line}, account ${account}`;
        const rest = (cents.get(key) ?? 0n) + sign * booked;
        if (rest === 0n) cents.delete(key);
        else cents.set(key, rest);
      }
    },
    faults: (): string[] =>
      [...cents].map(
        ([key, rest]) =>
          `${key}: ${decimal(absolute(rest))} ${rest > 0n ? 'more' : 'less'} than its entries in ${LINKS}`,
      ),
  };
};

/** The lines of the files that a package imports, below their heads. */
async function* bookedLines(
  dir: string,
  names: readonly string[],
  { headLines, delimiter, limits, booked }: PackageFormat,
): AsyncGenerator<BookedLine, undefined> {
  for (const file of names) {
    let line = 0;
    for await (const bytes of linesIn(join(dir, file), 'latin1')) {
      line += 1;
      if (line <= headLines) continue;
      const cells = cellsOf(textOf(bytes), delimiter);
      if (cells.length !== limits.columns.length)
        throw new Error(
          `${file}, line ${line}: expected ${limits.columns.length} columns, found ${cells.length}`,
        );
      const amounts = booked(cells).map(([key, amount]) => [plainText(key), amount] as const);
      yield { file, line, amounts };
    }
  }
}

const LINK_CELLS = ['file', 'line', 'code', 'name', 'debit', 'credit'];

/** What the entries book on each line, piece by piece. Entries that cancel in a sum have no line. */
async function* linkedLines(links: Table, { keyOf }: PackageFormat): AsyncGenerator<BookedLine[]> {
  const indexes = LINK_CELLS.map((name) => links.stated.columns.indexOf(name));
  const lineOf = (row: readonly string[]): BookedLine => {
    const [file = '', line = '', code = '', name = '', debit, credit] = indexes.map((index) => row[index]);
    const key = plainText(keyOf({ code, name }));
    return { file, line: Number.parseInt(line, 10), amounts: [[key, sideAmount(debit, credit)]] };
  };
  for await (const rows of bodyOf(links, () => {})) yield rows.map(lineOf).filter(({ file }) => file !== '');
}
