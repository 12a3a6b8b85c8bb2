// Attribution: the name and the reason that every command of a person takes.
import { UsageError } from '../base/errors.ts';
import { givenText } from '../base/given-text.ts';

type AttributionOptions = { readonly by?: string; readonly reason?: string };
export type Attribution = { readonly by: string; readonly reason: string };

/** Name and reason. Throws a UsageError if one of them is missing or blank. */
export const attributionOf = (options: AttributionOptions): Attribution => ({
  by: requiredText(options.by, '--by NAME: your name, kept in the audit trail'),
  reason: requiredText(options.reason, '--reason TEXT: reason, kept in the audit trail'),
});

/** The text of an option, trimmed. Throws a UsageError if it is missing or blank. */
export const requiredText = (text: string | undefined, wanted: string): string => {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') throw new UsageError(`write ${wanted}`);
  return givenText(wanted.split(' ')[0] ?? wanted, trimmed);
};
