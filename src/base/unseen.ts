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
