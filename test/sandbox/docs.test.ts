// The stand-in serves the document of the contract and a page to browse it. Neither is part of the gateway.
import { afterEach, expect, test } from 'vitest';
import { openapi } from '../../src/gateway/contract/contract.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { world } from './asker.ts';

let sandbox: Sandbox;
afterEach(() => sandbox.close());

const get = async (path: string) => {
  const response = await fetch(sandbox.url + path);
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};

test('the document and its page are public, complete, and load nothing from another host', async () => {
  sandbox = await startSandbox({ seed: 1, days: 1 });
  const document = await get('/openapi.json');
  expect(JSON.parse(document.text)).toEqual(JSON.parse(JSON.stringify(openapi())));
  const page = await get('/docs');
  expect(page).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' });
  const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(3);
  for (const file of files) {
    expect(file).not.toMatch(/^(https?:)?\/\//);
    expect((await get(new URL(file, 'http://a/docs/').pathname)).status, file).toBe(200);
  }
});

test('no path leads out of the folder of the page', async () => {
  sandbox = await startSandbox({ seed: 1, days: 1 });
  for (const path of [
    '/docs/static/%2e%2e/package.json',
    '/docs/static/..%2fpackage.json',
    '/docs/static/%00',
  ])
    expect((await get(path)).status, path).toBeGreaterThanOrEqual(400);
});

test('neither is logged, counted, nor touched by faults', async () => {
  sandbox = await startSandbox({ seed: 1, days: 1, faults: ['unavailable:1', 'rpm:1'] });
  for (const path of ['/openapi.json', '/docs', '/docs/static/swagger-ui.css'])
    expect((await get(path)).status, path).toBe(200);
  expect(await world(sandbox, 'log')).toEqual([]);
  expect((await get('/v1/currency/catalog?type=all')).status).toBe(502);
});
