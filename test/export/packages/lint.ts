// What the linters of package files share: a strict reader of delimited bytes, and sums of what it reads. It shares no code
// with the writers.
import { cp1252Text } from '../../../src/base/cp1252.ts';
import type { PackageLimits } from '../../../src/export/packages/package-limits.ts';

/** The result of a linter on the bytes of a file: its faults, and the sum of each account, in cents, debit positive. */
export type Lint = { readonly faults: readonly string[]; readonly totals: ReadonlyMap<string, bigint> };

/** A cell of the file: its text, and whether it is in quotes. */
export type DelimitedCell = { readonly text: string; readonly quoted: boolean };

/** The layout of a file, besides its limits. `above`: the lines before the line of columns. */
export type Layout = {
  readonly charset: string;
  readonly delimiter: ',' | ';';
  readonly limits: PackageLimits;
  readonly above: number;
};

/** A line below the head: its number in the file, its cells, and the text of a column. */
export type DelimitedLine = {
  readonly number: number;
  readonly cells: readonly DelimitedCell[];
  readonly text: (column: string) => string;
};

/** One side of a line: its journal, its day, the account, and cents, debit positive. */
export type BookedSide = {
  readonly journal: string;
  readonly day: string;
  readonly key: string;
  readonly cents: bigint;
};

const CELL = { ',': /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y, ';': /(?:"((?:[^"]|"")*)"|([^";]*))(;|$)/y };

/** The lines of a file: text in its character set, each ended by CRLF. Anything else is a fault, and yields no lines. */
export const linesOf = (
  bytes: Uint8Array,
  { charset, limits }: Layout,
): { readonly lines: readonly string[]; readonly faults: string[] } => {
  const text = decoded(bytes, charset);
  if (text === null) return { lines: [], faults: [`is not ${charset}`] };
  if (limits.bytes !== null && bytes.length > limits.bytes)
    return { lines: [], faults: [`has more than ${limits.bytes} bytes`] };
  if (!text.endsWith('\r\n')) return { lines: [], faults: ['does not end with CRLF'] };
  const lines = text.slice(0, -2).split('\r\n');
  if (lines.length > limits.lines)
    return { lines: [], faults: [`has ${lines.length} lines, more than ${limits.lines}`] };
  return { lines, faults: [] };
};

const decoded = (bytes: Uint8Array, charset: string): string | null => {
  if (charset === 'windows-1252') return cp1252Text(bytes);
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
};

/** The cells of a line; null if a quote is misplaced or a character is invisible. */
export const cellsOf = (line: string, delimiter: ',' | ';'): DelimitedCell[] | null => {
  if (/\p{Cc}/u.test(line)) return null;
  const pattern = CELL[delimiter];
  const cells: DelimitedCell[] = [];
  for (let position = 0; ; ) {
    pattern.lastIndex = position;
    const found = pattern.exec(line);
    if (!found) return null;
    const [all, inQuotes, bare = '', end] = found;
    cells.push({ text: inQuotes?.replaceAll('""', '"') ?? bare, quoted: inQuotes !== undefined });
    position += all.length;
    if (end === '') return position === line.length ? cells : null;
  }
};

/** The lines below the head. A wrong head or a wrong number of cells is a fault, and such a line is skipped. */
export function* recordsOf(
  lines: readonly string[],
  { delimiter, limits: { columns, lengths }, above }: Layout,
  faults: string[],
): Generator<DelimitedLine> {
  if (lines.length === 0) return;
  const head = cellsOf(lines[above] ?? '', delimiter)?.map(({ text }) => text);
  if (head?.join('\n') !== columns.join('\n')) faults.push(`line ${above + 1} is not the line of columns`);
  if (lines.length <= above + 1) faults.push('holds no entry');
  const places = new Map(columns.map((name, i) => [name, i] as const));
  for (const [i, line] of lines.slice(above + 1).entries()) {
    const number = above + 2 + i;
    const cells = cellsOf(line, delimiter);
    if (cells?.length !== columns.length) {
      faults.push(`line ${number} is not ${columns.length} cells: ${line.slice(0, 60)}`);
      continue;
    }
    const text = (column: string) => cells[places.get(column) ?? -1]?.text ?? '';
    for (const [name, max] of Object.entries(lengths))
      if (text(name).length > max) faults.push(`line ${number}: ${name} is over ${max} characters`);
    yield { number, cells, text };
  }
}

/** Cents of an amount with two decimals and at most `wholeDigits` digits before them; null if the text is not one. */
export const amountOf = (text: string, sign: '.' | ',', wholeDigits: number): bigint | null => {
  const [, minus, whole, cents] = /^(-?)(\d+)[.,](\d{2})$/.exec(text) ?? [];
  if (!whole || !cents || !text.includes(sign) || whole.length > wholeDigits) return null;
  if (/^0\d/.test(whole)) return null;
  return BigInt(`${minus ?? ''}${whole}${cents}`);
};

/** Whether the text is a day of the calendar. */
export const isDay = (year: string, month: string, day: string): boolean => {
  const days = /^(0[469]|11)$/.test(month) ? 30 : month === '02' ? (isLeap(year) ? 29 : 28) : 31;
  return /^\d{4}$/.test(year) && /^(0[1-9]|1[0-2])$/.test(month) && day >= '01' && day <= String(days);
};

/** The faults of a day written with slashes, in an order such as `dd/mm/yyyy`. */
export const slashedDayFaults = (
  { text }: DelimitedLine,
  column: string,
  order: 'dd/mm/yyyy' | 'mm/dd/yyyy',
): string[] => {
  const [first = '', second = '', year = ''] = text(column).split('/');
  const [day, month] = order === 'dd/mm/yyyy' ? [first, second] : [second, first];
  const isWritten = /^\d{2}\/\d{2}\/\d{4}$/.test(text(column)) && isDay(year, month, day);
  return isWritten ? [] : [`${column} is not ${order}`];
};

/** The cents of a line, and whether exactly one of its debit and credit columns has an amount. */
export const sidedCents = (
  { text }: DelimitedLine,
  [debits, credits]: readonly [string, string],
  { sign, wholeDigits }: { readonly sign: '.' | ','; readonly wholeDigits: number },
): { readonly cents: bigint; readonly isOne: boolean } => {
  const [debit, credit] = [text(debits), text(credits)];
  const cents = amountOf(debit || credit, sign, wholeDigits);
  const isOne = (debit === '') !== (credit === '') && cents !== null && cents > 0n;
  return { cents: debit === '' ? -(cents ?? 0n) : (cents ?? 0n), isOne };
};

const isLeap = (year: string): boolean => {
  const number = Number.parseInt(year, 10);
  return (number % 4 === 0 && number % 100 !== 0) || number % 400 === 0;
};

/** Sums by account, and faults across lines: a journal of two days, one that is not zero, one that is not contiguous. */
export const lintResult = (booked: readonly BookedSide[], faults: string[]): Lint => {
  const totals = new Map<string, bigint>();
  const journals = new Map<string, { day: string; cents: bigint }>();
  let last = '';
  for (const { journal, day, key, cents } of booked) {
    totals.set(key, (totals.get(key) ?? 0n) + cents);
    const known = journals.get(journal);
    if (known && journal !== last) faults.push(`journal ${journal} is in two places`);
    if (known && known.day !== day) faults.push(`journal ${journal} has two days`);
    journals.set(journal, { day, cents: (known?.cents ?? 0n) + cents });
    last = journal;
  }
  for (const [journal, { cents }] of journals)
    if (cents !== 0n) faults.push(`journal ${journal} is ${cents} cents from balanced`);
  return { faults, totals };
};
