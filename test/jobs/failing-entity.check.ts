// One entity that fails: what becomes of the others, in one night and in many.
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { loadSql, readRows } from '../../src/database/database.ts';
import { booked, exported, night, openStage, type Stage, truth } from './stage.ts';

const subaccountOf = ({ sandbox }: Stage): string => sandbox.world.entities[1]?.entityId ?? '';

const entities = async (stage: Stage): Promise<string[]> =>
  (await stage.rows('select entity_id from books.entities order by entity_id')).map(({ entity_id }) =>
    String(entity_id),
  );

/** A gateway in front of the stand-in that answers 423 for one subaccount, after some of its requests. */
const blocking = async (stage: Stage, subaccount: string, after = 0): Promise<string> => {
  let requests = 0;
  const { port } = new URL(stage.sandbox.url);
  const pass = (from: IncomingMessage, to: ServerResponse) => {
    const isTheirs = from.headers['x-subaccount-id'] === subaccount;
    if (isTheirs) requests += 1;
    if (isTheirs && requests > after) {
      to.writeHead(423, { 'content-type': 'application/json' }).end('{"message":"blocked","error":"Locked"}');
      return;
    }
    send({ port, host: '127.0.0.1', path: from.url ?? '', headers: from.headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(to);
    }).end();
  };
  const server = createServer(pass).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

test('one entity fails: exit 2 with its name, the others are read, booked, compared, valued and exported', async () => {
  const stage = await openStage({ entities: 3 });
  const sub = subaccountOf(stage);
  const settings = stage.settings();
  const baseUrl = await blocking(stage, sub);
  const { exitCode, summary } = await night({ ...settings, gateway: { ...settings.gateway, baseUrl } });
  expect([exitCode, summary]).toEqual([2, expect.stringMatching(`failed: ${sub}: .*blocked`)]);
  const ofOthers = (lines: string[]) => lines.filter((line) => !line.startsWith(sub));
  expect(ofOthers(await booked(stage))).toEqual(ofOthers(await truth(stage)));
  expect(await stage.rows("select from books.value_findings where kind = 'no-rate'")).toEqual([]);
  const [run] = await stage.rows(
    "select exit_code, finished_at is null as open from books.runs where job = 'nightly'",
  );
  expect(run).toEqual({ exit_code: 2, open: false });
  expect((await stage.night()).exitCode).toBe(0);
  expect(await booked(stage)).toEqual(await truth(stage));
});

test('nights that fail for one entity, one after the other, check and prove what is new of the others', async () => {
  const stage = await openStage({ entities: 3, days: 4 });
  await stage.night();
  const sub = subaccountOf(stage);
  const settings = stage.settings();
  const baseUrl = await blocking(stage, sub);
  const failing = { ...settings, gateway: { ...settings.gateway, baseUrl } };
  await stage.advance(1);
  const unchecked = async () => {
    expect((await night(failing, { writesFiles: false })).exitCode).toBe(2);
    const [run] = await stage.rows('select run_id from run.runs order by run_number desc limit 1');
    const values = { run: run?.run_id ?? '', entity: 'main' };
    const proof = await readRows(stage.database.db, loadSql('proofs/conservation_since.sql', values));
    const rows = await stage.rows(
      `select entity_id from books_internal.unchecked_entities where run_id = '${values.run}' order by 1`,
    );
    return [rows.map(({ entity_id }) => entity_id), proof.length > 0];
  };
  const others = (await entities(stage)).filter((id) => id !== sub);
  expect(await unchecked()).toEqual([others, true]);
  expect(await unchecked()).toEqual([[], true]);
  await stage.night();
  const [last] = await stage.rows('select run_id from run.runs order by run_number desc limit 1');
  expect(
    await stage.rows(
      `select entity_id from books_internal.unchecked_entities where run_id = '${last?.run_id}'`,
    ),
  ).toEqual([{ entity_id: sub }]);
});

test('an entity whose reading fails in the middle is booked up to there, so that no file has a part of it', async () => {
  const stage = await openStage({ entities: 3 });
  const sub = subaccountOf(stage);
  const settings = stage.settings();
  const baseUrl = await blocking(stage, sub, 8);
  const { exitCode, summary } = await night({ ...settings, gateway: { ...settings.gateway, baseUrl } });
  expect([exitCode, summary]).toEqual([2, expect.stringMatching(`failed: ${sub}: .*blocked`)]);
  expect(await stage.rows('select from land.inbox')).toEqual([]);
  const [row] =
    await stage.rows(`select (select count(*) from land.records where entity_id = '${sub}') as landed,
    (select count(*) from ledger.outcomes where entity_id = '${sub}') as decided`);
  expect(Number(row?.landed)).toBeGreaterThan(0);
  expect(row?.decided).toBe(row?.landed);
  expect(Object.keys(exported(stage.home))).toContain('2026-10/journal.csv');
});
