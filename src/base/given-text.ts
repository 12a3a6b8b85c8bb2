// Text that a person gives, in an option or in a file: it stays in pages, seals and logs, which people read.
import { UsageError } from './errors.ts';

const LENGTH_MAX = 2_000;

/** The text, `subject` says whose. Throws a UsageError if it is longer than people read. */
export const givenText = (subject: string, text: string): string => {
  if (text.length > LENGTH_MAX)
    throw new UsageError(
      `${subject} has ${text.length} characters: write at most ${LENGTH_MAX}, and the rest in a document of your own`,
    );
  return text;
};
