// Programs that a command runs: how they end, whatever they leave behind, and what they wrote.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lastLines, runChild } from '../../src/config/config.ts';
import { newFolder } from '../room.ts';

const shell = (text: string, timeoutMs?: number) =>
  runChild('/bin/sh', ['-c', text], timeoutMs === undefined ? {} : { timeoutMs });

/** A shell has no word for it, and macOS no setsid. */
const NEW_SESSION = `${process.execPath} -e 'require("child_process").spawn("sleep", ["5"], { detached: true, stdio: "inherit" }).unref()'`;

/** A limit that a program exceeds, far below the time that its processes would take. */
const LIMIT_MS = 700;
const ENOUGH_MS = 30_000;

test('a program that ends in time: its code and its output', async () => {
  expect(await shell('echo one; echo two >&2; exit 3', ENOUGH_MS)).toEqual({
    code: 3,
    startError: null,
    isOverdue: false,
    output: expect.stringMatching(/^(one\ntwo|two\none)$/),
  });
});

test.skipIf(process.platform === 'win32').each([
  ['a command of a script', 'echo begun; sleep 60; echo over', null],
  ['a process left behind', 'echo begun; sleep 60 & exit 0', 0],
  ['a process in another session', `echo begun; ${NEW_SESSION} & sleep 0.5; exit 0`, 0],
  ['a program that ignores signals', "trap '' TERM INT HUP; echo begun; sleep 60; sleep 60", null],
])('%s ends with the time of the program', async (_, text, code) => {
  const begunMs = performance.now();
  expect(await shell(text, LIMIT_MS)).toEqual({ code, startError: null, isOverdue: true, output: 'begun' });
  expect(performance.now() - begunMs).toBeLessThan(4_000);
});

test.skipIf(process.platform === 'win32')('what is overdue does not go on', async () => {
  const mark = join(newFolder(), 'mark');
  await shell(`(sleep 1.5; touch ${mark}) & sleep 60`, LIMIT_MS);
  await new Promise((done) => setTimeout(done, 1_800));
  expect(existsSync(mark)).toBe(false);
});

test.skipIf(process.platform === 'win32')(
  'a program in time leaves what does not hold its output',
  async () => {
    const mark = join(newFolder(), 'mark');
    const { isOverdue } = await shell(`(sleep 0.5; touch ${mark}) >/dev/null 2>&1 &`, ENOUGH_MS);
    expect([isOverdue, existsSync(mark)]).toEqual([false, false]);
    await expect.poll(() => existsSync(mark)).toBe(true);
  },
);

test('a program with a limit is killed when this process ends', async () => {
  const before = process.listeners('exit');
  const running = shell('sleep 60', ENOUGH_MS);
  const [onExit] = process.listeners('exit').filter((listener) => !before.includes(listener));
  onExit?.(0);
  expect(await running).toMatchObject({ code: null, isOverdue: false });
  expect(process.listeners('exit')).toEqual(before);
});

test('a program that is not there', async () => {
  expect(await runChild('/nowhere/program', [], { timeoutMs: ENOUGH_MS })).toEqual({
    code: null,
    startError: 'ENOENT',
    isOverdue: false,
    output: 'spawn /nowhere/program ENOENT',
  });
});

test('the last lines, none of them long', () => {
  expect(lastLines(`a\nb\n${'c'.repeat(501)}\n`, 2)).toBe(`b\n${'c'.repeat(500)}…`);
});
