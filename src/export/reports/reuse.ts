// What an export takes over from an earlier one, because nothing that it shows has changed.
import type { ManifestFile } from './manifest.ts';

export type Reuse = {
  /** The folder of the earlier export. */
  readonly dir: string;
  /** The manifest entry of a file that stays as it is; null if it must be written. */
  readonly file: (name: string) => ManifestFile | null;
  /** Rows that take long to read: those of the earlier export, or else read now. Values of JSON. */
  readonly fact: <T>(name: string, read: () => Promise<T>) => Promise<T>;
};

/** An export that takes over nothing. */
export const NO_REUSE: Reuse = { dir: '', file: () => null, fact: (_, read) => read() };
