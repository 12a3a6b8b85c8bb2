// The account map: the account of a package to which each of ours is booked. A CSV that a person writes. The first line
// that matches an account, its currency and the counterparty type applies.
import { COUNTERPARTY_TYPES } from '../../base/counterparty-types.ts';
import { bytesOf, parseCsv } from '../../base/csv-file.ts';
import { UsageError } from '../../base/errors.ts';
import { sha256 } from '../../base/json.ts';
import { isUnder } from '../../ledger/accounts.ts';
import {
  ACCOUNT_TYPES,
  type AccountType,
  type PackageFormat,
  type PackageLine,
  type Target,
} from './package.ts';

/** The fields of a line of the books that the map matches. */
export type Source = Pick<PackageLine, 'account' | 'currency' | 'counterpartyType'>;

export type AccountMap = {
  /** The file, or what stands for it, for error messages. */
  readonly name: string;
  /** SHA-256 of the file's bytes. */
  readonly sha256: string;
  readonly codes: readonly string[];
  /** Null if no line of the map matches. */
  readonly find: (source: Source) => Target | null;
};

const COLUMNS = ['account', 'currency', 'counterparty_type', 'code', 'name', 'tax'] as const;
/** Columns that a map may leave out. */
const OPTIONAL = ['dimension1', 'dimension2', 'type'] as const;
/** Characters that start a formula in a spreadsheet, and in importers that use one. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;

type MapLine = Target & { readonly line: number; readonly source: Source; readonly type: AccountType };

/** Reads a map for a package. Throws a UsageError that names the line of each mistake. */
export const readAccountMap = (path: string, format: PackageFormat): AccountMap => {
  const bytes = bytesOf(path);
  const entries = parseCsv(path, bytes, COLUMNS, { optional: OPTIONAL }).map(({ line, cells }): MapLine => {
    const { account, currency, counterparty_type: counterpartyType, type, ...target } = cells;
    return { line, source: { account, currency, counterpartyType }, type: type as AccountType, ...target };
  });
  return accountMap(entries, { name: path, digest: sha256(bytes), format });
};

/** A map of lines, the first match first. Throws a UsageError that names the line of each mistake. */
export const accountMap = (
  entries: readonly MapLine[],
  {
    name,
    digest,
    format,
  }: { readonly name: string; readonly digest: string; readonly format: PackageFormat },
): AccountMap => {
  const faults = [
    ...entries.flatMap((entry) =>
      [...ownFaults(entry), ...format.mapFaults(entry)].map((fault) => `line ${entry.line}: ${fault}`),
    ),
    ...ambiguous(entries, format),
  ];
  if (faults.length > 0) throw new UsageError([`${name} cannot be used:`, ...faults].join('\n  '));
  const found = new Map<string, Target | null>();
  return {
    name,
    sha256: digest,
    codes: [...new Set(entries.map(({ code }) => code))],
    find: (source) => {
      const key = `${source.account}\n${source.currency}\n${source.counterpartyType}`;
      const known = found.get(key);
      if (known !== undefined) return known;
      const target = targetOf(entries.find((entry) => matches(entry.source, source)));
      found.set(key, target);
      return target;
    },
  };
};

const targetOf = (entry: MapLine | undefined): Target | null => {
  if (!entry) return null;
  const { code, name, tax, dimension1, dimension2 } = entry;
  return { code, name, tax, dimension1, dimension2 };
};

const ownFaults = ({ source, type, ...target }: MapLine): string[] => [
  ...(/^(\*|[a-z][^*\s]*?(:\*)?)$/.test(source.account)
    ? []
    : [
        `the account ${source.account || '(empty)'} is not a path, such as assets:trading or assets:pocket:*`,
      ]),
  ...(['', ...COUNTERPARTY_TYPES].includes(source.counterpartyType)
    ? []
    : [`the counterparty type ${source.counterpartyType} is none of ${COUNTERPARTY_TYPES.join(', ')}`]),
  ...(ACCOUNT_TYPES.includes(type)
    ? []
    : [`the type ${type} is none of ${ACCOUNT_TYPES.slice(1).join(', ')}, and not empty`]),
  ...(type === 'system'
    ? [`${target.code} is a system account, which its package books itself: map it to another`]
    : []),
  ...(target.code === '' ? ['code is empty'] : []),
  ...[target.code, target.name, target.tax, target.dimension1, target.dimension2].flatMap((cell) =>
    FORMULA.test(cell) || /\p{C}/u.test(cell)
      ? [`${cell} begins like a formula or holds what cannot be seen`]
      : [],
  ),
];

/** Two accounts of ours may share one of the package's, but one key, in capitals or not, must not mean two accounts. */
const ambiguous = (entries: readonly MapLine[], { keyOf }: PackageFormat): string[] => {
  const codes = new Map<string, string>();
  return entries.flatMap((entry) => {
    const key = keyOf(entry).toLowerCase();
    const known = codes.get(key) ?? entry.code;
    codes.set(key, known);
    return known === entry.code
      ? []
      : [`line ${entry.line}: ${keyOf(entry)} has two codes, ${known} and ${entry.code}`];
  });
};

const matches = (pattern: Source, source: Source): boolean =>
  isUnder(pattern.account, source.account) &&
  (pattern.currency === '' || pattern.currency === source.currency) &&
  (pattern.counterpartyType === '' || pattern.counterpartyType === source.counterpartyType);
