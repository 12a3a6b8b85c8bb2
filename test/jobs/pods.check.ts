// The Kubernetes manifests, container by container, as a cluster starts them: in a home that is made as the manifest says,
// as its user, with an empty database. No engine runs here: a volume is a folder that everybody may write in.
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseYaml } from '@redocly/openapi-core';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { weAreRoot } from '../../src/base/ownership.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { main } from '../cli/tieout.ts';
import { QUICK } from '../database.ts';
import { gatewayEnv } from '../gateway-env.ts';
import { hasOldest, startOldest } from '../oldest-start.ts';
import { newFolder } from '../room.ts';
import { textOf } from '../tidy/source.ts';
import { WORLD } from './stage.ts';

type Container = {
  readonly name: string;
  readonly args?: readonly string[];
  readonly command?: readonly string[];
  readonly securityContext?: { readonly runAsUser?: number };
  readonly volumeMounts?: readonly { readonly mountPath: string }[];
  readonly livenessProbe?: object;
  readonly readinessProbe?: object;
};
type Pod = {
  readonly securityContext: { readonly runAsUser: number; readonly runAsGroup: number };
  readonly initContainers: readonly Container[];
  readonly containers: readonly [Container];
};
type Template = { readonly spec: { readonly template: { readonly spec: Pod } } };

/** TIEOUT_HOME of the image. */
const HOME = '/var/lib/tieout';
const USER = 1000;

const podOf = (name: string): Pod => {
  const { spec } = parseYaml(textOf(`jobs/deploy/${name}`)) as {
    readonly spec: Template['spec'] & { readonly jobTemplate?: Template };
  };
  return (spec.jobTemplate?.spec ?? spec).template.spec;
};

const isMounted = ({ containers: [{ volumeMounts = [] }] }: Pod): boolean =>
  volumeMounts.some(({ mountPath }) => HOME.startsWith(mountPath));

/** A folder that every user may enter. */
const passable = (): string => {
  const folder = newFolder();
  for (const path of [dirname(folder), folder]) chmodSync(path, 0o755);
  return folder;
};

/** The home before the first container: a volume as the kubelet or a careless provisioner makes it, or the image's folder. */
const makeHome = (pod: Pod, mode: number): string => {
  const home = join(passable(), 'home');
  mkdirSync(home);
  if (isMounted(pod)) {
    chownSync(home, 0, USER);
    chmodSync(home, mode);
  } else execFileSync('install', ['-d', '-o', String(USER), '-g', String(USER), '-m', '0700', home]);
  return home;
};

/** The words that start a container, under its user. */
const wordsOf = ({ args = [], command, securityContext }: Container, home: string): string[] => {
  const words = command ?? [process.execPath, main(), ...args];
  const user = securityContext?.runAsUser ?? USER;
  const as = ['--reuid', String(user), '--regid', String(user), '--clear-groups'];
  return ['setpriv', ...as, ...words.map((word) => (word === '9464' ? '0' : word.replace(HOME, home)))];
};

const start = (container: Container, home: string, env: Readonly<Record<string, string>>) => {
  const [file = '', ...args] = wordsOf(container, home);
  return execa(file, args, { cwd: '/', env: { ...env, TIEOUT_HOME: home }, reject: false, timeout: 200_000 });
};

/** An empty database that the user of the containers can reach, and a gateway. */
const environment = async (): Promise<Record<string, string>> => {
  const folder = newFolder();
  const [server, sandbox] = [await startOldest(folder, QUICK), await startSandbox(WORLD)];
  for (const path of [folder, join(folder, 'socket')]) chmodSync(path, 0o755);
  onTestFinished(async () => {
    await sandbox.close();
    await server.end();
  });
  return {
    DATABASE_URL: server.url,
    ...gatewayEnv(sandbox),
  };
};

test.skipIf(!weAreRoot() || !hasOldest()).each([
  ['cronjob.yml', 0o2777],
  ['cronjob.yml', 0o777],
  ['worker.yml', 0o2777],
] as const)('%s starts (mode of its volumes: %i)', async (name, mode) => {
  const pod = podOf(name);
  expect(pod.securityContext).toMatchObject({ runAsUser: USER, runAsGroup: USER });
  const [home, env] = [makeHome(pod, mode), await environment()];
  for (const container of pod.initContainers) {
    const { exitCode, stderr } = await start(container, home, env);
    expect([exitCode, stderr], container.name).toEqual([0, '']);
  }
  const [container] = pod.containers;
  const running = start(container, home, env);
  running.stderr.on('data', (text) => {
    if (String(text).includes('"event":"worker started"')) running.kill('SIGTERM');
  });
  const { exitCode, stderr } = await running;
  expect(exitCode, stderr).toBe(0);
});

test('a worker is restarted when its process does not answer, not when the database does not', () => {
  const [{ livenessProbe, readinessProbe }] = podOf('worker.yml').containers;
  expect(livenessProbe).toMatchObject({ tcpSocket: { port: 'metrics' } });
  expect(livenessProbe).not.toHaveProperty('httpGet');
  expect(readinessProbe).toMatchObject({ httpGet: { path: '/metrics', port: 'metrics' } });
});
