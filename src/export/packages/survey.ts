// Checks a batch before anything is written: values that are missing or not whole cents, entries that are not balanced,
// accounts without a line in the map. Each error lists everything that it concerns.
import { counted } from '../../base/counted.ts';
import { FailedError, UsageError } from '../../base/errors.ts';
import type { AccountMap, Source } from './account-map.ts';
import { centsOf, decimal, type PackageFormat } from './package.ts';
import { mappedLines, type ValueEntry } from './value-lines.ts';

/**
 * The years of entries with lines, the codes that they are booked on, and the total of each account of the package after
 * this batch, in cents. A correction is booked on the codes of its first export, which the map may no longer have.
 */
export type Survey = {
  readonly years: readonly string[];
  readonly codes: ReadonlySet<string>;
  readonly totals: ReadonlyMap<string, bigint>;
};

type Unmapped = Source & { debit: bigint; credit: bigint };

const SHOWN = 20;

type SurveyOptions = {
  readonly map: AccountMap;
  readonly format: PackageFormat;
  /** Why the valuation has no value for these entries. */
  readonly reasonsOf: (entryIds: readonly string[]) => Promise<readonly Reason[]>;
};

/** Checks every entry. Throws an error that lists what cannot be exported. */
export const surveyOf = async (
  entries: AsyncIterable<ValueEntry>,
  { map, format, reasonsOf }: SurveyOptions,
): Promise<Survey> => {
  const years = new Set<string>();
  const codes = new Set<string>();
  const totals = new Map<string, bigint>();
  const unmapped = new Map<string, Unmapped>();
  const unvalued = new Map<string, string>();
  const broken: string[] = [];
  for await (const entry of entries) {
    const missing = entry.lines.filter(({ value }) => value === null);
    if (missing.length > 0)
      unvalued.set(entry.id, `${entryName(entry)}: ${missing.map(accountText).join(', ')}`);
    else broken.push(...faultsOf(entry));
    for (const { code } of mappedLines(entry, map.find) ?? []) {
      years.add(entry.day.slice(0, 4));
      codes.add(code);
    }
    for (const line of entry.lines) {
      const cents = centsOf(line.value ?? '0') ?? 0n;
      const target = line.target ?? map.find(line);
      if (target !== null) totals.set(format.keyOf(target), (totals.get(format.keyOf(target)) ?? 0n) + cents);
      else if (cents !== 0n) addUnmapped(unmapped, line, cents); // no package gets a line without value
    }
  }
  if (unvalued.size > 0) throw missingValues(unvalued, await reasonsOf([...unvalued.keys()]));
  refuseBroken(broken);
  refuseUnmapped([...unmapped.values()], map.name);
  return { years: [...years].sort(), codes, totals };
};

const entryName = ({ id, day, stream, recordId }: ValueEntry): string =>
  `${day} ${stream} ${recordId} (entry ${id})`;
const accountText = ({ account, currency }: Source): string => `${account} ${currency}`;

const faultsOf = (entry: ValueEntry): string[] => {
  const cents = entry.lines.map(({ value }) => centsOf(value ?? ''));
  const fractions = entry.lines.filter((_, i) => cents[i] === null);
  if (fractions.length > 0)
    return [
      `${entryName(entry)}: ${fractions.map((fraction) => `${fraction.value} on ${accountText(fraction)}`).join(', ')}`,
    ];
  const sum = cents.reduce<bigint>((total, amount) => total + (amount ?? 0n), 0n);
  return sum === 0n ? [] : [`${entryName(entry)}: it is ${decimal(sum)} from balanced`];
};

const addUnmapped = (
  unmapped: Map<string, Unmapped>,
  { account, currency, counterpartyType }: Source,
  cents: bigint,
): void => {
  const key = `${account}\n${currency}\n${counterpartyType}`;
  const sums = unmapped.get(key) ?? { account, currency, counterpartyType, debit: 0n, credit: 0n };
  if (cents > 0n) sums.debit += cents;
  else sums.credit -= cents;
  unmapped.set(key, sums);
};

const shortened = (lines: readonly string[]): string =>
  [...lines.slice(0, SHOWN), ...(lines.length > SHOWN ? [`and ${lines.length - SHOWN} more`] : [])].join(
    '\n  ',
  );

/** The number of entries with one kind of finding, and their currencies; kind is null where there is no finding. */
export type Reason = {
  readonly kind: string | null;
  readonly entries: number;
  readonly currencies: string;
};

const missingValues = (entries: ReadonlyMap<string, string>, reasons: readonly Reason[]): FailedError => {
  const many = counted(entries.size, 'entry has', 'entries have');
  return new FailedError(
    [
      `${many} no value yet and cannot be exported: do what follows and run again (details: books.value_findings)`,
      ...reasons.map((reason) => `  ${reasonText(reason)}`),
      `  ${shortened([...entries.values()])}`,
    ].join('\n'),
  );
};

const CURES: Readonly<Record<string, readonly [what: string, cure: string]>> = {
  'no-rate': ['no rate of', 'bring one with npx tieout rates import'],
  'no-lot': [
    'no lot left of',
    'npx tieout lots import says what came from outside, a counterparties rule whose it is, and npx tieout reopen uses what was booked late',
  ],
  'no-cost': [
    'a lot of unknown cost of',
    'npx tieout lots import says the cost, a counterparties rule whose it is',
  ],
};

const reasonText = ({ kind, entries, currencies }: Reason): string => {
  if (kind === null)
    return `${entries}: no finding of their own; run nightly or rebuild, which value them again`;
  const [what, cure] = CURES[kind] ?? ['a finding on', 'read its detail in books.value_findings'];
  return `${entries}: ${what} ${currencies} (${kind}): ${cure}`;
};

const refuseBroken = (entries: readonly string[]): void => {
  if (entries.length === 0) return;
  throw new FailedError(
    `${counted(entries.length, 'entry does', 'entries do')} not sum to zero in whole cents: run nightly or rebuild to value them again\n  ${shortened(entries)}`,
  );
};

/** All of them, without a limit: the user writes the map from this list. */
const refuseUnmapped = (accounts: readonly Unmapped[], mapName: string): void => {
  if (accounts.length === 0) return;
  const lines = accounts
    .map(
      (unmapped) =>
        `${accountText(unmapped)}${unmapped.counterpartyType && ` ${unmapped.counterpartyType}`}  debit ${decimal(unmapped.debit)}  credit ${decimal(unmapped.credit)}`,
    )
    .sort();
  throw new UsageError(
    `${mapName} has no line for ${accounts.length} accounts: add them\n  ${lines.join('\n  ')}`,
  );
};
