// How a command fails: one sentence and its exit code, whatever the cause.
import { AssertionError } from 'node:assert/strict';
import { afterEach, expect, test, vi } from 'vitest';
import { FailedError, InterruptedError, UsageError } from '../../src/base/errors.ts';
import { reportEnd } from '../../src/cli/ending.ts';

afterEach(() => vi.restoreAllMocks());

const ended = (error: unknown): [number, string] => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const exitCode = reportEnd(error);
  return [exitCode, written.mock.calls.map(([text]) => String(text)).join('')];
};

const coded = (code: string, message: string) => Object.assign(new Error(message), { code });

test.each<[string, unknown, number, RegExp]>([
  ['a mistake', new UsageError('no such month'), 64, /^tieout: no such month\n$/],
  ['a failure', new FailedError('no disk'), 2, /^tieout: no disk\n$/],
  ['SIGINT', new InterruptedError('SIGINT'), 130, /^tieout: interrupted by SIGINT: .*\n$/],
  ['SIGTERM', new InterruptedError('SIGTERM'), 143, /^tieout: interrupted by SIGTERM: .*\n$/],
  ['SIGHUP', new InterruptedError('SIGHUP'), 129, /^tieout: interrupted by SIGHUP: .*\n$/],
  ...[
    coded('57P01', 'terminating connection due to administrator command'),
    coded('ECONNRESET', 'read ECONNRESET'),
    new Error('Connection terminated unexpectedly'),
    new Error('Client has encountered a connection error and is not queryable'),
    new Error('Client was closed and is not queryable'),
  ].map((error): [string, unknown, number, RegExp] => [
    error.message,
    error,
    2,
    /^tieout: lost the connection to the database \(.*\): run the command again\n$/,
  ]),
  [
    'text of any length that is not ours',
    coded('XX000', 'x'.repeat(300_000)),
    2,
    /^tieout: a fault in tieout: x{1000} \(please report it/,
  ],
  [
    'a full disk of the database',
    coded('53100', 'could not extend file "base/1/2": No space left on device'),
    2,
    /^tieout: the disk of the database is full \(could not extend file .+\): free space on it, and run the command again\n$/,
  ],
  [
    'no connection left',
    coded('53300', 'too many connections for database "books"'),
    2,
    /^tieout: the database takes no more connections \(too many connections for database "books"\): end others, or raise the limit \(.+\), and run the command again\n$/,
  ],
  ...[
    coded('25006', 'cannot execute LOCK TABLE during recovery'),
    coded('25006', 'cannot execute INSERT in a read-only transaction'),
    coded('25006', 'INSERT kann nicht in einer Read-Only-Transaktion ausgeführt werden'),
    Object.assign(
      coded(
        '0A000',
        'kann den Transaktionsmodus während der Wiederherstellung nicht auf Lesen-Schreiben setzen',
      ),
      { routine: 'call_bool_check_hook' },
    ),
  ].map((error): [string, unknown, number, RegExp] => [
    error.message,
    error,
    2,
    /^tieout: the database takes no writes \(.+\): write the address of the primary to DATABASE_URL, /,
  ]),
  [
    'a bug',
    new AssertionError({ message: 'a window\nis reversed' }),
    2,
    /^tieout: a fault in tieout: a window is reversed \(please report it; TIEOUT_STACK=1 .*\)\n$/,
  ],
  ['what is no error', 'thrown text', 2, /^tieout: a fault in tieout: thrown text \(.*\)\n$/],
])('%s', (_, error, exitCode, sentence) => {
  expect(ended(error)).toEqual([exitCode, expect.stringMatching(sentence)]);
});

test('a fault shows its stack on request', () => {
  vi.stubEnv('TIEOUT_STACK', '1');
  expect(ended(new Error('broken'))[1]).toMatch(
    /^tieout: a fault in tieout: Error: broken\n +at .*ending\.test/s,
  );
  vi.unstubAllEnvs();
});
