// Windows-1252, which DATEV and most banks write. Some releases of Node decode it as Latin-1: € and … become invisible controls.

/** The characters of the bytes 80 to 9F in hex, by the Encoding Standard; all other bytes are their own character. */
const HIGH = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const FIRST = 0x80;

/** Every byte is a character. */
export const cp1252Text = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('latin1')
    .replaceAll(/[\u0080-\u009f]/g, (control) => HIGH[control.charCodeAt(0) - FIRST] ?? control);

const BYTES = new Map(
  Array.from(
    cp1252Text(Uint8Array.from({ length: 256 }, (_, byte) => byte)),
    (character, byte) => [character, byte] as const,
  ),
);
const QUESTION_MARK = 63;
const ASCII = /^[\r\n -~]*$/;

/** A character that it does not have becomes a question mark. */
export const cp1252Bytes = (text: string): Buffer =>
  ASCII.test(text)
    ? Buffer.from(text, 'latin1')
    : Buffer.from(Array.from(text, (character) => BYTES.get(character) ?? QUESTION_MARK));
