// CAMT.053 (ISO 20022), the bank's statement of booked entries, in any version from .02 on. A batch whose payments are listed with
// their amounts is a line for each payment.

import { compare, exactSum, negate } from '../../base/money.ts';
import { ownValue } from '../../base/own-value.ts';
import {
  BANK_LINE,
  dayOf,
  type ExternalLine,
  type ExternalStatement,
  firstDay,
  type RefuseFile,
  shown,
  unsignedAmount,
} from '../statement.ts';
import { elementsAt, readXml, textAt, textsNamed, type XmlElement } from './xml.ts';

const OTHERS: Readonly<Record<string, string>> = {
  BkToCstmrAcctRpt: 'camt.052, a report within the day',
  BkToCstmrDbtCdtNtfctn: 'camt.054, a list of single bookings',
};

export const readCamt = (text: string, refuse: RefuseFile): ExternalStatement[] => {
  const root = readXml(text, refuse);
  const [message] = root.name === 'Document' ? root.children : [];
  const other = ownValue(OTHERS, message?.name ?? '');
  if (other !== undefined) refuse(root.line, `is a ${other}: download the statement, camt.053`);
  if (message?.name !== 'BkToCstmrStmt')
    return refuse(root.line, 'is no camt.053: it has no Document with BkToCstmrStmt; download the statement');
  const statements = elementsAt(message, 'Stmt');
  if (statements.length === 0) refuse(message.line, 'has no statement (Stmt): download it again');
  return statements.map((statement) => statementOf(statement, refuse));
};

const statementOf = (statement: XmlElement, refuse: RefuseFile): ExternalStatement => {
  const opening = balanceOf(statement, ['OPBD', 'PRCD', 'ITBD'], refuse);
  const closing = balanceOf(statement, ['CLBD', 'ITBD'], refuse);
  const lines = elementsAt(statement, 'Ntry')
    .filter((entry) => statusOf(entry) === 'BOOK')
    .flatMap((entry) => linesOf(entry, closing.currency, refuse));
  if (opening.currency !== closing.currency)
    refuse(opening.line, `opens in ${opening.currency} and closes in ${closing.currency}: ask the bank`);
  const from = dayOf(textAt(statement, 'FrToDt', 'FrDtTm').slice(0, 10));
  const firstLine = firstDay(lines.map(({ bookedOn }) => bookedOn));
  const opened = opening.code === 'OPBD' ? opening.day : (firstLine ?? opening.day);
  return {
    fileLine: statement.line,
    bankNumber: numberOf(statement),
    accountNumber:
      textAt(statement, 'Acct', 'Id', 'IBAN') || textAt(statement, 'Acct', 'Id', 'Othr', 'Id') || null,
    currency: closing.currency,
    startsOn: firstDay([from ?? opened, closing.day]) ?? opened,
    endsOn: closing.day,
    opening: opening.amount,
    closing: closing.amount,
    lines,
  };
};

/** The number of the statement, and that of its page if it has several. */
const numberOf = (statement: XmlElement): string | null => {
  const number = textAt(statement, 'LglSeqNb') || textAt(statement, 'ElctrncSeqNb');
  const page = textAt(statement, 'StmtPgntn', 'PgNb');
  if (number === '') return null;
  return page === '' || (page === '1' && textAt(statement, 'StmtPgntn', 'LastPgInd') === 'true')
    ? number
    : `${number}/${page}`;
};

type CamtBalance = {
  readonly amount: string;
  readonly currency: string;
  readonly day: string;
  readonly code: string;
  readonly line: number;
};

/** The first balance of the first of these codes that the statement has; the last one of those that close a page. */
const balanceOf = (statement: XmlElement, codes: readonly string[], refuse: RefuseFile): CamtBalance => {
  const balances = elementsAt(statement, 'Bal');
  const codeOf = (balance: XmlElement) => textAt(balance, 'Tp', 'CdOrPrtry', 'Cd');
  const code = codes.find((wanted) => balances.some((balance) => codeOf(balance) === wanted));
  const ofCode = balances.filter((balance) => codeOf(balance) === code);
  const balance = codes[0] === 'CLBD' ? ofCode.at(-1) : ofCode[0];
  if (code === undefined || balance === undefined)
    return refuse(statement.line, `the statement has no balance ${codes[0]}: download the whole statement`);
  const day = dayIn(balance, ['Dt'], refuse);
  return { ...moneyOf(balance, refuse), day, code, line: balance.line };
};

/** The amount of a balance or an entry, negative for a debit. */
const moneyOf = (element: XmlElement, refuse: RefuseFile): { amount: string; currency: string } => {
  const [stated] = elementsAt(element, 'Amt');
  const amount = stated && unsignedAmount(stated.text.trim());
  if (stated === undefined || amount === null || amount === undefined)
    return refuse(element.line, `the amount ${shown(stated?.text ?? '')} is none: download the file again`);
  const direction = textAt(element, 'CdtDbtInd');
  if (direction !== 'CRDT' && direction !== 'DBIT')
    return refuse(element.line, `CdtDbtInd is ${shown(direction)}, neither CRDT nor DBIT: ask the bank`);
  const { Ccy: currency = '' } = stated.attributes;
  return { amount: direction === 'CRDT' ? amount : negate(amount), currency };
};

const dayIn = (element: XmlElement, path: readonly string[], refuse: RefuseFile): string => {
  const text = textAt(element, ...path, 'Dt') || textAt(element, ...path, 'DtTm');
  return dayOf(text.slice(0, 10)) ?? refuse(element.line, `the date ${shown(text)} is none: ask the bank`);
};

/** Version 02 writes the status as text, later ones as a code. */
const statusOf = (entry: XmlElement): string => textAt(entry, 'Sts', 'Cd') || textAt(entry, 'Sts');

const REFERENCES: ReadonlySet<string> = new Set([
  'AcctSvcrRef',
  'EndToEndId',
  'InstrId',
  'MsgId',
  'NtryRef',
  'PmtInfId',
  'Ref',
  'TxId',
  'UETR',
]);
const NOTES: ReadonlySet<string> = new Set(['Ustrd', 'AddtlNtryInf', 'AddtlTxInf', 'AddtlRmtInf']);

const linesOf = (entry: XmlElement, currency: string, refuse: RefuseFile): ExternalLine[] => {
  const money = moneyOf(entry, refuse);
  if (money.currency !== currency)
    refuse(
      entry.line,
      `is in ${money.currency || 'no currency'}, and the account in ${currency}: ask the bank`,
    );
  const bookedOn = dayIn(entry, ['BookgDt'], refuse);
  const valueOn = elementsAt(entry, 'ValDt').length > 0 ? dayIn(entry, ['ValDt'], refuse) : bookedOn;
  const common = { ...BANK_LINE, bookedOn, valueOn };
  const payments = elementsAt(entry, 'NtryDtls', 'TxDtls');
  const parts = payments.map((payment) => partOf(payment, { currency, isIn: !money.amount.startsWith('-') }));
  const amounts = parts.filter((amount) => amount !== null);
  const isSplit =
    parts.length > 1 && amounts.length === parts.length && compare(exactSum(amounts), money.amount) === 0;
  if (!isSplit) return [{ ...common, ...detailsOf(entry), amount: money.amount }];
  const shared = textsNamed(
    { ...entry, children: entry.children.filter(({ name }) => name !== 'NtryDtls') },
    REFERENCES,
  );
  return payments.map((payment, index) => {
    const details = detailsOf(payment);
    return {
      ...common,
      ...details,
      references: [...details.references, ...shared],
      amount: amounts[index] ?? '0',
    };
  });
};

/** The amount of one payment of a batch; null if it has none in the account's currency. */
const partOf = (
  payment: XmlElement,
  { currency, isIn }: { currency: string; isIn: boolean },
): string | null => {
  const stated = [elementsAt(payment, 'Amt'), elementsAt(payment, 'AmtDtls', 'TxAmt', 'Amt')].flat()[0];
  const amount = stated?.attributes.Ccy === currency ? unsignedAmount(stated.text.trim()) : null;
  const direction = textAt(payment, 'CdtDbtInd') || (isIn ? 'CRDT' : 'DBIT');
  return amount !== null && direction === 'DBIT' ? negate(amount) : amount;
};

const detailsOf = (element: XmlElement) => {
  const isDebit = textAt(element, 'CdtDbtInd') === 'DBIT';
  const [payment = element] = elementsAt(element, 'NtryDtls', 'TxDtls');
  const side = isDebit ? 'Cdtr' : 'Dbtr';
  const account = ['RltdPties', `${side}Acct`, 'Id'] as const;
  return {
    fileLine: element.line,
    references: textsNamed(element, REFERENCES).filter((text) => text !== 'NOTPROVIDED'),
    note: textsNamed(element, NOTES).join(' '),
    counterparty: textAt(payment, 'RltdPties', side, 'Nm') || textAt(payment, 'RltdPties', side, 'Pty', 'Nm'),
    counterpartyAccount: textAt(payment, ...account, 'IBAN') || textAt(payment, ...account, 'Othr', 'Id'),
    facts: {},
  };
};
