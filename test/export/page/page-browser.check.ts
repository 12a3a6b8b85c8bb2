// The report page in a real browser, opened from disk: used in light and dark mode, on a phone
// and on paper. Skipped by name if Chromium is not installed.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { source as axe } from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportReports } from '../../../src/export/export.ts';
import { freshDatabase } from '../../database.ts';
import { october } from '../world.ts';
import { labelPageWorld, makePageWorld, SCRIPT } from './page-world.ts';

const CHROMIUMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executablePath = CHROMIUMS.find(existsSync);
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
];

describe.skipIf(executablePath === undefined)('report.html in Chromium (which must be installed)', () => {
  let browser: Browser;
  let dir: string;
  /** The same page in other languages, with labels instead of ids. */
  const dirs: Record<string, string> = {};
  beforeAll(async () => {
    const books = await freshDatabase();
    await makePageWorld(books);
    ({ dir } = await exportReports(october(books.pool)));
    await labelPageWorld(books);
    for (const profile of ['excel-es', 'excel-de'] as const)
      dirs[profile] = (await exportReports({ ...october(books.pool), profile })).dir;
    await books.close();
    browser = await chromium.launch({ executablePath: executablePath ?? '', args: QUIET });
  });
  afterAll(() => browser?.close());

  const requests = new WeakMap<Page, string[]>();
  const complaints = new WeakMap<Page, string[]>();
  const open = async (look: Parameters<Browser['newPage']>[0] = {}, folder = dir): Promise<Page> => {
    const page = await browser.newPage(look);
    requests.set(page, []);
    complaints.set(page, []);
    page.on('request', (request) => requests.get(page)?.push(request.url()));
    page.on('console', (message) => complaints.get(page)?.push(message.text()));
    page.on('pageerror', (error) => complaints.get(page)?.push(error.message));
    await page.goto(`file://${join(folder, 'report.html')}`);
    return page;
  };

  test('opens from disk, loads nothing else, violates none of its own rules', async () => {
    const page = await open();
    expect(requests.get(page)).toEqual([`file://${join(dir, 'report.html')}`]);
    expect(complaints.get(page)).toEqual([]);
    expect(await page.evaluate('[document.scripts.length, document.images.length]')).toEqual([0, 0]);
    const handlers =
      "[...document.querySelectorAll('*')].filter((it) => /(^|,)on/.test(it.getAttributeNames())).length";
    expect(await page.evaluate(handlers)).toBe(0);
    expect(await page.getByText(SCRIPT, { exact: true }).first().isVisible()).toBe(true);
    const injected =
      "document.body.appendChild(document.createElement('style')).textContent = 'body{display:none}'";
    await page.evaluate(injected); // even injected markup would not load
    expect(await page.evaluate('getComputedStyle(document.body).display')).toBe('block');
  });

  test('each Tab brings the focus into view at once, on a phone too', async () => {
    const page = await open({ viewport: { width: 360, height: 640 } });
    const isHidden =
      '(({ top, bottom }) => bottom <= 0 || top >= innerHeight)(document.activeElement.getBoundingClientRect())';
    const focused = "document.activeElement.textContent + ' ' + document.activeElement.tagName";
    const hidden: unknown[] = [];
    for (let step = 0; step < 100; step += 1) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(isHidden)) hidden.push(await page.evaluate(focused));
    }
    expect(hidden).toEqual([]);
  });

  test('every link works: to a place on the page, or to a file beside it', async () => {
    const page = await open();
    const links = (await page.evaluate(
      "[...document.querySelectorAll('a')].map((it) => it.getAttribute('href'))",
    )) as string[];
    const lost = [...new Set(links)].filter((it) => !it.startsWith('#') && !existsSync(join(dir, it)));
    expect(lost).toEqual([]);
    const dead =
      '[...document.querySelectorAll(\'a[href^="#"]\')].filter((it) => !document.querySelector(it.hash)).length';
    expect(await page.evaluate(dead)).toBe(0);
    await page
      .locator('#verdict')
      .getByRole('link', { name: /\d+ open breaks/ })
      .click();
    expect(page.url()).toMatch(/#breaks$/);
    expect(await page.getByRole('heading', { name: 'Breaks', exact: true }).isVisible()).toBe(true);
    const records = page.getByText('Records behind the booked balance').first();
    await records.focus();
    await page.keyboard.press('Enter');
    expect(await page.getByText('tieout query', { exact: false }).first().isVisible()).toBe(true);
  });

  test('a figure is copied as it was booked, however it is grouped', async () => {
    const page = await open();
    const copied = `(() => { const it = document.querySelector('#break-2 .difference dd');
      getSelection().selectAllChildren(it); return [getSelection().toString(), it.innerText] })()`;
    expect(await page.evaluate(copied)).toEqual(Array(2).fill('1234566.000000000000000001'));
  });

  const LOCAL = ['machine', 'excel-es', 'excel-de'];

  test.each(LOCAL)('on a phone only tables scroll sideways: %s', async (profile) => {
    const page = await open({}, dirs[profile]);
    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
  });

  test.each(LOCAL)('no figure breaks onto a second line while one would hold it: %s', async (profile) => {
    const page = await open({}, dirs[profile]);
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const broken = `[...document.querySelectorAll('dd .n')].filter((it) => {
        const lines = new Set([...it.getClientRects()].map(({ top }) => Math.round(top / 8)));
        return it.checkVisibility() && lines.size > 1 && it.closest('dd').getBoundingClientRect().width < it.closest('dl').getBoundingClientRect().width - 4;
      }).map((it) => it.closest('dl').className + ' ' + it.textContent)`;
      expect(await page.evaluate(broken), `${width}`).toEqual([]);
    }
  });

  test.each(['excel-es', 'excel-de'])('a label that is markup is text, in %s', async (profile) => {
    const page = await open({}, dirs[profile]);
    expect(complaints.get(page)).toEqual([]);
    expect(await page.evaluate('document.scripts.length')).toBe(0);
    expect(await page.getByText('<script>alert("label")</script>').first().isVisible()).toBe(true);
    expect(await page.evaluate('document.documentElement.lang')).toBe(profile.slice(-2));
  });

  test.each([
    ['light', 390, 'machine'],
    ['dark', 1280, 'machine'],
    ['dark', 390, 'excel-es'],
    ['light', 1280, 'excel-de'],
  ] as const)(
    'whoever reads it in the %s, at %d pixels, finds no barrier: %s',
    async (colorScheme, width, profile) => {
      const page = await open({ colorScheme, viewport: { width, height: 900 } }, dirs[profile]);
      const ground = 'getComputedStyle(document.body).backgroundColor';
      expect(await page.evaluate(ground)).toBe(
        colorScheme === 'light' ? 'rgb(250, 250, 248)' : 'rgb(15, 17, 20)',
      );
      await page.evaluate("document.querySelectorAll('details').forEach((it) => { it.open = true; })");
      await page.evaluate(axe);
      type Found = { readonly id: string; readonly nodes: readonly { readonly html: string }[] };
      const { violations } = (await page.evaluate('axe.run()')) as { violations: readonly Found[] };
      expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
    },
  );

  test('prints on several sheets, with charts and link targets', async () => {
    const page = await open();
    const pdf = (await page.pdf({ preferCSSPageSize: true, printBackground: true })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g)?.length).toBeGreaterThan(2);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('nav:visible').count()).toBe(0);
    expect(await page.locator('#balances svg').first().isVisible()).toBe(true);
    expect(await page.getByText('tieout query', { exact: false }).first().isVisible()).toBe(true);
    const after = `getComputedStyle(document.querySelector('.sentences a[href="tie_outs.csv"]'), '::after').content`;
    expect(await page.evaluate(after)).toContain('tie_outs.csv');
  });
});
