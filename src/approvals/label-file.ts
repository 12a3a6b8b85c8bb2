// Reads a file of labels: what people call entities, pockets, accounts and counterparties. Every error names line and column.
import { compactNumber } from '../base/bank-account.ts';
import { type CsvRow, readCsvFile } from '../base/csv-file.ts';
import { UsageError } from '../base/errors.ts';

export const LABEL_COLUMNS = ['kind', 'id', 'label'] as const;
export const LABEL_KINDS = ['entity', 'pocket', 'account', 'counterparty'];

/** What a label is for, and the label. A pocket's id is in small letters, as in the name of its account. */
export type Label = Readonly<Record<(typeof LABEL_COLUMNS)[number], string>>;

/** A label, and how to refuse it: throws a UsageError that names file, line and column. */
export type LabelLine = Label & { readonly refuse: (column: string, why: string) => never };

type LabelFileRow = CsvRow<(typeof LABEL_COLUMNS)[number]>;

const LINES_MAX = 10_000;
/** Fits beside the id in a cell, and on the page instead of the id. */
const LABEL_MAX = 60;
const ID_MAX = 300;
/** Controls, format characters such as a zero-width blank, lone surrogates, and separators of lines; blanks but the usual one. */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u00a0\u115f\u1160\u2000-\u200a\u202f\u205f\u2800\u3000\u3164\uffa0]/u;
/** Characters that start a formula in a spreadsheet. */
const FORMULA = /^[=+\-@＝＋－＠]/;
/** Anywhere in a text without blanks; an IBAN has at least this many digits, which words with a year do not. */
const IBAN = /[A-Z]{2}\d{2}[A-Z0-9]{11,30}/;
const IBAN_DIGITS_MIN = 10;
const EMAIL = /[^\s@]@[^\s@]+\.[^\s@]/;

/** Reads the labels, one per line. Throws UsageError for the first mistake. */
export const readLabels = (path: string): LabelLine[] => {
  const rows = readCsvFile(path, LABEL_COLUMNS);
  if (rows.length > LINES_MAX)
    throw new UsageError(`${path}: has ${rows.length} labels: write at most ${LINES_MAX}`);
  const lines = rows.map((row) => labelLine(path, row));
  refuseTwins(rows, lines);
  return lines;
};

const labelLine = (path: string, { line, cells }: LabelFileRow): LabelLine => {
  const refuse = (column: string, why: string): never => {
    throw new UsageError(`${path}: line ${line}, column ${column}: ${why}`);
  };
  if (!LABEL_KINDS.includes(cells.kind))
    refuse('kind', `"${cells.kind.slice(0, 60)}": write ${LABEL_KINDS.join(', ')}`);
  refuseText('id', cells.id, { max: ID_MAX, refuse });
  refuseText('label', cells.label, { max: LABEL_MAX, refuse });
  refusePersonal(cells.label, refuse);
  const id = cells.kind === 'pocket' ? cells.id.toLowerCase() : cells.id;
  return { ...cells, id, refuse };
};

const refuseText = (
  column: string,
  text: string,
  { max, refuse }: { readonly max: number; readonly refuse: LabelLine['refuse'] },
): void => {
  if (text === '') refuse(column, 'is empty');
  if (UNSEEN.test(text)) refuse(column, 'contains an invisible character: type it again');
  if (text.length > max) refuse(column, `has ${text.length} characters: write at most ${max}`);
  if (column === 'label' && FORMULA.test(text))
    refuse(column, `"${text}" begins like a formula of a spreadsheet: begin with a letter or a digit`);
};

/** Labels stay in sealed reports for years, and no erasure reaches them: so they hold no personal data. */
const refusePersonal = (label: string, refuse: LabelLine['refuse']): void => {
  if (EMAIL.test(label))
    refuse('label', 'looks like an e-mail address: labels must not contain personal data');
  const [iban = ''] = IBAN.exec(compactNumber(label)) ?? [];
  if (iban.replace(/\D/g, '').length >= IBAN_DIGITS_MIN)
    refuse('label', 'looks like an IBAN: labels must not contain personal data');
};

/** Two names that a reader takes for one: differences of case, width and blanks do not count. */
const comparable = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ');

/** What a label appears beside: a pocket is an account. */
const place = ({ kind }: Label): string => (kind === 'pocket' ? 'account' : kind);

const subject = (line: Label): string =>
  `${place(line)} ${line.kind === 'pocket' ? `assets:pocket:${line.id}` : line.id}`;

/** An id has one label, and a label belongs to one id of its column. */
const refuseTwins = (rows: readonly LabelFileRow[], lines: readonly LabelLine[]): void => {
  const ids = new Map<string, number>();
  const labels = new Map<string, number>();
  lines.forEach((line, index) => {
    const number = rows[index]?.line ?? 0;
    const twin = ids.get(subject(line));
    if (twin !== undefined) line.refuse('id', `${line.id} is also in line ${twin}: remove one of the lines`);
    ids.set(subject(line), number);
    const name = `${place(line)} ${comparable(line.label)}`;
    const other = labels.get(name);
    if (other !== undefined)
      line.refuse('label', `"${line.label}" is also the label in line ${other}: write another one`);
    labels.set(name, number);
  });
};
