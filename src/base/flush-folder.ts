// Flushes a folder, so that the names of new files survive a loss of power.
import { open } from 'node:fs/promises';

/** A rename is on disk only after its parent folder is flushed. Windows has no such call. */
export const flushFolder = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
};
