// All help is one reviewed file, help.txt: every command, at a width of 80. After a change run vitest with -u, then read
// the difference.
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { withHelpOption } from '../../src/cli/help-words.ts';
import { program } from '../../src/cli/program.ts';
import { played } from './played.ts';

const WIDTH = 80;

const withInner = (command: Command): Command[] => [command, ...command.commands.flatMap(withInner)];

/** The words that run a command: `npx tieout breaks list`. */
const pathOf = (command: Command): string =>
  command.parent === null ? 'npx tieout' : `${pathOf(command.parent)} ${command.name()}`;

const helpOf = (command: Command): string => {
  let help = '';
  const writeOut = (text: string) => {
    help += text;
  };
  command.configureOutput({ writeOut, getOutHelpWidth: () => WIDTH, getOutHasColors: () => false });
  command.outputHelp();
  return help;
};

const main = await program();
const commands = withInner(main);
const leaves = commands.filter((command) => command.commands.length === 0);

test('help.txt is the help of every command', async () => {
  const texts = commands.map((command) => `$ ${pathOf(command)} --help\n${helpOf(command)}`);
  await expect(texts.join('\n')).toMatchFileSnapshot('help.txt');
});

test.for(leaves.map((command) => [pathOf(command), helpOf(command)] as const))(
  '%s has --json and shows an example of itself',
  ([path, help]) => {
    expect(help).toMatch(/^ {2}--json /m);
    expect(help.slice(help.indexOf('Example:'))).toContain(path);
  },
);

test.for(commands.map((command) => [pathOf(command), command] as const))(
  'help before or within %s is the help of that command',
  ([, command]) => {
    const path = pathOf(command).split(' ').slice(2);
    const last = leaves.includes(command) ? path.length - 1 : path.length; // behind a leaf it is an argument
    for (let index = 0; index <= last; index += 1) {
      const words = [...path.slice(0, index), 'help', ...path.slice(index), '--no-color'];
      expect(withHelpOption(main, words)).toEqual([...path, '--no-color', '--help']);
    }
  },
);

test('help of a command in a command, as typed', async () => {
  const help = await played(['breaks', 'waive', '--help']);
  expect(help.stdout).toContain('Usage: tieout breaks waive');
  for (const words of ['help breaks waive', 'breaks help waive'])
    expect(await played(words.split(' ')), words).toEqual(help);
  const refused = await played(['help', 'breaks', 'wave']);
  expect([refused.exitCode, refused.stdout]).toEqual([64, '']);
  expect(refused.stderr).toMatch(/unknown command 'wave'\n.*Did you mean waive\?/);
});

test.each(['one-person', 'two-people'])(
  'duties %s applies to all entities, so it refuses the choice of one',
  async (name) => {
    const words = ['duties', name, '--entity', 'main', '--by', 'Ada', '--reason', 'alone'];
    expect(await played(words)).toMatchObject({
      exitCode: 64,
      stderr: expect.stringContaining("unknown option '--entity'"),
    });
  },
);

test('every command of tieout --help is in a named group', () => {
  for (const command of main.commands) expect(command.helpGroup(), command.name()).toMatch(/:$/);
});

test.for([
  [['nigthly'], /unknown command 'nigthly'\n.*Did you mean nightly\?/],
  [['breaks', 'lst'], /unknown command 'lst'\n.*Did you mean list\?/],
  [['status', '--jsno'], /unknown option '--jsno'\n.*Did you mean --json\?/],
  [['breaks', 'list', '--entty', 'main'], /unknown option '--entty'\n.*Did you mean --entity\?/],
] as const)('a misspelt word is answered with the nearest one: %j', async ([args, message]) => {
  const errors: string[] = [];
  const main = await program();
  for (const command of withInner(main))
    command.configureOutput({ writeErr: (text) => void errors.push(text) });
  await expect(main.parseAsync(args, { from: 'user' })).rejects.toThrow(/unknown/);
  expect(errors.join('')).toMatch(message);
});

test('an unknown proof is refused with the list of proofs', async () => {
  const typed = (await program()).parseAsync(['verify', 'coverge'], { from: 'user' });
  await expect(typed).rejects.toThrow(
    "unknown proof 'coverge': choose coverage, ledger or report. Did you mean coverage?",
  );
});

test('a proof behind its options is refused with their order', async () => {
  const { exitCode, stderr } = await played(['verify', '--json', 'ledger']);
  expect([exitCode, stderr]).toEqual([
    64,
    expect.stringContaining('write the proof before its options: npx tieout verify ledger …'),
  ]);
});

test.for([
  [['query', 'select 1', '--format', 'jsn'], 'Allowed choices are table, csv, json. Did you mean json?'],
  [['export', '--profile', 'excel-fr'], 'excel-en. Did you mean excel-es?'],
  [['query', 'select 1', '--format', 'moonlight'], 'Allowed choices are table, csv, json.'],
] as const)('a value that is no choice is answered with the nearest one: %j', async ([args, message]) => {
  const main = await program();
  for (const command of withInner(main))
    command.configureOutput({ writeErr: () => {}, outputError: () => {} });
  const refused = main.parseAsync(args, { from: 'user' }).catch((error: Error) => error.message);
  expect(String(await refused).endsWith(message)).toBe(true);
});
