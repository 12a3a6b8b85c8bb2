// An .env is read as it was written, or refused.
import { symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { UsageError } from '../../src/base/errors.ts';
import { environment, readConfig, showsStack } from '../../src/config/environment.ts';
import { newFolder } from '../room.ts';

const folder = newFolder();
const write = (text: string | Buffer): void => writeFileSync(join(folder, '.env'), text, { mode: 0o600 });

const refused = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
  throw new Error('it was not refused');
};

test('an .env whose values would be read otherwise than they are written is refused', () => {
  write('TIEOUT_ENTITY=acme\nGATEWAY_API_SECRET=ab#cd\n');
  expect(refused(() => environment(folder))).toMatch(
    /\.env: the value of GATEWAY_API_SECRET ends at its #, which begins a comment: put the value in single quotes$/,
  );
  write(
    "GATEWAY_API_SECRET='ab#cd' # quoted\nTIEOUT_ENTITY=acme # a name\nX=1#2\n#TIEOUT_HOME=a#b\nTIEOUT_CURRENCY=\n",
  );
  expect(environment(folder)).toMatchObject({ GATEWAY_API_SECRET: 'ab#cd', TIEOUT_ENTITY: 'acme' });
  write('\ufeffexport TIEOUT_ENTITY="acme"\r\nGATEWAY_RPM=5\r\n');
  expect(environment(folder)).toMatchObject({ TIEOUT_ENTITY: 'acme', GATEWAY_RPM: '5' });
  write(Buffer.from('\ufeffTIEOUT_ENTITY=acme\r\n', 'utf16le'));
  expect(refused(() => environment(folder))).toMatch(/\.env is not plain text: save it as UTF-8$/);
});

test.each([
  ['no sign', 'TIEOUT_TIMEZONE Europe/Madrid\n'],
  ['a colon without a space', 'export TIEOUT_TIMEZONE:Europe/Madrid\n'],
  ['the word of another shell', 'set TIEOUT_TIMEZONE=Europe/Madrid\r\n'],
  ['a quote before it that does not end', 'TIEOUT_ENTITY="acme\nTIEOUT_TIMEZONE=Europe/Madrid\nX="\n'],
])('a setting that is not read, because of %s, is refused, not taken as not set', (_, text) => {
  write(text);
  expect(refused(() => environment(folder))).toMatch(
    /\.env: the line of TIEOUT_TIMEZONE is not read: write TIEOUT_TIMEZONE=value, and end each quote$/,
  );
});

test('a setting with two lines is refused, because only one of them is read', () => {
  write('TIEOUT_CURRENCY=EUR\nTIEOUT_ENTITY=acme\nexport TIEOUT_CURRENCY=USD\n');
  expect(refused(() => environment(folder))).toMatch(
    /\.env sets TIEOUT_CURRENCY twice: keep one of the lines$/,
  );
  write('#TIEOUT_CURRENCY=EUR\nTIEOUT_CURRENCY=USD\nX=1\nX=2\n');
  expect(environment(folder)).toMatchObject({ TIEOUT_CURRENCY: 'USD' });
});

test('an .env that is a link to no file is refused, not taken as absent', () => {
  const linked = newFolder();
  symlinkSync(join(linked, 'nowhere'), join(linked, '.env'));
  expect(refused(() => environment(linked))).toMatch(
    /\.env is a link that leads nowhere: correct it, or remove it$/,
  );
});

test('a home whose ~ no shell has replaced is refused, because a folder of that name would be made', () => {
  expect(refused(() => readConfig({ TIEOUT_HOME: '~/books' }))).toMatch(
    /TIEOUT_HOME is "~\/books": write the whole path: ~ is not replaced here/,
  );
  expect(readConfig({ TIEOUT_HOME: '/srv/~books' }).home).toBe(resolve('/srv/~books'));
});

test('TIEOUT_STACK is 1 or absent, also in .env', () => {
  expect(refused(() => readConfig({ TIEOUT_STACK: 'true' }))).toContain(
    'TIEOUT_STACK is "true": write 1, or leave it out',
  );
  write('TIEOUT_STACK=1\n');
  expect([showsStack(folder), showsStack(newFolder())]).toEqual([true, false]);
});
