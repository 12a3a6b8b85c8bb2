// Text from outside that becomes part of a key. An index of the database refuses a row of more than 2,704 bytes, and the rows beside it.
import { sha256, storable } from './json.ts';

/** The most characters of an id of a record, which may be beside other text in a key. */
export const ID_MAX = 512;
/** The same for what stands beside an id: a currency, or the path of a field. */
const BESIDE_ID_MAX = 100;

/** Text that a key can hold: of a longer one its beginning and its digest, so that different texts stay different. */
export const keyText = (text: string, max = BESIDE_ID_MAX): string => {
  const stored = storable(text);
  if (stored.length <= max) return stored;
  const digest = sha256(stored);
  return `${storable(stored.slice(0, max - digest.length - 1))}…${digest}`;
};
