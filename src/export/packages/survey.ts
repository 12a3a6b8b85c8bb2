// What stands in the way of a batch, looked for before anything is written: values that are not known or not whole cents,
// entries that are not balanced, accounts that the map does not name. Each is told with all that it concerns.
import { counted } from '../../base/counted.ts';
import { FailedError, UsageError } from '../../base/errors.ts';
import type { AccountMap, Source } from './account-map.ts';
import { centsOf, decimal, type PackageFormat } from './package.ts';
import { mappedLines, type ValueEntry } from './value-lines.ts';

/** What a batch will hold: the years of entries that book something, and what each account of the package will have got, in cents. */
export type Survey = { readonly years: readonly string[]; readonly totals: ReadonlyMap<string, bigint> };

type Unmapped = Source & { debit: bigint; credit: bigint };

const SHOWN = 20;

type Surveying = {
  readonly map: AccountMap;
  readonly format: PackageFormat;
  readonly mapFile: string;
  /** What the value layer says of entries that have no value. */
  readonly reasonsOf: (entryIds: readonly string[]) => Promise<readonly Reason[]>;
};

/** Looks at every entry. Throws an error that lists what cannot be handed out. */
export const surveyOf = async (
  entries: AsyncIterable<ValueEntry>,
  { map, format, mapFile, reasonsOf }: Surveying,
): Promise<Survey> => {
  const years = new Set<string>();
  const totals = new Map<string, bigint>();
  const unmapped = new Map<string, Unmapped>();
  const unvalued = new Map<string, string>();
  const broken: string[] = [];
  for await (const entry of entries) {
    const missing = entry.lines.filter(({ value }) => value === null);
    if (missing.length > 0) unvalued.set(entry.id, `${told(entry)}: ${missing.map(accountText).join(', ')}`);
    else broken.push(...faultsOf(entry));
    if (mappedLines(entry, map.find)?.length) years.add(entry.day.slice(0, 4));
    for (const line of entry.lines) {
      const cents = centsOf(line.value ?? '0') ?? 0n;
      const target = line.target ?? map.find(line);
      if (target !== null) totals.set(format.keyOf(target), (totals.get(format.keyOf(target)) ?? 0n) + cents);
      else if (cents !== 0n) count(unmapped, line, cents); // no package gets a line of no value
    }
  }
  if (unvalued.size > 0) throw noValue(unvalued, await reasonsOf([...unvalued.keys()]));
  refuseBroken(broken);
  refuseUnmapped([...unmapped.values()], mapFile);
  return { years: [...years].sort(), totals };
};

const told = ({ id, day, stream, recordId }: ValueEntry): string =>
  `${day} ${stream} ${recordId} (entry ${id})`;
const accountText = ({ account, currency }: Source): string => `${account} ${currency}`;

const faultsOf = (entry: ValueEntry): string[] => {
  const cents = entry.lines.map(({ value }) => centsOf(value ?? ''));
  const fractions = entry.lines.filter((_, i) => cents[i] === null);
  if (fractions.length > 0)
    return [`${told(entry)}: ${fractions.map((it) => `${it.value} on ${accountText(it)}`).join(', ')}`];
  const sum = cents.reduce<bigint>((total, it) => total + (it ?? 0n), 0n);
  return sum === 0n ? [] : [`${told(entry)}: it is ${decimal(sum)} from balanced`];
};

const count = (
  unmapped: Map<string, Unmapped>,
  { account, currency, nature }: Source,
  cents: bigint,
): void => {
  const key = `${account}\n${currency}\n${nature}`;
  const it = unmapped.get(key) ?? { account, currency, nature, debit: 0n, credit: 0n };
  if (cents > 0n) it.debit += cents;
  else it.credit -= cents;
  unmapped.set(key, it);
};

const listed = (lines: readonly string[]): string =>
  [...lines.slice(0, SHOWN), ...(lines.length > SHOWN ? [`and ${lines.length - SHOWN} more`] : [])].join(
    '\n  ',
  );

/** So many of the entries, for one kind of finding, about these currencies; kind is null where nothing was found. */
export type Reason = {
  readonly kind: string | null;
  readonly entries: number;
  readonly currencies: string;
};

const noValue = (entries: ReadonlyMap<string, string>, reasons: readonly Reason[]): FailedError => {
  const many = counted(entries.size, 'entry has', 'entries have');
  return new FailedError(
    [
      `${many} no value yet and cannot be handed out: do what follows, and run again (books.value_findings tells of each)`,
      ...reasons.map((it) => `  ${reasonText(it)}`),
      `  ${listed([...entries.values()])}`,
    ].join('\n'),
  );
};

/** What to do, by the kind of finding: it is the accountant who has to bring something, and rarely a rate alone. */
const CURES: Readonly<Record<string, readonly [what: string, cure: string]>> = {
  'no-rate': ['no rate of', 'bring one with npx tieout rates import'],
  'no-lot': [
    'no lot left of',
    'npx tieout lots import says what came from outside, a counterparties rule whose it is',
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
    `${entries.length} entries do not sum to zero in whole cents: run nightly or rebuild to value them again\n  ${listed(entries)}`,
  );
};

/** All of them, however many: the map is written from this list. */
const refuseUnmapped = (accounts: readonly Unmapped[], mapFile: string): void => {
  if (accounts.length === 0) return;
  const lines = accounts
    .map(
      (it) =>
        `${accountText(it)}${it.nature && ` ${it.nature}`}  debit ${decimal(it.debit)}  credit ${decimal(it.credit)}`,
    )
    .sort();
  throw new UsageError(
    `${mapFile} has no line for ${accounts.length} accounts: add them\n  ${lines.join('\n  ')}`,
  );
};
