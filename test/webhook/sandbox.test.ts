// The stand-in asks the webhook before a client's write: authorized writes happen and reconcile, refused ones do not happen.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseExact } from '../../src/base/json.ts';
import { serveCommand } from '../../src/cli/serve-command.ts';
import { NOTIFICATIONS } from '../../src/gateway/contract/contract.ts';
import { openGateway } from '../../src/gateway/gateway.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { bare, folder, main } from '../cli/tieout.ts';
import { expectWritten } from '../export/page/reasons.ts';
import { openStageAfterNight, type Stage, WORLD } from '../jobs/stage.ts';
import { newFolder } from '../room.ts';
import { deliver, KEY, type Served, serve } from './serving.ts';

let stage: Stage;
let served: Served;
let asking: Sandbox; // the same world behind another service, which asks
beforeAll(async () => {
  stage = await openStageAfterNight({}, afterAll);
  const limits = join(newFolder(), 'limits.csv');
  writeFileSync(limits, 'currency,type,max\nEUR,withdrawal,2\n');
  served = await serve(stage.settings(), { answer: 'limits', limits });
  const { world } = stage.sandbox;
  const webhook = { url: served.url, vendor: 'acme', key: KEY };
  asking = await startSandbox({ seed: WORLD.seed, world, webhook });
});
afterAll(async () => {
  await asking.close();
  await served.end();
});

/** Moves euros from a pocket to the trading wallet, as a client of the gateway. */
const deposit = async (amount: string) => {
  const gateway = openGateway({
    baseUrl: asking.url,
    credentials: { apiKey: asking.apiKey, apiSecret: asking.apiSecret },
  });
  const pockets = await gateway.wallet.pockets({});
  const pocket = pockets.find(({ currency, balance }) => currency === 'EUR' && !/^[0-2](\.|$)/.test(balance));
  const body = { fromPocketId: String(pocket?.id), amount, currency: 'EUR' };
  try {
    return await gateway.trading.deposit({ body });
  } finally {
    await gateway.close();
  }
};

test('the stand-in asks: a write within the limit happens, one above it does not, and a night reconciles both', async () => {
  await deposit('1.25');
  await expect(deposit('2.01')).rejects.toThrow(/423/);
  const night = await stage.night();
  expect(night.exitCode).toBe(0);
  const columns =
    'entity_id, is_known_user, transaction_type, amount, is_authorized, deliveries, record_amount, status';
  expect(await stage.rows(`select ${columns} from books.authorizations order by first_received_at`)).toEqual([
    {
      entity_id: 'main',
      is_known_user: true,
      transaction_type: 'withdrawal',
      amount: '1.25',
      is_authorized: true,
      deliveries: '1',
      record_amount: '1.25',
      status: 'matched',
    },
    {
      entity_id: 'main',
      is_known_user: true,
      transaction_type: 'withdrawal',
      amount: '2.01',
      is_authorized: false,
      deliveries: '1',
      record_amount: null,
      status: 'refused',
    },
  ]);
});

test('a transaction that was refused and happens anyway is a break of the night', async () => {
  const id = "(select transaction_id from books.authorizations where status = 'matched')";
  await stage.rows(`update land.authorizations set is_authorized = false where transaction_id = ${id}`);
  const night = await stage.night();
  expect(night.exitCode).toBe(1);
  const [parts] = await stage.rows('select reason_parts from books.breaks');
  expectWritten(parts?.reason_parts);
  expect(await stage.rows('select check_name, status, currency, reason from books.breaks')).toEqual([
    {
      check_name: 'authorizations',
      status: 'open',
      currency: 'EUR',
      reason: '1.25 EUR was refused (within the limit of 2 EUR), and the record is there',
    },
  ]);
});

test('the command prints where it listens and each answer, and a signal ends it with 0', async () => {
  expect(serveCommand().getOptionValue('path')).toBe(NOTIFICATIONS.authorization.path);
  const env = {
    DATABASE_URL: stage.database.url,
    TIEOUT_WEBHOOK_KEY: KEY,
    TIEOUT_WEBHOOK_ANSWER: 'refuse',
  };
  const options = { cwd: folder, extendEnv: false, env: { ...bare(), ...env }, timeout: 60_000 };
  const command = execa(process.execPath, [main(), 'serve', '--json'], options);
  const printed = await new Promise<string>((done) => {
    let text = '';
    command.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.endsWith('}\n')) done(text);
    });
    command.catch((error: Error) => done(error.message));
  });
  const { url, answer } = parseExact(printed) as { url: string; answer: string };
  expect(answer).toBe('refuse');
  const terms = { transactionId: 'c1', userId: 'u1', type: 'deposit', amount: 1.5, currency: 'EUR' };
  expect(await deliver({ url: new URL(url).origin }, terms)).toEqual({
    status: 200,
    body: { authorized: false },
  });
  command.kill('SIGTERM');
  const { exitCode, stderr } = await command;
  expect(exitCode).toBe(0);
  const facts = { event: 'answered', transaction_id: 'c1', amount: '1.5', authorized: false };
  const lines = stderr.split('\n').filter((line) => line.startsWith('{'));
  expect(lines.map(parseExact)).toMatchObject([{ event: 'warning' }, facts]);
}, 60_000);
