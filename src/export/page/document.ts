// The text of the report page: the part in money, for whoever answers for it, then the reconciler's part and the appendix.
import { createHash } from 'node:crypto';
import type { Manifest } from '../reports/manifest.ts';
import { allocationSection, exposureSection } from './allocation.ts';
import { appendixSection } from './appendix.ts';
import { agesSection, breaksSection } from './breaks.ts';
import { closeSection } from './close-state.ts';
import { booksSection, coverHeader, filesSection, limitsSection, sealSentence } from './cover.ts';
import { coverageSection } from './coverage.ts';
import type { PageFacts } from './facts.ts';
import { overviewOf } from './figures.ts';
import { balancesSection, feesSection, flowsSection } from './money.ts';
import type { MoneyPage } from './money-page.ts';
import { overviewSection } from './overview.ts';
import { paidSection } from './paid.ts';
import { partiesSection } from './parties.ts';
import { performanceSection } from './performance.ts';
import { languageOf, type Phrases, phrasesOf } from './phrases.ts';
import { PAGE_STYLE } from './style.ts';
import { finished, type Html, html } from './text.ts';
import { type PageOf, standingOf, verdictSection } from './verdict.ts';

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

const LINKS = [
  ['breaks', 'Breaks'],
  ['coverage', 'Coverage'],
  ['balances', 'Balances'],
  ['flows', 'Money in and out'],
  ['fees', 'Fees'],
  ['ties', 'Entities'],
  ['files', 'Files'],
  ['limits', 'Limits'],
] as const;

/** The whole page, from its facts alone, in the language of the manifest's profile. */
export const pageText = (manifest: Manifest, facts: PageFacts, root: string | null): string => {
  const phrases = phrasesOf(languageOf(manifest.profile));
  const page = { manifest, facts };
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
${coverHeader(page, phrases)}
<main>
${moneyPart(page, phrases, root)}
${reconcilersPart(page, manifest.files, { phrases, root })}
</main>
<footer><p>${manifest.program.name} ${manifest.program.version}. ${phrases.say('footer')}</p></footer>
</body>
</html>
`.html;
};

const moneyPart = ({ manifest, facts }: PageOf, phrases: Phrases, root: string | null): Html => {
  const overview = overviewOf(facts.figures, manifest.currency);
  const standing = standingOf({ manifest, facts }, phrases);
  const page: MoneyPage = { manifest, facts, overview, phrases, currency: manifest.currency, standing };
  return html`<nav aria-label="${phrases.text('nav.money')}"><ul>${MONEY_LINKS.map((id) => html`<li><a href="#${id}">${phrases.say(`nav.${id}`)}</a></li>`)}<li><a href="#verdict">${phrases.say('reconciler')}</a></li></ul></nav>
${overviewSection(page)}
${allocationSection(page)}
${performanceSection(page)}
${paidSection(page)}
${partiesSection(page)}
${exposureSection(page)}
${closeSection(page, root !== null)}
${appendixSection(page)}`;
};

type ReconcilersPart = { readonly phrases: Phrases; readonly root: string | null };

/** This part is in English in every language, and says so. */
const reconcilersPart = (
  page: PageOf,
  files: Manifest['files'],
  { phrases, root }: ReconcilersPart,
): Html => html`${
  phrases.language === 'en' ? null : html`<p class="note">${phrases.say('reconciler.language')}</p>`
}
<div lang="en">
${verdictSection(page)}
<nav aria-label="On this page"><ul>${LINKS.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
${breaksSection(page)}
${coverageSection(page)}
${balancesSection(page)}
${flowsSection(page)}
${feesSection(page)}
${agesSection(page)}
${booksSection(page)}
${sealSentence(page.manifest, root)}
${filesSection(page, files)}
${limitsSection(page)}
</div>`;
