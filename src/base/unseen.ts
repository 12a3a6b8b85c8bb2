// Characters that a reader does not see, or that turn the direction of the text after them.

/**
 * Controls except line breaks and tabs, formats (bidi, joiners), lone surrogates, separators, what is no character, and the fillers of
 * Korean, which are letters without a form.
 */
const UNSEEN =
  /(?![\n\r\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\u115f\u1160\u3164\uffa0]/gu;

/** Text in which every such character is shown by its code. */
export const withCodes = (text: string): string => text.replace(UNSEEN, (char) => `⟨U+${codeOf(char)}⟩`);

const codeOf = (char: string): string =>
  (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');

/** Characters that end a line, move the cursor, or change the reading direction: they can make a text look like another. */
const MOVING = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Whether a text is one line that reads as it is written. */
export const isOneLine = (text: string): boolean => !MOVING.test(text);
