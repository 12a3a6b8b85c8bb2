// The transactions of one address on a chain: a CSV in our own form, or as Etherscan and the explorers like it export it. The hash
// identifies a transaction; one with several movements of the address has several lines.
import { subtract } from '../../base/money.ts';
import { readInstant } from '../../base/time.ts';
import { addressKey, hashKey } from '../chain-text.ts';
import { type ExternalLine, firstDay, type RefuseFile, type StatementsRead, shown } from '../statement.ts';
import { type ColumnRow, rowsIn, signedAmount, tableOf } from './columns.ts';

const REQUIRED = ['hash', 'time', 'amount'] as const;
const OPTIONAL = ['fee', 'counterparty', 'currency'] as const;
type ChainColumn = (typeof REQUIRED)[number] | (typeof OPTIONAL)[number];

const COLUMNS = {
  required: REQUIRED,
  optional: OPTIONAL,
  how: `the first line names ${REQUIRED.join(', ')}, and may name ${OPTIONAL.join(', ')}; or it is that of Etherscan's export`,
};

/** An address and its coin, as the person names them; the list is complete until the last day, if they say so. */
type ChainAccount = {
  readonly address: string;
  readonly currency: string;
  readonly until: string | null;
};

type ChainFile = { readonly name: string; readonly bytes: Uint8Array };

export const readChainCsv = (file: ChainFile, account: ChainAccount, refuse: RefuseFile): StatementsRead => {
  const table = tableOf(file.name, file.bytes, refuse);
  const isEtherscan = table.names.includes('transaction hash') || table.names.includes('txhash');
  const lines = isEtherscan
    ? etherscanLines(table, account, refuse)
    : rowsIn<ChainColumn>(table, COLUMNS, refuse).map((row) => lineOf(row, account, refuse));
  const sorted = lines
    .map((line, index) => ({ line, index }))
    .sort((a, b) => inTime(a.line, b.line) || a.index - b.index)
    .map(({ line }) => line);
  const startsOn = firstDay(lines.map(({ bookedOn }) => bookedOn)) ?? '';
  const endsOn = account.until ?? sorted.at(-1)?.bookedOn ?? startsOn;
  const late = sorted.find(({ bookedOn }) => bookedOn > endsOn);
  if (late) refuse(late.fileLine, `is of ${late.bookedOn}, after --until ${endsOn}: correct the day`);
  return {
    format: isEtherscan ? 'etherscan' : 'chain-csv',
    reading: null,
    statements: [
      {
        fileLine: 1,
        bankNumber: null,
        accountNumber: null,
        currency: account.currency,
        startsOn,
        endsOn,
        opening: null,
        closing: null,
        lines: sorted,
      },
    ],
  };
};

const inTime = (a: ExternalLine, b: ExternalLine): number => {
  const [left, right] = [a.happenedAt ?? '', b.happenedAt ?? ''];
  return left < right ? -1 : left > right ? 1 : 0;
};

const lineOf = (
  { line, cell }: ColumnRow<ChainColumn>,
  { currency }: ChainAccount,
  refuse: RefuseFile,
): ExternalLine => {
  if (cell('currency') !== '' && cell('currency') !== currency)
    refuse(
      line,
      `is in ${shown(cell('currency'))}, and --currency is ${currency}: import each coin by itself`,
    );
  const fee = cell('fee') === '' ? '' : signedAmount(cell('fee'), { line, column: 'fee' }, refuse);
  return chainLine(
    {
      line,
      hash: cell('hash'),
      time: cell('time'),
      amount: signedAmount(cell('amount'), { line, column: 'amount' }, refuse),
      address: cell('counterparty'),
      fee,
    },
    refuse,
  );
};

type Transaction = {
  readonly line: number;
  readonly hash: string;
  readonly time: string;
  readonly amount: string;
  readonly address: string;
  readonly fee: string;
};

const chainLine = (
  { line, hash, time, amount, address, fee }: Transaction,
  refuse: RefuseFile,
): ExternalLine => {
  if (!/^[\w-]{8,128}$/.test(hash))
    refuse(line, `the hash ${shown(hash)} is none: copy it whole from the explorer`);
  const instant =
    readInstant(time) ??
    refuse(line, `the time ${shown(time)} is no instant: write it in UTC, as 2026-10-31T22:59:59Z`);
  const day = instant.slice(0, 10);
  return {
    fileLine: line,
    bookedOn: day,
    valueOn: day,
    happenedAt: instant,
    amount,
    hash: hashKey(hash),
    address: address === '' ? null : addressKey(address),
    references: [],
    note: '',
    counterparty: '',
    counterpartyAccount: '',
    facts: fee === '' ? {} : { fee },
  };
};

const [IN, OUT] = [/^value_in\(([a-z0-9]+)\)$/, /^value_out\(([a-z0-9]+)\)$/];

/** Etherscan's export of an address's own coin: value in and out, and a code for what failed and moved nothing. */
const etherscanLines = (
  table: ReturnType<typeof tableOf>,
  { address, currency }: ChainAccount,
  refuse: RefuseFile,
): ExternalLine[] => {
  const places = etherscanPlaces(table, currency, refuse);
  const own = addressKey(address);
  return table.body.map(({ line, cells }) => {
    const cell = (index: number) => (cells[index] ?? '').trim();
    const [from, to] = [addressKey(cell(places.from)), addressKey(cell(places.to))];
    if (from !== own && to !== own)
      refuse(line, `is between other addresses than ${address.slice(0, 60)}: check --address`);
    const value = (index: number, column: string) =>
      signedAmount(cell(index) || '0', { line, column }, refuse);
    const moved = subtract(value(places.in, 'value in'), value(places.out, 'value out'));
    const isFailed = places.error >= 0 && cell(places.error) !== '';
    return chainLine(
      {
        line,
        hash: cell(places.hash),
        time: cell(places.time).replace(/^(\S+) (\S+)$/, '$1T$2Z'),
        amount: isFailed || from === to ? '0' : moved,
        address: from === own ? to : from,
        fee: from === own && places.fee >= 0 ? value(places.fee, 'fee') : '',
      },
      refuse,
    );
  });
};

/** The places of the columns, -1 for an error code and a fee that are not there; a file without one of the others is refused. */
const etherscanPlaces = ({ names, head }: ReturnType<typeof tableOf>, coin: string, refuse: RefuseFile) => {
  const currency = coin.toLowerCase();
  const place = (...known: readonly string[]) => names.findIndex((name) => known.includes(name));
  const money = (form: RegExp) => names.findIndex((name) => form.exec(name)?.[1] === currency);
  const needed = {
    hash: place('transaction hash', 'txhash'),
    time: place('datetime (utc)', 'datetime'),
    from: place('from'),
    to: place('to'),
    in: money(IN),
    out: money(OUT),
  };
  const missing = Object.entries(needed).find(([, index]) => index < 0);
  if (missing)
    refuse(
      head,
      `there is no column for ${missing[0]} in ${coin}: export the transactions of this coin, not of tokens`,
    );
  return { ...needed, error: place('errcode'), fee: place(`txnfee(${currency})`) };
};
