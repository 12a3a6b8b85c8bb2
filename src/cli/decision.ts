// Decisions of people: who decided and why, as every command that changes what stands asks for them.
import { UsageError } from '../base/errors.ts';

export type DecisionOptions = { readonly by?: string; readonly reason?: string };
export type Decision = { readonly by: string; readonly reason: string };

/** Who and why. Throws a UsageError where one of the two is missing or blank. */
export const decisionOf = (options: DecisionOptions): Decision => ({
  by: requiredText(options.by, '--by NAME: your name, kept in the audit trail'),
  reason: requiredText(options.reason, '--reason TEXT: reason, kept in the audit trail'),
});

/** What an option says, without blanks around it. Throws a UsageError where that is nothing. */
export const requiredText = (text: string | undefined, wanted: string): string => {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') throw new UsageError(`write ${wanted}`);
  return trimmed;
};
