// A process that uses the embedded server of a home: prints its URL, waits until its input ends, then closes it.
import { openServer } from '../dist/src/postgres/postgres.js';

const server = await openServer(process.argv[2] ?? '', { settings: { fsync: 'off' } });
process.stdout.write(`${server.url}\n`);
for await (const _ of process.stdin);
await server.release();
