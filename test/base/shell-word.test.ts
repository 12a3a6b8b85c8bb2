// Paths in commands that a person copies from a message arrive as they are.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellWord } from '../../src/base/shell-word.ts';

test('a plain word stays as it is', () => {
  for (const text of ['/srv/tieout/books-2026-11-22.gz', 'postgresql://tieout:p%40ss@db:5432/books'])
    expect(shellWord(text)).toBe(text);
});

test
  .skipIf(process.platform === 'win32')
  .each(['my books.gz', "Ana's", '$HOME', '~/x', 'a&b?c', '', 'a\\b', '`id`', 'ñ'])(
  'a shell reads %j as one word',
  (text) =>
    expect(execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' })).toBe(text),
);
