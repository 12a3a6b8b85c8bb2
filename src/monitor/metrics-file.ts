// The metrics as a text file, for the textfile collector of node_exporter.
import { open, rename, rm } from 'node:fs/promises';

/** Others read it: the collector runs as a user of its own. */
const MODE = 0o644;

/** Writes the file whole or not at all: a collector never reads half of it. */
export const writeMetricsFile = async (file: string, text: string): Promise<void> => {
  const next = `${file}.${process.pid}`;
  await rm(next, { force: true }); // left by a process that was killed
  const written = await open(next, 'wx', MODE);
  try {
    await written.writeFile(text);
  } finally {
    await written.close();
  }
  await rename(next, file);
};
