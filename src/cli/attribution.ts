// Attribution: the name and the reason that every command of a person takes.
import { UsageError } from '../base/errors.ts';

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
  return typed(wanted.split(' ')[0] ?? wanted, trimmed);
};

const TEXT_LENGTH_MAX = 2_000;

/** A text that a person typed and that stays in pages, seals and logs. Throws a UsageError if it is longer than people read. */
export const typed = (option: string, text: string): string => {
  if (text.length > TEXT_LENGTH_MAX)
    throw new UsageError(
      `${option} has ${text.length} characters: write at most ${TEXT_LENGTH_MAX}, and the rest in a document of your own`,
    );
  return text;
};
