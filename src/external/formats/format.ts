// Which format a bank's file has: its first characters say so, never its name.
import type { RefuseFile, StatementsRead } from '../statement.ts';
import { LINES_MAX } from '../statement.ts';
import { readBankCsv } from './bank-csv.ts';
import { readCamt } from './camt.ts';
import { readMt940 } from './mt940.ts';
import { readNorma43 } from './norma43.ts';

type BankFile = { readonly name: string; readonly bytes: Uint8Array };

export const readBankFile = (file: BankFile, refuse: RefuseFile): StatementsRead => {
  const text = textOf(file.bytes);
  if (text.trim() === '') return refuse(null, 'is empty: download it again');
  const read = byFormat(file, text, refuse);
  const lines = read.statements.reduce((count, statement) => count + statement.lines.length, 0);
  if (lines > LINES_MAX) refuse(null, `has more than ${LINES_MAX} lines: download shorter periods`);
  return read;
};

const byFormat = (file: BankFile, text: string, refuse: RefuseFile): StatementsRead => {
  if (text.trimStart().startsWith('<')) return { format: 'camt.053', statements: readCamt(text, refuse) };
  if (/^\s*(\{1:|:20:)/.test(text)) return { format: 'mt940', statements: readMt940(text, refuse) };
  if (/^11\d{18}/.test(text)) return { format: 'norma43', statements: readNorma43(text, refuse) };
  return { format: 'csv', statements: readBankCsv(file, refuse) };
};

/** UTF-8, or what older banks write: Windows-1252. A byte order mark is dropped. */
const textOf = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
};
