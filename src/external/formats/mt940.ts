// MT940 (SWIFT), the statement as tagged lines, with or without its envelope. Of field 86 the text is read whole: banks structure it
// in ways of their own, and its references are found in it.
import { ibanOf } from '../../base/bank-account.ts';
import { negate } from '../../base/money.ts';
import { msOf } from '../../base/time.ts';
import {
  BANK_LINE,
  dayOf,
  dayOfSix,
  type ExternalLine,
  type ExternalStatement,
  firstDay,
  type RefuseFile,
  shown,
  unsignedAmount,
} from '../statement.ts';

type Field = { readonly tag: string; readonly line: number; readonly rows: string[] };

export const readMt940 = (text: string, refuse: RefuseFile): ExternalStatement[] => {
  const messages: Field[][] = [];
  for (const field of fieldsOf(text)) {
    if (field.tag === '20') messages.push([]);
    const message = messages.at(-1);
    if (message === undefined)
      return refuse(field.line, 'begins without field :20:: the file is cut off; download it again');
    message.push(field);
  }
  return messages.map((message) => statementOf(message, refuse));
};

const TAG = /^:(\d{2}[A-Z]?):(.*)$/;

/** The fields, each with its lines; the envelope around a message is left out. */
const fieldsOf = (text: string): Field[] => {
  const fields: Field[] = [];
  for (const [index, raw] of text.split(/\r\n|\r|\n/).entries()) {
    const row = raw.replace(/^\{.*\{4:$|^\{1:.*\}\s*$/, '');
    const [, tag, rest = ''] = TAG.exec(row.replace(/^.*\{4:(?=:)/, '')) ?? [];
    if (tag !== undefined) fields.push({ tag, line: index + 1, rows: [rest] });
    else if (row !== '' && !/^-\}?/.test(row)) fields.at(-1)?.rows.push(row);
  }
  return fields;
};

const statementOf = (message: readonly Field[], refuse: RefuseFile): ExternalStatement => {
  const [head] = message;
  const field = (tags: readonly string[], name: string): Field =>
    message.find(({ tag }) => tags.includes(tag)) ??
    refuse(
      message.at(-1)?.line ?? null,
      `ends without field :${tags[0]}:, the ${name}: the file is cut off; download it again`,
    );
  const opening = balanceOf(field(['60F', '60M'], 'opening balance'), refuse);
  const closing = balanceOf(field(['62F', '62M'], 'closing balance'), refuse);
  if (opening.currency !== closing.currency)
    refuse(
      head?.line ?? null,
      `opens in ${opening.currency} and closes in ${closing.currency}: ask the bank`,
    );
  const lines = linesOf(message, closing.day, refuse);
  const account = field(['25', '25P'], 'account').rows[0]?.trim() ?? '';
  return {
    fileLine: head?.line ?? 1,
    bankNumber: numberOf(field(['28C', '28'], 'statement number').rows[0] ?? ''),
    accountNumber: accountOf(account),
    currency: closing.currency,
    startsOn: firstDay([...lines.map(({ bookedOn }) => bookedOn), closing.day]) ?? closing.day,
    endsOn: closing.day,
    opening: opening.amount,
    closing: closing.amount,
    lines,
  };
};

/** `00012/001` is statement 12; its later pages keep their number. */
const numberOf = (text: string): string | null => {
  const [, number = '', page = ''] = /^0*(\d+)(?:\/0*(\d+))?\s*$/.exec(text.trim()) ?? [];
  if (number === '') return null;
  return page === '' ? number : `${number}/${page}`;
};

/** The number, without the currency behind it. German banks write their code before a slash: the IBAN follows from both. */
const accountOf = (text: string): string => {
  const number = text.replace(/[A-Z]{3}$/, '').trim() || text;
  const [, bank, account] = /^(\d{8})\/(\d{1,10})$/.exec(number) ?? [];
  return bank === undefined || account === undefined
    ? number
    : ibanOf('DE', bank + account.padStart(10, '0'));
};

const BALANCE = /^([CD])(\d{6})([A-Z]{3})(\d{1,15},?\d*)\s*$/;

const balanceOf = ({ line, rows }: Field, refuse: RefuseFile) => {
  const [, direction, date = '', currency = '', units = ''] = BALANCE.exec(rows[0] ?? '') ?? [];
  const [day, amount] = [dayOfSix(date), unsignedAmount(units)];
  if (day === null || amount === null)
    return refuse(
      line,
      `the balance ${shown(rows[0] ?? '')} is none: it is written as C261031EUR1234,56; the file is cut off or was changed, download it again`,
    );
  return { day, currency, amount: direction === 'D' ? negate(amount) : amount };
};

const linesOf = (message: readonly Field[], closedOn: string, refuse: RefuseFile): ExternalLine[] =>
  message.flatMap((field, index) => {
    if (field.tag !== '61') return [];
    const next = message[index + 1];
    return [lineOf(field, next?.tag === '86' ? next.rows : [], { closedOn, refuse })];
  });

// Value date, entry date, sign (R turns it), the third letter of the currency, amount, kind, our reference // the bank's.
const LINE = /^(\d{6})(\d{4})?(R?[CD])([A-Z])?(\d{1,15},\d{0,3})([A-Z][A-Z0-9]{3})?(.*)$/;

const lineOf = (
  { line, rows }: Field,
  note: readonly string[],
  { closedOn, refuse }: { closedOn: string; refuse: RefuseFile },
): ExternalLine => {
  const [, value = '', entry, direction = '', , units = '', kind = '', rest = ''] =
    LINE.exec(rows[0] ?? '') ?? [];
  const [valueOn, amount] = [dayOfSix(value), unsignedAmount(units)];
  if (valueOn === null || amount === null)
    return refuse(
      line,
      `the line ${shown(rows[0] ?? '')} is none: it is written as 2610311031C1234,56NTRF…; the file is cut off or was changed, download it again`,
    );
  const bookedOn = entry === undefined ? valueOn : nearestDay(entry, closedOn);
  if (bookedOn === null) return refuse(line, `the entry date ${shown(entry ?? '')} is no day: ask the bank`);
  const texts = rest.split('//').concat(rows.slice(1));
  return {
    ...BANK_LINE,
    fileLine: line,
    bookedOn,
    valueOn,
    amount: direction === 'C' || direction === 'RD' ? amount : negate(amount),
    references: texts.map((text) => text.trim()).filter((text) => text !== '' && text !== 'NONREF'),
    note: note.join('\n'),
    counterparty: '',
    counterpartyAccount: '',
    facts: { kind },
  };
};

/** The day with this month and day that lies nearest to the end of the statement. */
const nearestDay = (monthDay: string, closedOn: string): string | null => {
  const year = Number.parseInt(closedOn.slice(0, 4), 10);
  const days = [year - 1, year, year + 1]
    .map((one) => dayOf(`${one}-${monthDay.slice(0, 2)}-${monthDay.slice(2)}`))
    .filter((day) => day !== null);
  const apart = (day: string) => Math.abs(msOf(`${day}T00:00:00Z`) - msOf(`${closedOn}T00:00:00Z`));
  return days.sort((a, b) => apart(a) - apart(b))[0] ?? null;
};
