// Mistakes in the actions of people, with the message for each.
import { join } from 'node:path';
import type { Mistake } from './mistake.ts';
import { folder } from './tieout.ts';

const SAID = ['--by', 'Ada', '--reason', 'why'];
const LEG = ['--leg', 'assets:trading <- equity:opening 1 EUR'];
const SHOWN = ['--evidence', process.execPath];
const ADJUST = ['adjust', ...SAID, ...LEG, ...SHOWN, '--at'];

/** Mistakes in the actions of people. */
export const DECISIONS: Readonly<Record<string, Mistake>> = {
  'an adjustment without a name': { args: ['adjust', ...LEG], exit: 64, says: /'--by <name>' not specified/ },
  'an adjustment by nobody': {
    args: ['adjust', ...LEG, ...SHOWN, '--at', '2026-10-31', '--by', ' ', '--reason', 'why'],
    exit: 64,
    says: /--by is empty/,
  },
  'a name in two lines': {
    args: ['adjust', ...LEG, ...SHOWN, '--at', '2026-10-31', '--by', 'Ada\nGrace', '--reason', 'why'],
    exit: 64,
    says: /--by contains invisible characters: write the name on one line/,
  },
  'a name that reads backwards': {
    args: ['erase', '--person', 'x', '--by', 'Ada\u202e', '--reason', 'why'],
    exit: 64,
    says: /--by contains invisible characters/,
  },
  'a name without end': {
    args: ['approve', '2026-10', '--by', 'A'.repeat(121)],
    exit: 64,
    says: /--by has 121 characters: a name has at most 120/,
  },
  'a longer name than any other text may be': {
    args: ['approve', '2026-10', '--by', 'A'.repeat(3_000)],
    exit: 64,
    says: /--by has 3000 characters: a name has at most 120/,
  },
  ...Object.fromEntries(
    [
      ['adjust', ...LEG, ...SHOWN, '--at', '2026-10-31'],
      ['breaks', 'assign', '000000000000', '--to', 'Ben'],
      ['approve', '000000000000', '--refuse'],
      ['duties', 'one-person'],
      ['close', '2026-10', '--early'],
      ['reopen', '2026-10'],
      ['erase', '--expired'],
    ].map((args) => [
      `a reason without end for ${args[0]}`,
      {
        args: [...args, '--by', 'Ada', '--reason', 'x'.repeat(2_001)],
        exit: 64,
        says: /--reason has 2001 characters: write at most 2000/,
      },
    ]),
  ),
  'a task for a person with a name without end': {
    args: ['breaks', 'assign', '000000000000', ...SAID, '--to', 'B'.repeat(2_001)],
    exit: 64,
    says: /--to has 2001 characters: write at most 2000/,
  },
  'a waiver for a month that has not begun': {
    args: ['breaks', 'waive', '000000000000', ...SAID, '--period', '2199-10'],
    exit: 64,
    says: /2199-10 begins at 2199-\S+: nothing can be accepted in a month before that/,
  },
  'findings of a month that has not begun': {
    args: ['values', 'accept', '2199-10', ...SAID, '--limit', '1'],
    exit: 64,
    says: /2199-10 begins at 2199-\S+: nothing can be accepted in a month before that/,
  },
  'an adjustment of nothing': { args: ['adjust', ...SAID], exit: 64, says: /an entry needs --leg/ },
  'an adjustment of an unknown account': {
    args: ['adjust', ...SAID, '--leg', 'assets:vault <- equity:opening 1 EUR'],
    exit: 64,
    says: /there is no account assets:vault; there are assets:trading/,
  },
  'an adjustment at no time': { args: ['adjust', ...SAID, ...LEG], exit: 64, says: /needs --at/ },
  'an adjustment at an impossible time': {
    args: [...ADJUST, '2026-02-31'],
    exit: 64,
    says: /--at is "2026-02-31": write a day/,
  },
  'an adjustment of the future': { args: [...ADJUST, '2999-01-01'], exit: 64, says: /is in the future/ },
  'an adjustment with nothing to show': {
    args: ['adjust', ...SAID, ...LEG, '--at', '2026-10-31'],
    exit: 64,
    says: /needs --evidence FILE/,
  },
  'evidence that is not there': {
    args: ['adjust', ...SAID, ...LEG, '--at', '2026-10-31', '--evidence', '/no/such'],
    exit: 64,
    says: /\/no\/such: cannot be read \(ENOENT\): check its path/,
  },
  'an adjustment of an unknown entity': {
    args: [...ADJUST, '2026-10-31', '--entity', 'nobody'],
    exit: 64,
    says: /no books of entity nobody/,
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
    exit: 64,
    says: /assets:pocket:x was never listed for main/,
  },
  'a reversal of no entry': {
    args: ['adjust', ...SAID, '--reverse', 'x'],
    exit: 64,
    says: /entry x was not entered by a person/,
  },
  'a reversal with legs': {
    args: ['adjust', ...SAID, ...LEG, '--reverse', 'x'],
    exit: 64,
    says: /--reverse reverses a whole entry/,
  },
  'an opening from no file': {
    args: ['open', ...SAID, ...SHOWN, '--file', '/no/such.csv'],
    exit: 64,
    says: /\/no\/such\.csv: cannot be read \(ENOENT\)/,
  },
  'an opening from a file that is none': {
    args: ['open', ...SAID, ...SHOWN, '--file', join(folder, 'foreign', 'notes.txt')],
    exit: 64,
    says: /notes\.txt: line 1 names mine: its first line must be account,currency,units/,
  },
  'a record that is not rejected, to settle': {
    args: ['rejects', 'settle', 'movements', 'x', ...SAID, ...LEG, ...SHOWN],
    exit: 64,
    says: /movements x is not a rejected record/,
  },
  'a record that is not rejected, to dismiss': {
    args: ['rejects', 'dismiss', 'movements', 'x', ...SAID],
    exit: 64,
    says: /movements x is not a rejected record/,
  },
  'a break that is not there': {
    args: ['breaks', 'waive', '000000000000', ...SAID, '--period', '2026-10'],
    exit: 64,
    says: /no break 000000000000/,
  },
  'a break of no name, to show': {
    args: ['breaks', 'show', ''],
    exit: 64,
    says: /^tieout: the argument break is empty: write a value/,
  },
  'a break to nobody': {
    args: ['breaks', 'assign', '000000000000', ...SAID, '--to', ' '],
    exit: 64,
    says: /--to is empty: write a value/,
  },
  'a break without whom': {
    args: ['breaks', 'assign', '000000000000', ...SAID],
    exit: 64,
    says: /'--to <name>' not specified/,
  },
  'an explanation without a reason': {
    args: ['breaks', 'explain', '000000000000', '--by', 'Ada'],
    exit: 64,
    says: /'--reason <text>' not specified/,
  },
  'an explanation by a record of no stream': {
    args: ['breaks', 'explain', '000000000000', ...SAID, '--record', 'tides:1'],
    exit: 64,
    says: /--record tides:1: write stream:id, where the stream is movements, trades/,
  },
  'a break that is not there, to resolve': {
    args: ['breaks', 'resolve', 'ffff', ...SAID],
    exit: 64,
    says: /no break ffff/,
  },
  'breaks of an unknown entity': {
    args: ['breaks', 'show', '0', '--entity', 'nobody'],
    exit: 64,
    says: /no books of entity nobody/,
  },
  'a waiver for a quarter': {
    args: ['breaks', 'waive', '000000000000', ...SAID, '--period', '2026-Q4'],
    exit: 64,
    says: /"2026-Q4" is not a month/,
  },
  'an approval of a thirteenth month': {
    args: ['approve', '2026-13', '--by', 'Grace'],
    exit: 64,
    says: /there is no month 13/,
  },
  'a reopening of a thirteenth month': {
    args: ['reopen', '2026-13', '--by', 'Grace', '--reason', 'so'],
    exit: 64,
    says: /there is no month 13/,
  },
  'an approval of something else': {
    args: ['approve', 'everything', '--by', 'Grace'],
    exit: 64,
    says: /neither the id of a proposal \(twelve hex digits\) nor a month/,
  },
  'an approval by nobody': { args: ['approve', '0123456789ab'], exit: 64, says: /approve needs --by NAME/ },
  'an approval of all at once': {
    args: ['approve', '--by', 'Grace'],
    exit: 64,
    says: /need a proposal id or a month/,
  },
  'an approval of what nobody proposed': {
    args: ['approve', '0123456789ab', '--by', 'Grace'],
    exit: 64,
    says: /no proposal 0123456789ab/,
  },
  'an approval of a month that is open': {
    args: ['approve', '2026-10', '--by', 'Grace'],
    exit: 64,
    says: /2026-10 of \S+ is not closed/,
  },
  'a refusal without a reason': {
    args: ['approve', '0123456789ab', '--by', 'Grace', '--refuse'],
    exit: 64,
    says: /--refuse needs a --reason/,
  },
  'a refusal of a month': {
    args: ['approve', '2026-10', '--by', 'Grace', '--refuse'],
    exit: 64,
    says: /a closed month cannot be refused: reopen it with npx tieout reopen/,
  },
  'a profile of nobody': {
    args: ['entities', 'set', 'nobody', '--owner', 'own', '--by', 'Ada'],
    exit: 64,
    says: /no books of entity nobody, and the gateway lists none such: check its id/,
  },
  'a profile that says nothing': {
    args: ['entities', 'set', 'main', '--by', 'Ada'],
    exit: 64,
    says: /nothing to set: write --legal-name, --tax-id, --taxpayer, --owner/,
  },
  'a profile with another currency': {
    args: ['entities', 'set', 'main', '--currency', 'USD', '--by', 'Ada'],
    exit: 64,
    says: /the currency of main is EUR since its first entry: it cannot become USD/,
  },
  'a file of profiles that is not there': {
    args: ['entities', 'import', '/no/such', '--by', 'Ada'],
    exit: 64,
    says: /\/no\/such: cannot be read \(ENOENT\): check its path/,
  },
  'a file of counterparties that is not there': {
    args: ['counterparties', 'import', '/no/such', '--by', 'Ada'],
    exit: 64,
    says: /\/no\/such: cannot be read \(ENOENT\): check its path/,
  },
  'a chart of accounts that is not there': {
    args: ['chart', 'import', '/no/such', '--by', 'Ada'],
    exit: 64,
    says: /\/no\/such: cannot be read \(ENOENT\): check its path/,
  },
  'a chart of accounts that does not come with the program': {
    args: ['chart', 'use', 'skr99', '--by', 'Ada'],
    exit: 64,
    says: /no chart of accounts skr99 comes with the program: write ifrs, pgc, skr03, skr04, or import a file/,
  },
  'a chart of accounts from the middle of a year': {
    args: ['chart', 'use', 'pgc', '--from', '2027-05', '--by', 'Ada'],
    exit: 64,
    says: /2027-05 is not one: write a month such as 2027-01/,
  },
  'a chart of accounts from no month': {
    args: ['chart', 'use', 'pgc', '--from', 'May', '--by', 'Ada'],
    exit: 64,
    says: /--from May: write a month, such as 2027-01/,
  },
  'a version of the chart of accounts that is not there': {
    args: ['chart', 'show', '7'],
    exit: 64,
    says: /no chart of accounts 7: write ifrs, pgc, skr03, skr04, or the version/,
  },
  'accounts of an unknown entity': {
    args: ['chart', 'accounts', '--entity', 'nobody'],
    exit: 64,
    says: /no books of entity nobody/,
  },
  'a file of labels that is not there': {
    args: ['labels', 'import', '/no/such', '--by', 'Ada'],
    exit: 64,
    says: /\/no\/such: cannot be read \(ENOENT\): check its path/,
  },
  'counterparties of an unknown entity': {
    args: ['counterparties', 'list', '--entity', 'nobody'],
    exit: 64,
    says: /no books of entity nobody/,
  },
};
