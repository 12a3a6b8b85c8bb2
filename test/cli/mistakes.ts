// What can be typed or set wrong, and what is said to it.
import { join } from 'node:path';
import { type Env, folder } from './tieout.ts';

export type Mistake = {
  readonly args: readonly string[];
  readonly env?: Env;
  readonly exit: 2 | 64;
  readonly says: RegExp;
  readonly lines?: number;
};

const NO_GATEWAY = { GATEWAY_BASE_URL: '', GATEWAY_API_KEY: '', GATEWAY_API_SECRET: '' };
export const NOWHERE = 'http://127.0.0.1:9';
export const NIGHT = ['nightly'];
const EXPORT = ['export', '--out', join(folder, 'out'), '--period'];

const SAID = ['--by', 'Ada', '--reason', 'why'];
const LEG = ['--leg', 'assets:trading <- equity:opening 1 EUR'];
const SHOWN = ['--evidence', process.execPath];
const ADJUST = ['adjust', ...SAID, ...LEG, ...SHOWN, '--at'];

/** What can be wrong with a decision of a person. */
const DECISIONS: Readonly<Record<string, Mistake>> = {
  'an adjustment without a name': { args: ['adjust', ...LEG], exit: 64, says: /'--by <name>' not specified/ },
  'an adjustment by nobody': {
    args: ['adjust', ...LEG, ...SHOWN, '--at', '2026-10-31', '--by', ' ', '--reason', 'why'],
    ...{ exit: 64, says: /--by is empty/ },
  },
  'an adjustment of nothing': { args: ['adjust', ...SAID], exit: 64, says: /an entry needs --leg/ },
  'an adjustment of an unknown account': {
    args: ['adjust', ...SAID, '--leg', 'assets:vault <- equity:opening 1 EUR'],
    ...{ exit: 64, says: /there is no account assets:vault; there are assets:trading/ },
  },
  'an adjustment at no time': { args: ['adjust', ...SAID, ...LEG], exit: 64, says: /needs --at/ },
  'an adjustment at an impossible time': {
    args: [...ADJUST, '2026-02-31'],
    ...{ exit: 64, says: /--at is "2026-02-31": write a day/ },
  },
  'an adjustment of the future': { args: [...ADJUST, '2999-01-01'], exit: 64, says: /is not over yet/ },
  'an adjustment with nothing to show': {
    args: ['adjust', ...SAID, ...LEG, '--at', '2026-10-31'],
    ...{ exit: 64, says: /needs --evidence FILE/ },
  },
  'evidence that is not there': {
    args: ['adjust', ...SAID, ...LEG, '--at', '2026-10-31', '--evidence', '/no/such'],
    ...{ exit: 64, says: /\/no\/such: cannot be read \(ENOENT\): check its path/ },
  },
  'an adjustment of an unknown entity': {
    args: [...ADJUST, '2026-10-31', '--entity', 'nobody'],
    ...{ exit: 64, says: /no books of entity nobody/ },
  },
  'a pocket that was never listed': {
    args: [
      'adjust',
      ...SAID,
      ...SHOWN,
      '--leg',
      'assets:pocket:x <- equity:opening 1 EUR',
      '--at',
      '2026-10-31',
    ],
    ...{ exit: 64, says: /assets:pocket:x was never listed for main/ },
  },
  'a reversal of no entry': {
    args: ['adjust', ...SAID, '--reverse', 'x'],
    ...{ exit: 64, says: /entry x is none that a person made/ },
  },
  'a reversal with legs': {
    args: ['adjust', ...SAID, ...LEG, '--reverse', 'x'],
    ...{ exit: 64, says: /--reverse undoes a whole entry/ },
  },
  'an opening from no file': {
    args: ['open', ...SAID, ...SHOWN, '--file', '/no/such.csv'],
    ...{ exit: 64, says: /\/no\/such\.csv: cannot be read \(ENOENT\)/ },
  },
  'an opening from a file that is none': {
    args: ['open', ...SAID, ...SHOWN, '--file', join(folder, 'foreign', 'notes.txt')],
    ...{ exit: 64, says: /notes\.txt: line 1 names mine: its first line must be account,currency,units/ },
  },
  'a record that is not rejected, to settle': {
    args: ['rejects', 'settle', 'movements', 'x', ...SAID, ...LEG, ...SHOWN],
    ...{ exit: 64, says: /movements x is no rejected record/ },
  },
  'a record that is not rejected, to dismiss': {
    args: ['rejects', 'dismiss', 'movements', 'x', ...SAID],
    ...{ exit: 64, says: /movements x is no rejected record/ },
  },
  'a break that is not there': {
    args: ['breaks', 'waive', '000000000000', ...SAID, '--period', '2026-10'],
    ...{ exit: 64, says: /there is no break 000000000000/ },
  },
  'a waiver for a quarter': {
    args: ['breaks', 'waive', '000000000000', ...SAID, '--period', '2026-Q4'],
    ...{ exit: 64, says: /"2026-Q4" is not a month/ },
  },
  'an approval of something else': {
    args: ['approve', 'everything', '--by', 'Grace'],
    ...{ exit: 64, says: /neither the id of a proposal \(twelve hex digits\) nor a month/ },
  },
  'an approval by nobody': { args: ['approve', '0123456789ab'], exit: 64, says: /approve needs --by NAME/ },
  'an approval of all at once': { args: ['approve', '--by', 'Grace'], exit: 64, says: /to all at once/ },
  'an approval of what nobody proposed': {
    args: ['approve', '0123456789ab', '--by', 'Grace'],
    ...{ exit: 64, says: /there is no proposal 0123456789ab/ },
  },
  'an approval of a month that is open': {
    args: ['approve', '2026-10', '--by', 'Grace'],
    ...{ exit: 64, says: /2026-10 of \S+ is not closed/ },
  },
  'a refusal without a reason': {
    args: ['approve', '0123456789ab', '--by', 'Grace', '--refuse'],
    ...{ exit: 64, says: /--refuse needs a --reason/ },
  },
  'a refusal of a month': {
    args: ['approve', '2026-10', '--by', 'Grace', '--refuse'],
    ...{ exit: 64, says: /a closed month is not refused: reopen it/ },
  },
};

/** By what is wrong. */
export const MISTAKES: Readonly<Record<string, Mistake>> = {
  ...DECISIONS,
  'a gateway that refuses connections': {
    ...{ args: NIGHT, env: { GATEWAY_BASE_URL: NOWHERE }, exit: 2 },
    says: /^tieout: no answer from http:\/\/127\.0\.0\.1:9 in 20 s: check GATEWAY_BASE_URL/,
  },
  'an unknown option of a command in a command': {
    ...{ args: ['verify', 'coverage', '--fast'], exit: 64, says: /unknown option '--fast'/ },
  },
  'no command': { args: [], exit: 64, says: /^Usage: tieout/, lines: 50 },
  'an unknown command': { args: ['nigthly'], exit: 64, says: /unknown command 'nigthly'/, lines: 2 },
  'an unknown option': { args: ['status', '--jsno'], exit: 64, says: /unknown option '--jsno'/, lines: 2 },
  'an argument too many': { args: ['status', 'now'], exit: 64, says: /too many arguments/ },
  'a missing option': { args: ['export', '--period', '2026'], exit: 64, says: /--out/ },
  'a restatement that is none': {
    ...{ args: ['normalize', '--dry-run', '--by', 'Ada'], exit: 64 },
    says: /--dry-run, --by belongs to --restate: add it/,
  },
  'a restatement by nobody': {
    ...{ args: ['normalize', '--restate', '--by', ' '], exit: 64 },
    says: /--by is empty: say who or why, or leave it out/,
  },
  'an option without its value': { args: ['nightly', '--entity'], exit: 64, says: /argument missing/ },
  'no gateway': { args: NIGHT, env: NO_GATEWAY, exit: 64, says: /3 mistakes in the environment/, lines: 4 },
  'a malformed database': {
    ...{
      args: ['status'],
      env: { DATABASE_URL: 'mysql://u:hunter2@h/d' },
      exit: 64,
      says: /DATABASE_URL is not valid/,
      lines: 2,
    },
  },
  'a secret file that is not there': {
    ...{ args: NIGHT, env: { GATEWAY_API_SECRET: '', GATEWAY_API_SECRET_FILE: '/no/such' }, exit: 64 },
    ...{ says: /GATEWAY_API_SECRET_FILE is "\/no\/such": the file cannot be read/, lines: 2 },
  },
  'a wrong key': {
    args: NIGHT,
    env: { GATEWAY_API_KEY: 'wrong' },
    exit: 2,
    says: /refuses this key: check GATEWAY_API_KEY/,
  },
  'a wrong secret': {
    args: NIGHT,
    env: { GATEWAY_API_SECRET: 'wrong' },
    exit: 2,
    says: /signature was refused again/,
  },
  'a database that refuses connections': {
    ...{ args: ['status'], env: { DATABASE_URL: 'postgresql://u:hunter2@127.0.0.1:9/d' }, exit: 2 },
    says: /^tieout: the database at 127\.0\.0\.1:9\/d cannot be reached: /,
  },
  'another timezone than the books': {
    ...{ args: NIGHT, env: { TIEOUT_TIMEZONE: 'Europe/Madrid' }, exit: 64 },
    says: /TIEOUT_TIMEZONE is Europe\/Madrid, but the books of \S+ were begun with UTC/,
  },
  'the same in an export': {
    ...{ args: [...EXPORT, '2026-10'], env: { TIEOUT_TIMEZONE: 'Europe/Madrid' }, exit: 64 },
    says: /TIEOUT_TIMEZONE is Europe\/Madrid/,
  },
  'another currency than the books': {
    ...{
      args: ['normalize'],
      env: { TIEOUT_CURRENCY: 'USD' },
      exit: 64,
      says: /TIEOUT_CURRENCY is USD, but the books/,
    },
  },
  'an impossible month': { args: [...EXPORT, '2026-13'], exit: 64, says: /there is no month 13/ },
  'a period that is no period': { args: [...EXPORT, 'october'], exit: 64, says: /october/ },
  'a folder that cannot be': {
    ...{
      args: ['export', '--period', '2026-10', '--out', '/dev/null/out'],
      exit: 2,
      says: /\/dev\/null\/out/,
    },
  },
  'a folder with the files of somebody else': {
    ...{
      args: ['export', '--period', '2026-10', '--out', join(folder, 'foreign')],
      exit: 64,
      says: /holds what no export wrote/,
    },
  },
  'an unknown entity, at night': {
    args: [...NIGHT, '--entity', 'nobody'],
    exit: 64,
    says: /no entity nobody among main/,
  },
  'an unknown entity, offline': {
    args: ['normalize', '--entity', 'nobody'],
    exit: 64,
    says: /no books of entity nobody/,
  },
  'an unknown entity, to verify': {
    args: ['verify', 'coverage', '--entity', 'nobody'],
    exit: 64,
    says: /no books of entity nobody/,
  },
  'an unknown stream, to verify': {
    args: ['verify', '--stream', 'tides'],
    exit: 64,
    says: /'tides' is invalid. Allowed choices are movements, trades/,
  },
  'an unknown entity, in an export': {
    ...{ args: [...EXPORT, '2026-10', '--entity', 'nobody'], exit: 64, says: /no books of nobody/ },
  },
  'an unknown fault': { args: ['sandbox', '--faults', 'gremlins'], exit: 64, says: /unknown fault gremlins/ },
  'an unknown defect': {
    args: ['sandbox', '--defects', 'gremlins'],
    exit: 64,
    says: /--defects gremlins: choose from/,
  },
  'a port that is none': {
    args: ['sandbox', '--port', '65536'],
    exit: 64,
    says: /--port 65536: write a whole number/,
  },
};
