// completion: the scripts are valid, and complete what the command tree has.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { program } from '../../src/cli/program.ts';
import { played } from './played.ts';

const scriptOf = async (shell: string): Promise<string> => (await played(['completion', shell])).stdout;

/** What bash offers for the last word. */
const offered = (script: string, words: readonly string[]): string[] => {
  const line = words.map((word) => `'${word}'`).join(' ');
  const text = `${script}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _tieout; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', text], { encoding: 'utf8' }).split('\n').filter(Boolean);
};

test('bash completes commands, options and choices', async () => {
  const script = await scriptOf('bash');
  const names = (await program()).commands.map((command) => command.name());
  expect(offered(script, ['tieout', ''])).toEqual(expect.arrayContaining(names));
  expect(offered(script, ['tieout', 'break'])).toEqual(['breaks']);
  expect(offered(script, ['tieout', 'breaks', 'li'])).toEqual(['list']);
  expect(offered(script, ['tieout', 'breaks', 'list', '--e'])).toEqual(['--entity']);
  expect(offered(script, ['tieout', 'query', '--format', ''])).toEqual(['table', 'csv', 'json']);
  expect(offered(script, ['tieout', 'status', '--no-p'])).toEqual(['--no-pager']);
});

test('zsh uses the same words', async () => {
  const [bash, zsh] = [await scriptOf('bash'), await scriptOf('zsh')];
  expect(zsh.trimEnd().endsWith(bash.trimEnd())).toBe(true);
  expect(zsh).toContain('bashcompinit');
});

test('fish has a line for each command and option', async () => {
  const fish = await scriptOf('fish');
  expect(fish).toMatch(/^complete -c tieout -n '__tieout_at \\'breaks\\'' -f -a list -d '/m);
  expect(fish).toMatch(/-l format -d '.*' -x -a 'table csv json'$/m);
  for (const line of fish.split('\n').filter((one) => one.startsWith('complete -c tieout -n')))
    expect(line.replaceAll(/\\['\\]/g, '').split("'").length % 2, line).toBe(1);
});

test('an unknown shell is answered with the three', async () => {
  const { exitCode, stderr } = await played(['completion', 'bsah']);
  expect([exitCode, stderr]).toEqual([
    64,
    "tieout: unknown shell 'bsah': choose bash, zsh or fish. Did you mean bash?\n",
  ]);
});
