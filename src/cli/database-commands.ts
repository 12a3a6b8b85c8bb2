// Commands for clients of one's own: db start, stop and url, and psql. They connect as the analyst.
import { spawn } from 'node:child_process';
import { Command } from 'commander';
import { FailedError, UsageError } from '../base/errors.ts';
import { clientEnv, displayEnv } from '../config/config.ts';
import { isServerHeld, startServer, stopServer } from '../postgres/postgres.ts';
import { withBooks } from '../run/run.ts';
import { moveCommand } from './backup-commands.ts';
import { bookCommand, type Shared, settings } from './options.ts';
import { nextText, print, printJson, warn } from './print.ts';

const embedded = (options: Shared) => {
  const config = settings(options);
  if (config.databaseUrl !== null)
    throw new UsageError('DATABASE_URL is set, and tieout does not start or stop that server');
  return config;
};

const NEXT = [
  'npx tieout psql      # the books in psql, as the analyst',
  'npx tieout db url    # the address for any other client',
  'npx tieout db stop   # when you are done',
];

const startCommand = (): Command =>
  bookCommand('start', 'start the embedded database and keep it running', 'npx tieout db start').action(
    async (options: Shared) => {
      const config = embedded(options);
      await withBooks(config, async () => startServer(config.home, { signal: config.signal }), {
        as: 'analyst',
      });
      if (options.json) return printJson({ home: config.home, running: true });
      print(`the embedded database of ${config.home} is running\n\n${nextText(NEXT)}`);
    },
  );

const stopCommand = (): Command =>
  bookCommand('stop', 'stop the embedded database that db start keeps running', 'npx tieout db stop').action(
    async (options: Shared) => {
      const { home } = embedded(options);
      const wasRunning = await stopServer(home);
      if (options.json) return printJson({ home, running: false, was_running: wasRunning });
      print(`the embedded database of ${home} ${wasRunning ? 'is stopped' : 'was not running'}`);
    },
  );

/** The address of the analyst, which contains a password. */
const analystUrl = (options: Shared): Promise<string> =>
  withBooks(settings(options), async (_, url) => url, { as: 'analyst', isReading: true });

const urlCommand = (): Command =>
  bookCommand(
    'url',
    "print the analyst's address of the database, password included, for any client",
    'psql "$(npx tieout db url)"',
  ).action(async (options: Shared) => {
    const url = await analystUrl(options);
    if (options.json) printJson({ url });
    else print(url);
    const { databaseUrl, home } = settings(options);
    if (databaseUrl === null && !isServerHeld(home))
      warn('the embedded database runs only while a command uses it: npx tieout db start');
  });

/** The command db, with what it can do. */
export const dbCommand = (): Command =>
  new Command('db')
    .description('start, stop and move the embedded database; print its address for other clients')
    .addCommand(startCommand())
    .addCommand(stopCommand())
    .addCommand(urlCommand())
    .addCommand(moveCommand())
    .addHelpText('after', '\nExample:\n  npx tieout db start\n');

const NOT_INSTALLED =
  'psql is not installed: install the package postgresql-client (Debian, Ubuntu), postgresql (Fedora, Arch) or libpq (Homebrew); ' +
  'any other client connects with the address that npx tieout db url prints';

/** The address without its password, which travels in the environment: arguments can be read by everyone on the machine. */
const withoutPassword = (url: string): { readonly address: string; readonly password: string } => {
  const address = new URL(url);
  const password = decodeURIComponent(address.password);
  address.password = '';
  return { address: address.href, password };
};

const shownEnv = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(displayEnv()).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );

/** Runs psql to its end; Ctrl-C is psql's while it runs. Returns its exit code. */
const runPsql = (url: string, args: readonly string[]): Promise<number> => {
  const { address, password } = withoutPassword(url);
  const listeners = process.listeners('SIGINT');
  const ignore = (): void => {};
  process.removeAllListeners('SIGINT').on('SIGINT', ignore);
  const env = clientEnv({ ...shownEnv(), PGPASSWORD: password, PGAPPNAME: 'tieout psql' });
  const running = new Promise<number>((done, fail) => {
    const child = spawn('psql', ['-d', address, ...args], { stdio: 'inherit', env });
    child.on('error', (error: NodeJS.ErrnoException) =>
      fail(
        new FailedError(error.code === 'ENOENT' ? NOT_INSTALLED : `psql cannot be started: ${error.message}`),
      ),
    );
    child.on('close', (code) => done(code ?? 2));
  });
  return running.finally(() => {
    process.removeListener('SIGINT', ignore);
    for (const listener of listeners) process.on('SIGINT', listener);
  });
};

export const psqlCommand = (): Command =>
  bookCommand(
    'psql',
    'open the books in psql, as the analyst; arguments go to psql, and the exit code is its own',
    `npx tieout psql -c "select * from balances"
  npx tieout psql -v timezone=Europe/Madrid -f sql/cookbook/fees_by_month.sql`,
  )
    .argument('[args...]', 'arguments for psql')
    .allowUnknownOption()
    .action(async (args: readonly string[], options: Shared) => {
      if (options.json && args.length > 0)
        throw new UsageError(
          'psql --json prints the connection and runs nothing: leave out --json, or the arguments for psql',
        );
      await withBooks(
        settings(options),
        async (_, url) => {
          const { hostname, port, username, pathname } = new URL(url);
          if (options.json)
            return printJson({
              host: decodeURIComponent(hostname),
              port,
              user: username,
              database: pathname.slice(1),
            });
          process.exitCode = await runPsql(url, args);
        },
        { as: 'analyst', isReading: true },
      );
    });
