// The text of the report page: the part in money, for whoever answers for it, then the reconciler's part and the appendix.
import { createHash } from 'node:crypto';
import type { Manifest } from '../reports/manifest.ts';
import { allocationSection, exposureSection } from './allocation.ts';
import { appendixSection } from './appendix.ts';
import { balancesSection } from './balances.ts';
import { booksSection } from './books.ts';
import { agesSection, breaksSection } from './breaks.ts';
import { closeSection } from './close-state.ts';
import { coverHeader, filesSection, limitsSection, sealSentence } from './cover.ts';
import { coverageSection } from './coverage.ts';
import type { PageFacts } from './facts.ts';
import { feesSection } from './fees.ts';
import { overviewOf } from './figures.ts';
import { flowsSection } from './flows.ts';
import type { MoneyPage } from './money-page.ts';
import { overviewSection } from './overview.ts';
import { paidSection } from './paid.ts';
import { partiesSection } from './parties.ts';
import { performanceSection } from './performance.ts';
import { languageOf, phrasesOf } from './phrases.ts';
import { namesOf, type PageOf } from './section.ts';
import { PAGE_STYLE } from './style.ts';
import { finished, type Html, html } from './text.ts';
import { standingOf, verdictSection } from './verdict.ts';

/** The page loads, sends and runs nothing: the policy allows only the style below, by its digest. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

/** The sections in money, by the keys of their names. */
const MONEY_LINKS = [
  'overview',
  'allocation',
  'performance',
  'paid',
  'parties',
  'exposure',
  'close',
  'appendix',
] as const;

/** The sections of the reconciler's part. */
const LINKS = ['breaks', 'coverage', 'balances', 'flows', 'fees', 'ties', 'files', 'limits'] as const;

/** The whole page, from its facts alone, in the language of the manifest's profile. */
export const pageText = (manifest: Manifest, facts: PageFacts, root: string | null): string => {
  const phrases = phrasesOf(languageOf(manifest.profile));
  const page = { manifest, facts, phrases, names: namesOf(facts.entities) };
  return html`<!doctype html>
<html lang="${phrases.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${finished(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${phrases.text('title', { period: phrases.period(manifest.period) })}</title>
<style>${finished(PAGE_STYLE)}</style>
</head>
<body>
<a class="skip" href="#overview">${phrases.say('skip')}</a>
${coverHeader(page)}
<main>
${moneyPart(page, root)}
${reconcilersPart(page, manifest.files, root)}
</main>
<footer><p>${manifest.program.name} ${manifest.program.version}. ${phrases.say('footer')}</p></footer>
</body>
</html>
`.html;
};

const moneyPart = (page: PageOf, root: string | null): Html => {
  const { manifest, facts, phrases } = page;
  const overview = overviewOf(facts.figures, manifest.currency);
  const inMoney: MoneyPage = { ...page, overview, currency: manifest.currency, standing: standingOf(page) };
  return html`<nav aria-label="${phrases.text('nav.money')}"><ul>${MONEY_LINKS.map((id) => linkTo(page, id))}<li><a href="#verdict">${phrases.say('reconciler')}</a></li></ul></nav>
${overviewSection(inMoney)}
${allocationSection(inMoney)}
${performanceSection(inMoney)}
${paidSection(inMoney)}
${partiesSection(inMoney)}
${exposureSection(inMoney)}
${closeSection(inMoney, root !== null)}
${appendixSection(inMoney)}`;
};

const linkTo = ({ phrases }: PageOf, id: string): Html =>
  html`<li><a href="#${id}">${phrases.say(`nav.${id}`)}</a></li>`;

const reconcilersPart = (
  page: PageOf,
  files: Manifest['files'],
  root: string | null,
): Html => html`${verdictSection(page)}
<nav aria-label="${page.phrases.text('nav.page')}"><ul>${LINKS.map((id) => linkTo(page, id))}</ul></nav>
${breaksSection(page)}
${coverageSection(page)}
${balancesSection(page)}
${flowsSection(page)}
${feesSection(page)}
${agesSection(page)}
${booksSection(page)}
${sealSentence(page, root)}
${filesSection(page, files)}
${limitsSection(page)}`;
