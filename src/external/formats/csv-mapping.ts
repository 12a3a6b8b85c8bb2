// The headings of a bank's own CSV, mapped to our columns by a person, with what the file cannot say about itself. Kept in a file of two
// columns, or typed as column=heading pairs.
import { parseCsv } from '../../base/csv-file.ts';
import { UsageError } from '../../base/errors.ts';
import { readAmount } from '../../base/money.ts';
import { shown } from '../statement.ts';
import { otherWithSign } from './currency-signs.ts';
import { DATE_ORDERS, type DateOrder, DECIMAL_SIGNS, type DecimalSign } from './written-values.ts';

/** What a person provides: the pairs as typed or as a file, and the balances of a file without a balance column. */
export type MappingAsk = {
  readonly map: string | null;
  readonly columns: { readonly name: string; readonly bytes: Uint8Array } | null;
  readonly opening: string | null;
  readonly closing: string | null;
};

const COLUMNS = [
  'date',
  'value_date',
  'amount',
  'debit',
  'credit',
  'direction',
  'currency',
  'balance',
  'balance_direction',
  'reference',
  'counterparty',
  'counterparty_account',
  'text',
] as const;
export type MappedColumn = (typeof COLUMNS)[number];

/** These may come from several columns of the bank, or be several of its words. */
const REPEATED: readonly string[] = ['reference', 'text', 'out', 'in'];

const SETTINGS = ['currency-code', 'currency-sign', 'out', 'in', 'decimal', 'dates', 'encoding'] as const;
type Setting = (typeof SETTINGS)[number];

const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'latin-1', 'iso-8859-15'] as const;
export type Encoding = (typeof ENCODINGS)[number];

export type CsvMapping = {
  readonly headings: Readonly<Partial<Record<MappedColumn, readonly string[]>>>;
  readonly currency: string | null;
  /** How the bank writes its currency beside an amount, where Unicode does not list it. */
  readonly currencySign: string | null;
  /** The words of a column of directions: money out of the account, and money in. */
  readonly outWords: readonly string[];
  readonly inWords: readonly string[];
  readonly decimal: DecimalSign | null;
  readonly dates: DateOrder | null;
  readonly encoding: Encoding | null;
  readonly balances: { readonly opening: string; readonly closing: string } | null;
};

type MappingPair = { readonly where: string; readonly key: string; readonly value: string };

/** The mapping that a person gave; null for a CSV in our own form. Throws a UsageError that says what is wrong where. */
export const readMapping = ({ map, columns, opening, closing }: MappingAsk): CsvMapping | null => {
  if (map !== null && columns !== null)
    throw new UsageError('--map and --columns say the same: write one of them');
  if (map === null && columns === null) {
    if (opening !== null || closing !== null)
      throw new UsageError(
        '--opening and --closing only work with --map or --columns: every other format has its balances',
      );
    return null;
  }
  const pairs = map === null ? pairsOfFile(columns) : pairsOfText(map);
  const mapping = mappingOf(pairs, balancesOf(opening, closing));
  checkWhole(mapping, map === null ? (columns?.name ?? '') : '--map');
  return mapping;
};

const pairsOfText = (text: string): MappingPair[] =>
  text.split(',').map((part) => {
    const [key = '', ...rest] = part.split('=');
    if (rest.length === 0)
      throw new UsageError(
        `--map ${shown(part)}: write column=heading pairs, such as date=Fecha,amount=Importe; for a heading with a comma, use --columns FILE`,
      );
    return { where: '--map', key: key.trim(), value: rest.join('=').trim() };
  });

const pairsOfFile = (file: MappingAsk['columns']): MappingPair[] => {
  if (file === null) return [];
  return parseCsv(file.name, file.bytes, ['column', 'heading']).map(({ line, cells }) => ({
    where: `${file.name}: line ${line}`,
    key: cells.column,
    value: cells.heading,
  }));
};

const mappingOf = (pairs: readonly MappingPair[], balances: CsvMapping['balances']): CsvMapping => {
  const headings: Partial<Record<MappedColumn, string[]>> = {};
  const settings: Partial<Record<Setting, MappingPair[]>> = {};
  for (const pair of pairs) {
    checkPair(pair, { ...headings, ...settings });
    if (isSetting(pair.key)) settings[pair.key] = [...(settings[pair.key] ?? []), pair];
    else if (isColumn(pair.key)) headings[pair.key] = [...(headings[pair.key] ?? []), pair.value];
  }
  return {
    headings,
    currency: currencyOf(settings['currency-code']?.[0]),
    currencySign: settings['currency-sign']?.[0]?.value ?? null,
    outWords: settings.out?.map(({ value }) => value) ?? [],
    inWords: settings.in?.map(({ value }) => value) ?? [],
    decimal: wordOf(settings.decimal?.[0], DECIMAL_SIGNS),
    dates: wordOf(settings.dates?.[0], DATE_ORDERS),
    encoding: wordOf(settings.encoding?.[0], ENCODINGS),
    balances,
  };
};

/** Words are compared without blanks around them and in small letters. */
export const comparableWord = (word: string): string => word.trim().toLowerCase();

const isColumn = (key: string): key is MappedColumn => (COLUMNS as readonly string[]).includes(key);
const isSetting = (key: string): key is Setting => (SETTINGS as readonly string[]).includes(key);

const checkPair = ({ where, key, value }: MappingPair, known: Readonly<Record<string, unknown>>): void => {
  if (!isColumn(key) && !isSetting(key))
    throw new UsageError(
      `${where}: ${shown(key)} is no column: write ${COLUMNS.join(', ')}, or the settings ${SETTINGS.join(', ')}`,
    );
  if (value === '')
    throw new UsageError(`${where}: ${key} has no heading: write the heading of the bank's file`);
  if (key in known && !REPEATED.includes(key))
    throw new UsageError(`${where}: ${key} is there twice: leave one`);
};

const wordOf = <W extends string>(pair: MappingPair | undefined, words: readonly W[]): W | null => {
  if (pair === undefined) return null;
  const word = words.find((one) => one === pair.value.toLowerCase());
  if (word !== undefined) return word;
  throw new UsageError(`${pair.where}: ${pair.key} ${shown(pair.value)}: write ${words.join(', ')}`);
};

const currencyOf = (pair: MappingPair | undefined): string | null => {
  if (pair === undefined || /^[A-Z0-9]{1,20}$/.test(pair.value)) return pair?.value ?? null;
  throw new UsageError(`${pair.where}: currency-code ${shown(pair.value)}: write capitals, such as EUR`);
};

const balancesOf = (opening: string | null, closing: string | null): CsvMapping['balances'] => {
  if (opening === null && closing === null) return null;
  if (opening === null || closing === null)
    throw new UsageError('write both --opening and --closing: together they show that no line is missing');
  return { opening: balanceOf('--opening', opening), closing: balanceOf('--closing', closing) };
};

const balanceOf = (option: string, text: string): string => {
  const read = /^[+-]?\d+(\.\d+)?$/.test(text) ? readAmount(text.replace(/^\+/, '')) : { wrong: '' };
  if ('amount' in read) return read.amount;
  throw new UsageError(`${option} ${text.slice(0, 60)}: write the balance in digits, such as 1234.56`);
};

/** What every file needs: a day, an amount in one of three forms, a currency, and balances. */
const checkWhole = (mapping: CsvMapping, where: string): void => {
  const { headings, currency, balances } = mapping;
  const refuse = (why: string) => {
    throw new UsageError(`${where}: ${why}`);
  };
  if (!headings.date) refuse('there is no date: add date=HEADING');
  const isSplit = headings.debit !== undefined && headings.credit !== undefined;
  const isOne = headings.amount !== undefined && !headings.debit && !headings.credit;
  if (!isOne && !(isSplit && !headings.amount))
    refuse('map either amount, or both debit and credit, to the headings of the bank');
  if ((headings.currency === undefined) === (currency === null))
    refuse('write either currency=HEADING, or currency-code=EUR if the file does not name its currency');
  if ((headings.balance === undefined) === (balances === null))
    refuse(
      'write either balance=HEADING, or --opening and --closing as the bank states them: without a balance a missing line would not show',
    );
  checkDirections(mapping, refuse);
  checkSign(mapping, refuse);
};

/** Which of the bank's words means money out is never guessed: in one bank's file D is a debit, in another's a deposit. */
const checkDirections = (
  { headings, outWords, inWords }: CsvMapping,
  refuse: (why: string) => void,
): void => {
  const isMapped = headings.direction !== undefined || headings.balance_direction !== undefined;
  if (headings.direction && !headings.amount)
    refuse('direction is the column beside amount: leave it out, because debit and credit are columns');
  if (headings.balance_direction && !headings.balance)
    refuse('balance_direction is the column beside balance: add balance=HEADING');
  if (isMapped && (outWords.length === 0 || inWords.length === 0))
    refuse(
      'add out=WORD and in=WORD: what the bank writes for money out and for money in, such as out=S,in=H; repeat for several words',
    );
  if (!isMapped && outWords.length + inWords.length > 0)
    refuse('out and in are words of a column: add direction=HEADING');
  const both = outWords.find((word) =>
    inWords.some((other) => comparableWord(other) === comparableWord(word)),
  );
  if (both !== undefined) refuse(`out and in both have ${shown(both)}: a word has one meaning`);
};

const checkSign = ({ currency, currencySign }: CsvMapping, refuse: (why: string) => void): void => {
  if (currencySign === null) return;
  if (currency === null) refuse('currency-sign works with currency-code only: leave it out');
  if (/[\d\s()+-]/.test(currencySign) || !/[\p{L}\p{Sc}]/u.test(currencySign))
    refuse(`currency-sign ${shown(currencySign)}: write letters or a sign without digits, blanks or minus`);
  const other = otherWithSign(currencySign, currency ?? '');
  if (other !== null)
    refuse(
      `currency-sign ${shown(currencySign)} is a sign of another currency, such as ${other}, and currency-code is ${currency}: leave it out`,
    );
};
