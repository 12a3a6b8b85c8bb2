// erase: removes personal fields for good, places holds, and lists both. Removed text is never printed.
import type { Command } from 'commander';
import { UsageError } from '../base/errors.ts';
import {
  checkedText,
  type Erased,
  type ErasureRequest,
  erase,
  listErasures,
  listHolds,
  placeHold,
  releaseHold,
} from '../privacy/privacy.ts';
import { bookedEntities, databaseTime, offlineResult, withBooks, withRun } from '../run/run.ts';
import { type Attribution, attributionOf, requiredText } from './attribution.ts';
import { printErased, printHolds, printLists, printReleased } from './erase-print.ts';
import { bookCommand, personName, type Shared, settings } from './options.ts';
import { readStandardInput, STANDARD_INPUT } from './standard-input.ts';

type EraseOptions = Shared & {
  readonly person?: string;
  readonly expired?: boolean;
  readonly hold?: string;
  readonly release?: string;
  readonly list?: boolean;
  readonly entity?: string;
  readonly by?: string;
  readonly reason?: string;
  readonly dryRun?: boolean;
};

export const eraseCommand = (): Command =>
  bookCommand(
    'erase',
    'erase personal data for good; digests, proofs and reports are not affected',
    'npx tieout erase --person luz@example.org --by "Ana Ruiz" --reason "request 2026-17" --dry-run',
  )
    .option('--person <text>', 'erase records with a personal field equal to TEXT ("-" reads stdin)')
    .option('--expired', 'erase records older than the retention period')
    .option(
      '--hold <text>',
      'protect records with a personal field equal to TEXT from erasure ("-" reads stdin)',
    )
    .option('--release <hold>', 'release a hold by id')
    .option('--list', 'list erasures and holds')
    .option('--entity <id>', 'only this entity')
    .option('--by <name>', 'your name, kept in the audit trail', personName)
    .option('--reason <text>', 'reason, kept in the audit trail; must not contain the erased text')
    .option('--dry-run', 'show what --person or --expired would erase; change nothing')
    .action(async (options: EraseOptions) => {
      const verb = verbOf(options);
      if (verb === 'list') return list(options);
      const attribution = attributionOf(options);
      if (verb === 'release') return release(options, attribution);
      if (verb === 'expired') return remove(options, { ...attribution, person: null });
      const text = checkedText(await textIn(options[verb], options), attribution);
      if (verb === 'hold') return hold(options, { ...attribution, text });
      return remove(options, { ...attribution, person: text });
    });

const VERBS = ['person', 'expired', 'hold', 'release', 'list'] as const;
type Verb = (typeof VERBS)[number];

const verbOf = (options: EraseOptions): Verb => {
  const [verb, ...others] = VERBS.filter((one) => options[one] !== undefined);
  if (verb === undefined || others.length > 0)
    throw new UsageError(`write one of ${VERBS.map((one) => `--${one}`).join(', ')}`);
  if (options.dryRun && verb !== 'person' && verb !== 'expired')
    throw new UsageError(`--dry-run works with --person and --expired, not with --${verb}`);
  return verb;
};

const BYTES_MAX = 1_000_000;

const textIn = async (typed: string | undefined, { signal }: Shared): Promise<string> =>
  typed === STANDARD_INPUT ? readStandardInput(BYTES_MAX, signal) : (typed ?? '');

/** `at` is now, by the clock of the database, in the transaction `db`: what may go must not depend on that of the host. */
type EraseWork<T> = (books: {
  readonly db: Parameters<typeof erase>[0];
  readonly entities: readonly string[];
  readonly at: string;
}) => Promise<T>;

/** Runs as a run of its own, so that no nightly lands a record between the search and the removal. */
const asWriter = async <T>(options: EraseOptions, doing: EraseWork<T>): Promise<T> => {
  const done: T[] = [];
  await withRun(settings(options), 'erase', {
    tell: () => {},
    work: async (work) => {
      const db = await work.as('approver'); // the only role that may read and remove personal fields
      const entities = await bookedEntities(work, options.entity);
      const result = await db
        .transaction()
        .execute(async (tx) => doing({ db: tx, entities, at: await databaseTime(tx) }));
      done.push(result);
      return offlineResult(0, options.dryRun ? 'looked for personal fields' : 'decided on personal fields');
    },
  });
  return done[0] as T;
};

const remove = async (
  options: EraseOptions,
  attribution: Attribution & Pick<ErasureRequest, 'person'>,
): Promise<void> => {
  const { retentionYears } = settings(options);
  const isDryRun = options.dryRun ?? false;
  const erased = await asWriter(options, ({ db, ...books }) =>
    erase(db, { ...attribution, ...books, retentionYears, isDryRun }),
  );
  printErased(erased, {
    isJson: options.json ?? false,
    isDryRun,
    retentionYears,
    isPerson: attribution.person !== null,
  });
  // If no record matches, the text is probably spelled differently: somebody must check.
  process.exitCode = attribution.person !== null && erased.every(isUnknown) ? 1 : 0;
};

const isUnknown = (erased: Erased): boolean =>
  erased.streams.length + erased.protectedByHold + erased.retained === 0 && erased.erasedBefore === null;

const hold = async (
  options: EraseOptions,
  attribution: Attribution & { readonly text: string },
): Promise<void> => {
  const holds = await asWriter(options, ({ db, ...books }) => placeHold(db, { ...attribution, ...books }));
  printHolds(holds, options.json ?? false);
};

const release = async (options: EraseOptions, attribution: Attribution): Promise<void> => {
  const holdId = requiredText(options.release, '--release HOLD: the hold id, as shown by --list');
  const released = await asWriter(options, ({ db, ...books }) =>
    releaseHold(db, { ...attribution, holdId, ...books }),
  );
  if (released.length === 0)
    throw new UsageError(`no hold ${holdId} to release: npx tieout erase --list shows the holds`);
  printReleased({ holdId, entities: released }, options.json ?? false);
};

const list = async (options: EraseOptions): Promise<void> => {
  const lists = await withBooks(
    settings(options),
    async ({ db }) => {
      const entities = await bookedEntities({ db }, options.entity);
      return { erasures: await listErasures(db, entities), holds: await listHolds(db, entities) };
    },
    { as: 'approver' },
  );
  printLists(lists, options.json ?? false);
};
