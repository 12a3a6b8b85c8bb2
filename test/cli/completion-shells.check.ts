// completion: zsh and fish themselves complete with the scripts.
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder, withFolder } from '../own-folder.ts';
import { played } from './played.ts';

withFolder();

const isMissing = (shell: string): boolean => spawnSync(shell, ['-c', 'exit']).error !== undefined;

const scriptFile = async (shell: string): Promise<string> => {
  const path = join(folder, `completion.${shell}`);
  writeFileSync(path, (await played(['completion', shell])).stdout);
  return path;
};

/** What zsh offers, in the mode in which its bashcompinit calls a completion function; zsh itself keeps what begins as typed. */
const zshOffers = (path: string, words: readonly string[]): string[] => {
  const line = words.map((word) => `'${word}'`).join(' ');
  const text = `source '${path}'; emulate sh; setopt ksharrays shwordsplit
COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _tieout; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const offers = execFileSync('zsh', ['-fc', text], { encoding: 'utf8' }).split('\n').filter(Boolean);
  return offers.filter((offer) => offer.startsWith(words.at(-1) ?? ''));
};

test.skipIf(isMissing('zsh'))('zsh completes (needs zsh)', async () => {
  const path = await scriptFile('zsh');
  expect(zshOffers(path, ['tieout', 'brea'])).toEqual(['breaks']);
  expect(zshOffers(path, ['tieout', 'breaks', 'wai'])).toEqual(['waive']);
  expect(zshOffers(path, ['tieout', 'query', '--format', ''])).toEqual(['table', 'csv', 'json']);
});

test.skipIf(isMissing('fish'))('fish completes (needs fish)', async () => {
  const path = await scriptFile('fish');
  const offers = (line: string): string[] =>
    execFileSync('fish', ['-c', `source '${path}'; complete -C '${line}'`], { encoding: 'utf8' })
      .split('\n')
      .map((offer) => offer.split('\t')[0] ?? '')
      .filter(Boolean);
  expect(offers('tieout brea')).toEqual(['breaks']);
  expect(offers('tieout breaks wai')).toEqual(['waive']);
  expect(offers('tieout query --format ')).toEqual(['csv', 'json', 'table']);
});
