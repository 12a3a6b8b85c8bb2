// What memory a process may take, as settings of V8. Both trade processor time for memory.
import { setFlagsFromString } from 'node:v8';

/** Garbage is collected once the heap has grown by a fifth; by default it doubles, so that memory grows with the length of a file. */
export const collectOften = (): void => setFlagsFromString('--heap-growing-percent=20');

/** The part of the heap for new objects stays as large as it is by now; by default it doubles up to 48 MB with what passes through. */
export const keepNewSpace = (): void => setFlagsFromString('--semi-space-growth-factor=1');
