// Mistakes that a user can type or set, with the message for each.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DECISIONS } from './action-mistakes.ts';
import type { Mistake } from './mistake.ts';
import { PACKAGES } from './package-mistakes.ts';
import { folder } from './tieout.ts';

const WEBHOOK = { TIEOUT_WEBHOOK_KEY: 'a-key-of-the-platform', TIEOUT_WEBHOOK_ANSWER: 'refuse' };
const NO_GATEWAY = { GATEWAY_BASE_URL: '', GATEWAY_API_KEY: '', GATEWAY_API_SECRET: '' };
export const NIGHT = ['nightly'];
const ERASE = ['erase', '--by', 'Ana', '--reason', 'case 1'];
const CONFIRM = ['confirm', '--by', 'Ana', '--as-of', '2026-11-01'];
const EMPTY = join(folder, 'empty.csv');
writeFileSync(EMPTY, '');
const EXPORT = ['export', '--out', join(folder, 'out'), '--period'];

export const MISTAKES: Readonly<Record<string, Mistake>> = {
  ...DECISIONS,
  ...PACKAGES,
  'an unknown option of a command in a command': {
    args: ['verify', 'coverage', '--fast'],
    exit: 64,
    says: /unknown option '--fast'/,
  },
  'a dump to standard output': {
    args: ['dump', '-'],
    exit: 64,
    says: /^tieout: dump writes a file, not standard output: name a new file/,
  },
  'an empty folder, from a variable of the shell that is not set': {
    args: ['export', '--period', '2026-10', '--out', ''],
    exit: 64,
    says: /^tieout: --out is empty: write a value/,
  },
  'text in another encoding, whose bytes the system has replaced': {
    args: ['breaks', 'assign', 'b1', '--to', 'Jos\ufffd', '--by', 'Ana', '--reason', 'asked'],
    exit: 64,
    says: /^tieout: "Jos\ufffd" has a character that is not UTF-8: write it in UTF-8/,
  },
  'an empty file to dump to': {
    args: ['dump', ''],
    exit: 64,
    says: /^tieout: the argument file is empty: write a value/,
  },
  'a mistyped name of a setting': {
    args: NIGHT,
    env: { TIEOUT_TIMEZON: 'Europe/Madrid' },
    exit: 64,
    says: /TIEOUT_TIMEZON is no setting of tieout: write TIEOUT_TIMEZONE/,
    lines: 5,
  },
  'no command': { args: [], exit: 64, says: /^Usage: tieout/, lines: 120 },
  'an unknown command': { args: ['nigthly'], exit: 64, says: /unknown command 'nigthly'/, lines: 2 },
  'an unknown option': { args: ['status', '--jsno'], exit: 64, says: /unknown option '--jsno'/, lines: 2 },
  'an argument too many': { args: ['status', 'now'], exit: 64, says: /too many arguments/ },
  'a missing option': { args: ['confirm', '--by', 'Ana'], exit: 64, says: /--file/ },
  'neither an instant nor a year': {
    args: ['confirm', '--by', 'Ana', '--file', 'x'],
    exit: 64,
    says: /write either --as-of .* or --year/,
  },
  'a year that is not over': {
    args: ['confirm', '--by', 'Ana', '--file', 'x', '--year', '2998'],
    exit: 64,
    says: /--year 2998: is not over before/,
  },
  'a restatement that is none': {
    args: ['normalize', '--dry-run', '--by', 'Ada'],
    exit: 64,
    says: /--dry-run, --by only works with --restate: add it/,
  },
  'a restatement by nobody': {
    args: ['normalize', '--restate', '--by', ' '],
    exit: 64,
    says: /--by is empty: write a value/,
  },
  'an option without its value': { args: ['nightly', '--entity'], exit: 64, says: /argument missing/ },
  'no gateway': { args: NIGHT, env: NO_GATEWAY, exit: 64, says: /3 mistakes in the environment/, lines: 4 },
  'a probe that forgets --check': {
    args: ['status', '--max-age', '3h', '--entity', 'main'],
    exit: 64,
    says: /^tieout: --max-age, --entity only works with --check: add it$/,
  },
  'clean nights without --check': { args: ['status', '--clean'], exit: 64, says: /--clean only works with/ },
  'a probe of every table': {
    args: ['status', '--check', '--all'],
    exit: 64,
    says: /--check prints one line: leave out --all, or --check/,
  },
  'an address for metrics without a port': {
    args: ['worker', '--metrics-host', '0.0.0.0'],
    exit: 64,
    says: /--metrics-host only works with --metrics: add it/,
  },
  'a worker with a notice to nowhere': {
    args: ['worker', '--now'],
    env: { TIEOUT_ON_FINISH: 'https://' },
    exit: 64,
    says: /TIEOUT_ON_FINISH is not valid: write an http:\/\/ or https:\/\/ address/,
    lines: 2,
  },
  'a notice to an address of another kind': {
    args: ['worker', '--now'],
    env: { TIEOUT_ON_FINISH: 'ftp://hooks.example.com' },
    exit: 64,
    says: /TIEOUT_ON_FINISH is not valid: write an http:\/\/ or https:\/\/ address/,
    lines: 2,
  },
  'a worker with metrics that no collector reads': {
    args: ['worker', '--now'],
    env: { TIEOUT_METRICS_FILE: 'metrics.txt' },
    exit: 64,
    says: /TIEOUT_METRICS_FILE is "metrics.txt": write the path of a file that ends in \.prom/,
    lines: 2,
  },
  'a malformed database': {
    args: ['status'],
    env: { DATABASE_URL: 'mysql://u:hunter2@h/d' },
    exit: 64,
    says: /DATABASE_URL is not valid/,
    lines: 2,
  },
  'a secret file that is not there': {
    args: NIGHT,
    env: { GATEWAY_API_SECRET: '', GATEWAY_API_SECRET_FILE: '/no/such' },
    exit: 64,
    says: /GATEWAY_API_SECRET_FILE is "\/no\/such": the file cannot be read/,
    lines: 2,
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
    says: /signature was refused again .*: check GATEWAY_API_KEY and GATEWAY_API_SECRET, and whether another program uses this key .*\(unauthorized/,
  },
  'a database that refuses connections': {
    args: ['status'],
    env: { DATABASE_URL: 'postgresql://u:hunter2@127.0.0.1:9/d' },
    exit: 2,
    says: /^tieout: the database at 127\.0\.0\.1:9\/d cannot be reached: /,
  },
  'another timezone than the books': {
    args: NIGHT,
    env: { TIEOUT_TIMEZONE: 'Europe/Madrid' },
    exit: 64,
    says: /TIEOUT_TIMEZONE is Europe\/Madrid, but the books of \S+ use UTC/,
  },
  'the same in an export': {
    args: [...EXPORT, '2026-10'],
    env: { TIEOUT_TIMEZONE: 'Europe/Madrid' },
    exit: 64,
    says: /TIEOUT_TIMEZONE is Europe\/Madrid/,
  },
  'another currency than the books': {
    args: ['normalize'],
    env: { TIEOUT_CURRENCY: 'USD' },
    exit: 64,
    says: /TIEOUT_CURRENCY is USD, but the books/,
  },
  'an impossible month': { args: [...EXPORT, '2026-13'], exit: 64, says: /there is no month 13/ },
  'a period that is no period': { args: [...EXPORT, 'october'], exit: 64, says: /october/ },
  'a folder that cannot be': {
    args: ['export', '--period', '2026-10', '--out', '/dev/null/out'],
    exit: 64,
    says: /\/dev\/null\/out/,
  },
  'a folder with the files of somebody else': {
    args: ['export', '--period', '2026-10', '--out', join(folder, 'foreign')],
    exit: 64,
    says: /contains files that no export wrote/,
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
    args: [...EXPORT, '2026-10', '--entity', 'nobody'],
    exit: 64,
    says: /no books of nobody/,
  },
  'nothing to erase': {
    args: ERASE,
    exit: 64,
    says: /write one of --person, --expired, --hold, --release, --list/,
  },
  'two things to erase': {
    args: [...ERASE, '--expired', '--person', 'x'],
    exit: 64,
    says: /write one of --person/,
  },
  'a person without a name': {
    args: [...ERASE, '--person', ' '],
    exit: 64,
    says: /is blank: write the full text/,
  },
  'a person told in the reason': {
    args: ['erase', '--person', 'Ada', '--by', 'Ana', '--reason', 'ADA asked'],
    exit: 64,
    says: /use a case number/,
  },
  'an erasure that nobody decided': {
    args: ['erase', '--expired', '--reason', 'age'],
    exit: 64,
    says: /write --by NAME: your name/,
  },
  'an erasure for no reason': {
    args: ['erase', '--expired', '--by', 'Ana', '--reason', ' '],
    exit: 64,
    says: /write --reason TEXT: reason/,
  },
  'a dry run of a hold': { args: [...ERASE, '--hold', 'x', '--dry-run'], exit: 64, says: /not with --hold/ },
  'a hold that is none': {
    args: [...ERASE, '--release', 'abc'],
    exit: 64,
    says: /no hold abc to release: npx tieout erase --list/,
  },
  'an unknown entity, to erase': {
    args: [...ERASE, '--expired', '--entity', 'nobody'],
    exit: 64,
    says: /no books of entity nobody/,
  },
  'a retention that is none': {
    args: ['erase', '--list'],
    env: { TIEOUT_RETENTION_YEARS: '101' },
    exit: 64,
    says: /TIEOUT_RETENTION_YEARS is "101": write a whole number from 0 to 100/,
    lines: 2,
  },
  'a statement that is not there': {
    args: [...CONFIRM, '--file', '/no/such'],
    exit: 64,
    says: /--file \/no\/such: the file cannot be read \(ENOENT\)/,
  },
  'a statement that is none': {
    args: [...CONFIRM, '--file', process.execPath],
    exit: 64,
    says: /node: (the file is larger than 10 MB|is not UTF-8)/,
  },
  'evidence that is a folder': {
    args: [...CONFIRM, '--file', EMPTY, '--evidence', folder],
    exit: 64,
    says: /--evidence .*: the file is a folder, not a plain file/,
  },
  'an empty statement': {
    args: [...CONFIRM, '--file', EMPTY],
    exit: 64,
    says: /^tieout: empty\.csv: is empty/,
  },
  'a day that is none': {
    args: ['confirm', '--by', 'Ana', '--file', 'x', '--as-of', '2026-02-30'],
    exit: 64,
    says: /no day 2026-02-30/,
  },
  'an instant that is none': {
    args: ['confirm', '--by', 'Ana', '--file', 'x', '--as-of', 'today'],
    exit: 64,
    says: /--as-of today: write an instant/,
  },
  'a statement of the future': {
    args: ['confirm', '--by', 'Ana', '--file', 'x', '--as-of', '2999-01-01'],
    exit: 64,
    says: /is in the future/,
  },
  'an unknown entity, to confirm': {
    args: [...CONFIRM, '--file', EMPTY, '--entity', 'nobody'],
    exit: 64,
    says: /no books of entity nobody/,
  },
  'a webhook without settings': {
    args: ['serve'],
    exit: 64,
    says: /2 mistakes .*\n {2}TIEOUT_WEBHOOK_KEY is not set: .*\n {2}TIEOUT_WEBHOOK_ANSWER is not set: write authorize, refuse or limits/,
    lines: 3,
  },
  'a webhook whose limits are no file': {
    args: ['serve'],
    env: { ...WEBHOOK, TIEOUT_WEBHOOK_ANSWER: 'limits', TIEOUT_WEBHOOK_LIMITS: 'none.csv' },
    exit: 64,
    says: /none\.csv: /,
  },
  'a path that is none': {
    args: ['serve', '--path', 'authorize'],
    env: WEBHOOK,
    exit: 64,
    says: /--path authorize: write a path such as \/v1\/\{vendor\}\/transaction\/authorize/,
  },
  'a host of others': {
    args: ['serve', '--host', '192.0.2.1'],
    env: WEBHOOK,
    exit: 2,
    says: /192\.0\.2\.1 port 0 cannot be used \(EADDRNOTAVAIL\): choose another with --host and --port/,
  },
  'two values of an option that takes one': {
    args: ['erase', '--person', 'Luz', '--dry-run', '--person', 'Ana'],
    exit: 64,
    says: /--person is given more than once: write it once, and run once for each value/,
  },
  'two choices of an option that takes one': {
    args: ['query', '--set', 'a=1', '--format', 'csv', '--set', 'b=2', '--format', 'json', 'select 1'],
    exit: 64,
    says: /--format is given more than once/,
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
    says: /--port is "65536": write a whole number/,
  },
  'a scope that is none': {
    args: ['sandbox', '--scopes', 'read,write'],
    exit: 64,
    says: /--scopes write: choose from read, trade, withdraw/,
  },
  'a webhook that is no URL': {
    args: ['sandbox', '--webhook', 'ftp://host'],
    exit: 64,
    says: /--webhook ftp:\/\/host: write a URL like/,
  },
};
