// Text in the encodings that show themselves: UTF-8, and UTF-16 with its mark, which spreadsheets write as "Unicode text".

type UnicodeText = { readonly text: string; readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' };

/**
 * The text of bytes without a byte order mark; null if they are in another encoding. `refuse` is called, and throws, if they
 * are marked as UTF-16 and are not.
 */
export const unicodeText = (bytes: Uint8Array, refuse: (why: string) => never): UnicodeText | null => {
  const marked = markedEncoding(bytes);
  const encoding = marked ?? 'utf-8';
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), encoding };
  } catch {
    if (marked === null) return null;
    return refuse('begins as UTF-16 and is not complete: it was cut off, so save or download it again');
  }
};

const markedEncoding = ([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | null => {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
};
