// Marks: commitments to what may be a reference in a line, so that lines pair with records by reference although the text itself is
// personal and stored apart.
import { commitmentOf } from '../privacy/people.ts';
import type { ExternalLine } from './statement.ts';

/** Shorter texts, and those without a digit, are words and no references. */
const LENGTH_MIN = 6;

/** At most this many references of one line, the first ones: a limit on rows. */
const MARKS_MAX = 100;

/** A reference in comparable form: its letters and digits, in capitals. */
const referenceKey = (text: string): string => text.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

const isReference = (key: string): boolean => key.length >= LENGTH_MIN && /\p{N}/u.test(key);

/** The pieces of a free text: banks cut it into lines, and number the pieces with codes such as `?20`. */
const piecesOf = (note: string): string[] => note.split(/\n(?:\?\d\d)?|\?\d\d/);

/** A reference may be cut into as many pieces. */
const PIECES_MAX = 3;

/**
 * The texts of a line that may be references: each that the bank names, each word of the free text, and the words that two or three
 * pieces make together, because banks cut them anywhere.
 */
const candidatesOf = ({ references, note }: ExternalLine): string[] => {
  const pieces = piecesOf(note);
  const joined = [1, 2, PIECES_MAX].flatMap((count) =>
    pieces.map((_, index) => pieces.slice(index, index + count).join('')),
  );
  const words = [...references, ...joined].flatMap((text) => text.split(/[\s/:+,;]+/));
  return [...new Set([...references, ...words].map(referenceKey).filter(isReference))].slice(0, MARKS_MAX);
};

export const markOf = (reference: string, key: Buffer): string =>
  commitmentOf(`reference ${referenceKey(reference)}`, key);

/** Two kinds of marks: of each candidate, and of the texts as written, which is how a record's concept is stored. */
export const marksOf = (line: ExternalLine, key: Buffer): string[] => {
  const written = [line.note, ...piecesOf(line.note), ...line.references].map((text) => text.trim());
  const texts = [...new Set(written)].filter((text) => text.length >= LENGTH_MIN).slice(0, MARKS_MAX);
  return [
    ...candidatesOf(line).map((candidate) => markOf(candidate, key)),
    ...texts.map((text) => commitmentOf(text, key)),
  ];
};
