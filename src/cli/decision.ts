// Decisions of people: who decided and why, as every command that changes what stands asks for them.
import { UsageError } from '../base/errors.ts';

export type DecisionOptions = { readonly by?: string; readonly reason?: string };
export type Decision = { readonly by: string; readonly reason: string };

/** Who and why. Throws a UsageError where one of the two is missing or blank. */
export const decisionOf = (options: DecisionOptions): Decision => ({
  by: said(options.by, '--by NAME: your name, kept in the audit trail'),
  reason: said(options.reason, '--reason TEXT: reason, kept in the audit trail'),
});

/** What an option says, without blanks around it. Throws a UsageError where that is nothing. */
export const said = (text: string | undefined, wanted: string): string => {
  const given = text?.trim() ?? '';
  if (given === '') throw new UsageError(`write ${wanted}`);
  return given;
};
