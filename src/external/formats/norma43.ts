// Norma 43 (Cuaderno 43 of the AEB and CECA), the statement of Spanish banks: records of 80 characters, amounts in cents. Its own
// counts and totals are checked, so a lost record is noticed.
import { ibanOf } from '../../base/bank-account.ts';
import { compare, exactSum, negate, scale } from '../../base/money.ts';
import {
  BANK_LINE,
  dayOfSix,
  type ExternalLine,
  type ExternalStatement,
  type RefuseFile,
  shown,
} from '../statement.ts';

type Norma43Row = { readonly line: number; readonly text: string };

/** ISO 4217 numbers of the currencies that European banks keep accounts in. */
const CURRENCIES: Readonly<Record<string, string>> = {
  '036': 'AUD',
  '124': 'CAD',
  '156': 'CNY',
  '203': 'CZK',
  '208': 'DKK',
  '348': 'HUF',
  '392': 'JPY',
  '484': 'MXN',
  '504': 'MAD',
  '578': 'NOK',
  '752': 'SEK',
  '756': 'CHF',
  '826': 'GBP',
  '840': 'USD',
  '946': 'RON',
  '949': 'TRY',
  '978': 'EUR',
  '985': 'PLN',
  '986': 'BRL',
};

export const readNorma43 = (text: string, refuse: RefuseFile): ExternalStatement[] => {
  const rows = text
    .split(/\r\n|\r|\n/)
    .map((row, index) => ({ line: index + 1, text: row.padEnd(80) }))
    .filter((row) => row.text.trim() !== '' && row.text.trim() !== '\u001a');
  const last = rows.at(-1);
  if (last === undefined || !last.text.startsWith('88'))
    return refuse(last?.line ?? 1, 'is not the last record (88): the file is cut off; download it again');
  const body = rows.slice(0, -1);
  const stated = Number.parseInt(last.text.slice(20, 26), 10);
  if (stated !== body.length)
    refuse(last.line, `states ${stated} records, and the file has ${body.length}: download it again`);
  return accountsOf(body, refuse).map((account) => statementOf(account, refuse));
};

/** The records of each account: from its header (11) to its end (33). */
const accountsOf = (rows: readonly Norma43Row[], refuse: RefuseFile): Norma43Row[][] => {
  const accounts: Norma43Row[][] = [];
  let isOpen = false;
  for (const row of rows) {
    const code = row.text.slice(0, 2);
    if (row.text.length > 80) refuse(row.line, 'is longer than 80 characters: download the file again');
    if ((code === '11') === isOpen)
      refuse(row.line, `record ${shown(code)} is out of place: the file is cut off; download it again`);
    if (code === '11') accounts.push([]);
    isOpen = code !== '33';
    accounts.at(-1)?.push(row);
  }
  if (isOpen)
    refuse(
      rows.at(-1)?.line ?? 1,
      'the account has no end (record 33): the file is cut off; download it again',
    );
  return accounts;
};

const statementOf = (rows: readonly Norma43Row[], refuse: RefuseFile): ExternalStatement => {
  const [head, end] = [rows[0], rows.at(-1)];
  if (head === undefined || end === undefined)
    return refuse(null, 'has an account without records: download it again');
  const lines = linesOf(rows.slice(1, -1), refuse);
  checkTotals(end, lines, refuse);
  const currency = CURRENCIES[head.text.slice(47, 50)];
  if (currency === undefined)
    refuse(head.line, `the currency ${shown(head.text.slice(47, 50))} is not known here: use another format`);
  return {
    fileLine: head.line,
    bankNumber: null,
    accountNumber: ibanIn(head, refuse),
    currency: currency ?? null,
    startsOn: dayAt(head, 20, refuse),
    endsOn: dayAt(head, 26, refuse),
    opening: amountAt(head, 32, refuse),
    closing: amountAt(end, 58, refuse),
    lines,
  };
};

/** A sign (1 debit, 2 credit) and 14 digits of cents. */
const amountAt = ({ line, text }: Norma43Row, place: number, refuse: RefuseFile): string => {
  const [sign, digits] = [text.slice(place, place + 1), text.slice(place + 1, place + 15)];
  if (!/^[12]$/.test(sign) || !/^\d{14}$/.test(digits))
    return refuse(
      line,
      `${shown(sign + digits)} is no amount: a sign, 1 or 2, and 14 digits; download the file again`,
    );
  const amount = scale(digits, -2);
  return sign === '1' ? negate(amount) : amount;
};

const dayAt = ({ line, text }: Norma43Row, place: number, refuse: RefuseFile): string => {
  const digits = text.slice(place, place + 6);
  return (
    (/^\d{6}$/.test(digits) ? dayOfSix(digits) : null) ??
    refuse(line, `${shown(digits)} is no day, six digits with the year first: download the file again`)
  );
};

/** The IBAN of the account: the record has bank, branch and number, and the control digits follow from them. */
const ibanIn = ({ line, text }: Norma43Row, refuse: RefuseFile): string => {
  const [branch, account] = [text.slice(2, 10), text.slice(10, 20)];
  if (!/^\d{8}$/.test(branch) || !/^\d{10}$/.test(account))
    return refuse(line, `${shown(text.slice(2, 20))} is no account of 18 digits: download the file again`);
  return ibanOf('ES', `${branch}${control(`00${branch}`)}${control(account)}${account}`);
};

const WEIGHTS = [1, 2, 4, 8, 5, 10, 9, 7, 3, 6];

/** The control digit of ten digits of a Spanish account. */
const control = (digits: string): string => {
  const total = WEIGHTS.reduce(
    (sum, weight, place) => sum + weight * Number.parseInt(digits.charAt(place), 10),
    0,
  );
  const digit = 11 - (total % 11);
  return digit === 11 ? '0' : digit === 10 ? '1' : String(digit);
};

const linesOf = (rows: readonly Norma43Row[], refuse: RefuseFile): ExternalLine[] => {
  const lines: { row: Norma43Row; notes: string[] }[] = [];
  for (const row of rows) {
    const code = row.text.slice(0, 2);
    if (code === '22') lines.push({ row, notes: [] });
    else if (code === '23')
      lines.at(-1)?.notes.push(row.text.slice(4, 42).trim(), row.text.slice(42, 80).trim());
    else if (code !== '24')
      refuse(row.line, `record ${shown(code)} is unknown: 22, 23 or 24 stand here; download the file again`);
    if (lines.length === 0)
      refuse(row.line, `record ${shown(code)} has no movement (22) before it: download the file again`);
  }
  return lines.map(({ row, notes }) => lineOf(row, notes, refuse));
};

const lineOf = (row: Norma43Row, notes: readonly string[], refuse: RefuseFile): ExternalLine => ({
  ...BANK_LINE,
  fileLine: row.line,
  bookedOn: dayAt(row, 10, refuse),
  valueOn: dayAt(row, 16, refuse),
  amount: amountAt(row, 27, refuse),
  references: [row.text.slice(42, 52), row.text.slice(52, 64), row.text.slice(64, 80)]
    .map((reference) => reference.trim())
    .filter((reference) => !/^0*$/.test(reference)),
  note: notes.filter((note) => note !== '').join('\n'),
  counterparty: '',
  counterpartyAccount: '',
  facts: {
    side: row.text.charAt(27) === '1' ? 'debit' : 'credit', // of a line of zero too
    concept_code: row.text.slice(22, 24),
    own_concept_code: row.text.slice(24, 27),
  },
});

/** The counts and sums that the bank states for its debits and credits. */
const checkTotals = (
  { line, text }: Norma43Row,
  lines: readonly ExternalLine[],
  refuse: RefuseFile,
): void => {
  const sides = [
    { side: 'debit', place: 20 },
    { side: 'credit', place: 39 },
  ];
  for (const { side, place } of sides) {
    const name = `${side}s`;
    const ofSide = lines.filter(({ facts }) => facts.side === side);
    const amounts = ofSide.map(({ amount }) => amount.replace('-', ''));
    const [count, total] = [text.slice(place, place + 5), text.slice(place + 5, place + 19)];
    if (!/^\d{5}$/.test(count) || !/^\d{14}$/.test(total))
      refuse(line, `the totals of the ${name} are no numbers: download the file again`);
    if (Number.parseInt(count, 10) !== amounts.length || compare(scale(total, -2), exactSum(amounts)) !== 0)
      refuse(
        line,
        `states ${count} ${name} of ${scale(total, -2)}, and the file has ${amounts.length} of ${exactSum(amounts)}: download it again`,
      );
  }
};
