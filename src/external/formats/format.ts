// Which format a bank's file has: its first characters say so, never its name; or a person maps the headings of a CSV.
import { cp1252Text } from '../../base/cp1252.ts';
import { unicodeText } from '../../base/unicode-text.ts';
import type { ExternalFormat, RefuseFile, StatementsRead } from '../statement.ts';
import { LINES_MAX } from '../statement.ts';
import { readBankCsv } from './bank-csv.ts';
import { readCamt } from './camt.ts';
import type { CsvMapping } from './csv-mapping.ts';
import { readMappedCsv } from './mapped-csv.ts';
import { readMt940 } from './mt940.ts';
import { readNorma43 } from './norma43.ts';

type BankFile = { readonly name: string; readonly bytes: Uint8Array };

/** How a person says that the file is to be read; null: as its content shows. */
type StatedReading = { readonly format: ExternalFormat | null; readonly mapping: CsvMapping | null };

export const readBankFile = (
  file: BankFile,
  { format, mapping }: StatedReading,
  refuse: RefuseFile,
): StatementsRead => {
  const read = mapping === null ? readByContent(file, refuse) : readMapped(file, mapping, refuse);
  if (format !== null && format !== read.format)
    refuse(null, `is ${read.format} by its content, and --format says ${format}: leave --format out`);
  const lines = read.statements.reduce((count, statement) => count + statement.lines.length, 0);
  if (lines > LINES_MAX) refuse(null, `has more than ${LINES_MAX} lines: download shorter periods`);
  return read;
};

const readMapped = (file: BankFile, mapping: CsvMapping, refuse: RefuseFile): StatementsRead => ({
  format: 'csv',
  ...readMappedCsv(file, mapping, refuse),
});

const readByContent = (file: BankFile, refuse: RefuseFile): StatementsRead => {
  const text = textOf(file.bytes, refuse);
  if (text.trim() === '') return refuse(null, 'is empty: download it again');
  return { reading: null, ...byFormat(file, text, refuse) };
};

const byFormat = (file: BankFile, text: string, refuse: RefuseFile): Omit<StatementsRead, 'reading'> => {
  if (text.trimStart().startsWith('<')) return { format: 'camt.053', statements: readCamt(text, refuse) };
  if (/^\s*(\{1:|:20:)/.test(text)) return { format: 'mt940', statements: readMt940(text, refuse) };
  if (/^11\d{18}/.test(text)) return { format: 'norma43', statements: readNorma43(text, refuse) };
  return { format: 'csv', statements: readBankCsv(file, refuse) };
};

/** UTF-8 or UTF-16, or what older banks write: Windows-1252. A byte order mark is dropped. */
const textOf = (bytes: Uint8Array, refuse: RefuseFile): string =>
  unicodeText(bytes, (why) => refuse(null, why))?.text ?? cp1252Text(bytes);
