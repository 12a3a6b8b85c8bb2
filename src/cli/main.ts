#!/usr/bin/env node
// The program that a shell starts: what was typed, run to its end.
import { run } from './program.ts';

/** A reader that has seen enough (`| head`) closes the pipe: what we do goes on to its end, unread. */
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

await run(process.argv.slice(2));
