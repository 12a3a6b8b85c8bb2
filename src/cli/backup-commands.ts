// dump, restore and db move: the books as one file, and on another server, with proof that nothing changed on the way.
import type { Command } from 'commander';
import type { Dumped } from '../backup/dump.ts';
import { counted } from '../base/counted.ts';
import { UsageError } from '../base/errors.ts';
import { shellWord } from '../base/shell-word.ts';
import { isPostgresUrl } from '../config/config.ts';
import type { Config } from '../config/environment.ts';
import { withBooks, withOwner } from '../run/run.ts';
import { bookCommand, type Shared, settings } from './options.ts';
import { nextText, print, printJson, warn } from './print.ts';
import { STANDARD_INPUT } from './standard-input.ts';

const backup = () => import('../backup/backup.ts');

const countText = ({ tables }: Dumped): string => {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `${counted(rows, 'row')} of ${counted(tables.length, 'table')}`;
};

/** The owner's address of books that exist. */
const withOwnBooks = <T>(config: Config, use: (url: string) => Promise<T>): Promise<T> =>
  withBooks(config, (_, url) => use(url), { as: 'owner' });

export const dumpCommand = (): Command =>
  bookCommand(
    'dump',
    'write all books as of now into a new compressed file, which contains personal fields and keys',
    'npx tieout dump books-2026-11-22.gz',
  )
    .argument('<file>', 'new file')
    .action(async (file: string, options: Shared) => {
      if (file === STANDARD_INPUT)
        throw new UsageError('dump writes a file, not standard output: name a new file');
      const { dumpFile } = await backup();
      const config = settings(options);
      const dumped = await withOwnBooks(config, (url) => dumpFile(url, file, config));
      if (options.json) return printJson({ file, books_id: dumped.booksId, tables: dumped.tables });
      print(`dumped ${countText(dumped)} to ${file}`);
      print(
        nextText([`npx tieout restore ${shellWord(file)}   # into an empty TIEOUT_HOME or DATABASE_URL`]),
      );
    });

/** What the restored rows prove by themselves: everything but the schema and the rights, which this server has and no dump. */
const proofsOf = (config: Config) =>
  withBooks(config, async (database) => {
    const { verifyCoverage, verifyLedger, verifyRows, verifySeals } = await import('../verify/verify.ts');
    const { proofs } = await verifyLedger({ pool: database.pool, timezone: config.timezone, programs: [] });
    const seals = await verifySeals(database);
    const rows = await verifyRows(database.db, config);
    const lists = await verifyCoverage(database.db, {});
    const faults = [
      ...[...proofs, ...seals, ...rows].map(({ proof, first }) => first && `${proof}: ${first}`),
      ...lists.map(({ fault }) => fault?.why ?? null),
    ];
    return { lists: lists.length, fault: faults.find((fault) => fault !== null) ?? null };
  });

/** The rows are restored, whatever prevented their proof. */
const leftUnproved = (error: unknown): never => {
  warn(
    'the restored books stay, and are not proved yet: run npx tieout verify coverage and npx tieout verify ledger',
  );
  throw error;
};

export const restoreCommand = (): Command =>
  bookCommand(
    'restore',
    'restore a dump into an empty database, migrate it, and prove that nothing changed',
    'TIEOUT_HOME=restored npx tieout restore books-2026-11-22.gz',
  )
    .argument('<file>', 'file that dump wrote')
    .action(async (file: string, options: Shared) => {
      const { openDump, restoreFile } = await backup();
      const config = settings(options);
      const dump = await openDump(file);
      const { restored, proofs } = await withOwner(
        config,
        async (url) => {
          const restored = await restoreFile(url, dump, config);
          if (!options.json) print(`restored ${countText(restored)}: every table has the digest of the dump`);
          return { restored, proofs: await proofsOf(config).catch(leftUnproved) };
        },
        { begins: true },
      ).finally(() => dump.destroy());
      const { fault, lists } = proofs;
      process.exitCode = fault === null ? 0 : 1;
      if (options.json)
        return printJson({ books_id: restored.booksId, tables: restored.tables, lists, fault });
      if (fault !== null) return print(`a proof does not hold, in the dump as in these books: ${fault}`);
      print(
        `every entry, value, seal and link of a run holds, recomputed, and coverage for ${counted(lists, 'list')}`,
      );
      print(
        nextText([
          'npx tieout verify ledger   # the schema and the rights of this server, too',
          'npx tieout status',
        ]),
      );
    });

export const moveCommand = (): Command =>
  bookCommand(
    'move',
    'copy the embedded books to an empty database of your own, compare them, and print the setting',
    'npx tieout db move postgresql://tieout:password@host:5432/tieout',
  )
    .argument('<url>', 'address of the owner of the new database')
    .action(async (url: string, options: Shared) => {
      const config = settings(options);
      if (config.databaseUrl !== null)
        throw new UsageError('DATABASE_URL is set: unset it to move the embedded books of TIEOUT_HOME');
      if (!isPostgresUrl(url))
        throw new UsageError(
          'the address is not valid: write postgresql://user:password@host:5432/database (host of a socket in /run/x: %2Frun%2Fx)',
        );
      const { moveBooks } = await backup();
      const moved = await withOwnBooks(config, (from) => moveBooks(from, url, config));
      if (options.json) return printJson({ books_id: moved.booksId, tables: moved.tables });
      print(`moved ${countText(moved)}: every table has the same digest in both databases`);
      print(
        `Write this line to .env, or your environment; the embedded books of ${config.home} stay as they are:`,
      );
      print(`DATABASE_URL=${shellWord(url)}`);
    });
