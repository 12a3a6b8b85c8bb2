// The mark that keeps the embedded server running after the last process that uses it: a file beside its data.
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeNew } from '../base/ownership.ts';

const markOf = (own: string): string => join(own, 'held');

/** Whether the server stays when its last user leaves. */
export const isHeld = (own: string): boolean => existsSync(markOf(own));

/** Writes the mark, if it is not there. */
export const holdOpen = async (own: string): Promise<void> => {
  if (!isHeld(own))
    await writeNew(markOf(own), 'npx tieout db stop removes this file and stops the server\n');
};

/** Removes the mark: the last process out stops the server again. */
export const dropHold = (own: string): Promise<void> => rm(markOf(own), { force: true });
