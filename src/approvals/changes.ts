// Changes: proposals that book no entry but affect money or tax. Each is stored whole, with every value as text, so that
// another person approves exactly what was prepared.
import type { Selectable } from 'kysely';
import { counted } from '../base/counted.ts';
import type { DecideCounterpartyRules } from '../database/db-types.ts';
import type { RatesText } from '../land/official.ts';
import type { AssetClass, ChartLine } from './chart.ts';
import type { Label } from './label-file.ts';
import type { Profile } from './profile.ts';

/** A break accepted for one month, at its difference as of the month's end. */
export type WaiverChange = {
  readonly action: 'waive';
  readonly description: string;
  readonly period: string;
  readonly break_id: string;
  readonly difference: string | null;
};

/** A rejected version that need not be booked. */
export type DismissalChange = {
  readonly action: 'dismiss';
  readonly description: string;
  readonly stream: string;
  readonly record_id: string;
  readonly version: string;
};

/** Lots from a file: currency, units, cost, currency of the cost, day, line. */
export type LotsChange = {
  readonly action: 'lots';
  readonly description: string;
  readonly file_name: string;
  readonly file_sha256: string;
  readonly lots: readonly (readonly [string, string, string, string, string, string])[];
  /** Lots that equal stored ones are added too. */
  readonly allows_equal?: 'yes';
};

/** Lots that disposals use, from a file: stream, record, currency, lot, units, line; replaces their choice `base`. */
export type LotChoiceChange = {
  readonly action: 'choose';
  readonly description: string;
  readonly base: string;
  readonly file_name: string;
  readonly file_sha256: string;
  readonly choices: readonly (readonly [string, string, string, string, string, string])[];
};

/** A rule in a form that may be shown: a bank account is masked and matched by its commitments. */
type RuleText = Omit<Selectable<DecideCounterpartyRules>, 'version' | 'position' | 'line'> & {
  readonly line: string;
};

/** Rules that replace those of version `base`; accounts are entity, line, commitment. */
export type CounterpartiesChange = {
  readonly action: 'counterparties';
  readonly description: string;
  readonly base: string;
  readonly file_name: string;
  readonly rules: readonly RuleText[];
  readonly accounts: readonly (readonly [string, string, string])[];
};

/** Rates from a file, based on file `base`: one day per line, such as `2026-10-01 USD 1.17 JPY 175.2`. */
type RatesChange = RatesText & { readonly action: 'rates'; readonly description: string };

/** Whole profiles, each replacing the one of version `base`. */
export type ProfilesChange = {
  readonly action: 'profiles';
  readonly description: string;
  readonly wanted: readonly { readonly entity: string; readonly base: string; readonly profile: Profile }[];
};

/** A whole chart of accounts, the version after `base`; `for_entity` null: for all entities without one of their own. */
export type ChartChange = {
  readonly action: 'chart';
  readonly description: string;
  readonly base: string;
  readonly for_entity: string | null;
  readonly chart: string;
  readonly from_month: string;
  readonly lines: readonly ChartLine[];
  readonly classes: readonly AssetClass[];
};

/** Labels that replace those of version `base` as a whole. */
export type LabelsChange = {
  readonly action: 'labels';
  readonly description: string;
  readonly base: string;
  readonly file_name: string;
  readonly labels: readonly Label[];
};

/** The limit on the value of waived breaks and value findings of one entity's month; replaces version `base`. */
export type BudgetChange = {
  readonly action: 'budget';
  readonly description: string;
  readonly base: string;
  readonly ceiling: string;
};

/** The number of value findings accepted for the close of a month, after `base` acceptances of that month. */
export type AcceptanceChange = {
  readonly action: 'accept';
  readonly description: string;
  readonly base: string;
  readonly period: string;
  readonly findings_max: string;
};

export type Change =
  | WaiverChange
  | DismissalChange
  | LotsChange
  | LotChoiceChange
  | CounterpartiesChange
  | RatesChange
  | ProfilesChange
  | ChartChange
  | LabelsChange
  | BudgetChange
  | AcceptanceChange;

const LINES_MAX = 40;

/** The lines that describe a change to its approver; a long list ends with the number of further lines. */
export const linesOf = (change: Change): string[] => {
  const lines = allLines(change);
  const more = lines.length - LINES_MAX;
  return more > 0
    ? [...lines.slice(0, LINES_MAX), `and ${counted(more, 'more line')}, in books.proposals`]
    : lines;
};

const allLines = (change: Change): string[] => {
  if (change.action === 'lots') return change.lots.map((lot) => lot.slice(0, 5).join(' '));
  if (change.action === 'choose')
    return change.choices.map(
      ([stream, record, currency, lot, units]) =>
        `${stream} ${record} uses ${units} ${currency} of lot ${lot}`,
    );
  if (change.action === 'counterparties')
    return change.rules.map((rule) => Object.entries(rule).flatMap(fieldText).join(', '));
  if (change.action === 'rates') return [...change.days];
  if (change.action === 'profiles')
    return change.wanted.map(({ entity, profile }) =>
      [entity, ...Object.entries(profile).map(([name, value]) => `${name} ${value ?? 'empty'}`)].join(', '),
    );
  if (change.action === 'chart') return [...change.lines, ...change.classes].map(filledCells);
  if (change.action === 'labels')
    return change.labels.map(({ kind, id, label }) => `${kind} ${id}: ${label}`);
  return [];
};

const fieldText = ([name, value]: [string, string | null]): string[] =>
  value === null ? [] : [`${name} ${value}`];

const filledCells = (line: Readonly<Record<string, string>>): string =>
  Object.values(line).filter(Boolean).join(', ');
