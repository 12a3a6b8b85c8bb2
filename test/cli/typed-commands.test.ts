// Commands in messages: each can be typed as written, and has --demo on the books of the demo.
import { expect, test, vi } from 'vitest';
import { printLong, printRows } from '../../src/cli/print.ts';
import { program, run } from '../../src/cli/program.ts';
import { aimAt, typedNext } from '../../src/cli/typed-commands.ts';
import { newFolder } from '../room.ts';
import { filesIn, textOf } from '../tidy/source.ts';

const TEXT =
  'npx tieout approve 5d1f --by NAME, then tieout breaks show 3f9c; npx tieout verify ledger --root abc; npx tieout budget set 1';

test('on the books of the demo each printed command has --demo, once; on others never', async () => {
  const [{ env, exitCode }, written] = [process, process.stderr.write];
  process.stderr.write = () => true;
  process.env = { ...env, TIEOUT_HOME: newFolder() };
  try {
    await run(['status', '--demo']); // there are no such books: it ends, but was about them
    const demo = typedNext(TEXT);
    expect(demo).toBe(
      'npx tieout approve --demo 5d1f --by NAME, then tieout breaks show --demo 3f9c; npx tieout verify ledger --demo --root abc; npx tieout budget set --demo 1',
    );
    expect(typedNext(demo)).toBe(demo);
    expect(typedNext('this tieout needs 15; run npx tieout demo')).toBe(
      'this tieout needs 15; run npx tieout demo',
    );
    await run(['status']);
    expect(typedNext(TEXT)).toBe(TEXT);
  } finally {
    process.env = env;
    process.exitCode = exitCode;
    process.stderr.write = written;
    aimAt({ isDemo: false, commands: new Set() });
  }
});

test('a query prints a command in a value as it is stored', () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  aimAt({ isDemo: true, commands: new Set(['nightly']) });
  printLong('run npx tieout nightly');
  printRows('run npx tieout nightly');
  const printed = write.mock.calls.map(([text]) => text);
  write.mockRestore();
  aimAt({ isDemo: false, commands: new Set() });
  expect(printed).toEqual(['run npx tieout nightly --demo\n', 'run npx tieout nightly\n']);
});

const PAIRS = (await program()).commands.flatMap((outer) =>
  outer.commands.map((inner) => `${outer.name()} ${inner.name()}`),
);

/** Commands of two words with an argument that a message names without `tieout` before them. */
const bare = (line: string): string[] =>
  /^\s*(\/\/|\*|\/\*|--)|commandOf\(/.test(line)
    ? []
    : PAIRS.filter((pair) =>
        line
          .split(`${pair} `)
          .slice(0, -1)
          .some(
            (before, nth) =>
              !/tieout $/.test(before) && /^(%s|\$\{|[A-Z]{2})/.test(line.split(`${pair} `)[nth + 1] ?? ''),
          ),
      );

test('a command in a message is as the user types it', () => {
  expect(bare("'breaks waive %s --period'")).toEqual(['breaks waive']);
  expect(bare("'npx tieout breaks waive %s --period'")).toEqual([]);
  const found = ['src', 'jobs', 'sql'].flatMap(filesIn).flatMap((path) =>
    textOf(path)
      .split('\n')
      .flatMap((line) => bare(line).map((pair) => `${path}: ${pair}`)),
  );
  expect(found).toEqual([]);
});
