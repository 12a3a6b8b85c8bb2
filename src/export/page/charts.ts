// Charts of the report page, as SVG. Only positions are floats here; no figure is written from a float. A colour never
// carries meaning alone: a shape, a position or a word shows the same.
import { scaleBand, scaleLinear } from 'd3-scale';
import { area, curveStepAfter, line } from 'd3-shape';
import { finished, type Html, html } from './text.ts';

/** The title of a chart, and one sentence on what it shows; `id` is unique on the page. */
type Chart = { readonly id: string; readonly title: string; readonly desc: string };

/** The position of an exact amount on a chart; never used as the amount itself. */
const place = (amount: string): number => Number(amount);

const svg = ({ id, title, desc }: Chart, [width, height]: readonly [number, number], body: Html): Html =>
  html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-t ${id}-d"><title id="${id}-t">${title}</title><desc id="${id}-d">${desc}</desc>${body}</svg>`;

const rounded = (position: number): string => String(Math.round(position * 100) / 100);

const WIDE = 280;
const HIGH = 84;
const EDGE = 4;

/** The balance at the end of each known day, as steps. The zero line is drawn if zero is within the chart's range. */
export const levelChart = (
  chart: Chart,
  { levels, known }: { readonly levels: readonly string[]; readonly known: number },
): Html => {
  const points = levels.slice(0, known).map((level, i) => [i, place(level)] as const);
  const last = points.at(-1)?.[1] ?? 0;
  const drawn = [...points, [points.length, last] as const];
  const values = points.map(([, value]) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const isNearZero = low <= (high - low) * 2 && high >= (low - high) * 2;
  const domain = isNearZero ? [Math.min(low, 0), Math.max(high, 0)] : [low, high];
  const x = scaleLinear([0, levels.length], [0, WIDE]);
  const y = scaleLinear(domain[0] === domain[1] ? [low - 1, high + 1] : domain, [HIGH - EDGE, EDGE]);
  const position = {
    x: (it: readonly [number, number]) => x(it[0]),
    y: (it: readonly [number, number]) => y(it[1]),
  };
  const path = line<readonly [number, number]>(position.x, position.y).curve(curveStepAfter).digits(2)(drawn);
  const below = area<readonly [number, number]>(position.x, y(0), position.y).curve(curveStepAfter).digits(2)(
    drawn,
  );
  const body = html`${isNearZero ? finished(`<path class="fill" d="${below ?? ''}"/>`) : null}${
    isNearZero ? finished(`<path class="axis" d="M0 ${rounded(y(0))}H${WIDE}"/>`) : null
  }${finished(`<path class="line" d="${path ?? ''}"/><circle class="dot" cx="${rounded(Math.min(x(points.length), WIDE - 3))}" cy="${rounded(y(last))}" r="3"/>`)}`;
  return svg(chart, [WIDE, HIGH], body);
};

type Bars = {
  readonly classes: readonly string[];
  /** Amounts that the scale must include, for charts that share one. */
  readonly scale?: readonly string[];
  /** A word below each bar; without, the chart has none. */
  readonly labels?: readonly string[];
};

/** The width of a bar in a chart of few, and the height of the words below bars. */
const SLOT = 48;
const WORD_HIGH = 16;

/** Bars side by side. The parts of a bar are stacked away from zero in order: positive ones upward, negative ones downward. */
export const barChart = (
  chart: Chart,
  bars: readonly (readonly string[])[],
  { classes, scale = [], labels = [] }: Bars,
): Html => {
  const stacks = bars.map((parts) => stackOf(parts.map(place)));
  const ends = [...stacks.flat().flatMap(({ from, to }) => [from, to]), ...scale.map(place)];
  const wide = labels.length > 0 ? Math.min(WIDE, bars.length * SLOT) : WIDE;
  const x = scaleBand<number>(bars.keys(), [0, wide]).paddingInner(0.25);
  const y = scaleLinear([Math.min(0, ...ends), Math.max(0, ...ends) || 1], [HIGH - EDGE, EDGE]);
  const paths = classes.map((name, nth) => {
    const d = stacks
      .map((stack, i) => barPath({ x: x(i) ?? 0, width: x.bandwidth(), y }, stack[nth]))
      .join('');
    return d === '' ? '' : `<path class="${name}" d="${d}"/>`;
  });
  const words = labels.map(
    (label, i) =>
      html`<text class="tick" x="${rounded((x(i) ?? 0) + x.bandwidth() / 2)}" y="${HIGH + WORD_HIGH - 4}">${label}</text>`,
  );
  const body = html`${finished(`${paths.join('')}<path class="axis" d="M0 ${rounded(y(0))}H${WIDE}"/>`)}${words}`;
  return svg(chart, [WIDE, labels.length > 0 ? HIGH + WORD_HIGH : HIGH], body);
};

type Extent = { readonly from: number; readonly to: number };

const stackOf = (parts: readonly number[]): Extent[] => {
  const end = { up: 0, down: 0 };
  return parts.map((part) => {
    const side = part < 0 ? 'down' : 'up';
    const from = end[side];
    end[side] += part;
    return { from, to: end[side] };
  });
};

type Slot = { readonly x: number; readonly width: number; readonly y: (value: number) => number };

const barPath = ({ x, width, y }: Slot, extent: Extent | undefined): string => {
  if (!extent || extent.from === extent.to) return '';
  const [top, bottom] = [y(Math.max(extent.from, extent.to)), y(Math.min(extent.from, extent.to))];
  const height = Math.max(bottom - top, 1); // keeps the smallest part visible
  return `M${rounded(x)} ${rounded(bottom - height)}h${rounded(width)}v${rounded(height)}h-${rounded(width)}z`;
};

/** The share of its width that a bar needs to be seen. */
const SEEN = 3;
const LONG = 1000;

/** One horizontal bar between two amounts, on the scale of all amounts in `ends`, with a line at zero; hidden from screen readers. */
export const stripOf = (
  { from, to, tone }: { readonly from: string; readonly to: string; readonly tone: string },
  ends: readonly string[],
): Html => {
  const all = ends.map(place);
  const x = scaleLinear([Math.min(...all), Math.max(...all) || 1], [0, LONG - SEEN]);
  const [left, right] = [x(Math.min(place(from), place(to))), x(Math.max(place(from), place(to)))];
  const width = from === to ? 0 : Math.max(right - left, SEEN);
  return finished(
    `<svg class="strip" viewBox="0 0 ${LONG} 20" preserveAspectRatio="none" aria-hidden="true"><rect class="${tone}" x="${rounded(left)}" y="2" width="${rounded(width)}" height="16"/><rect class="zero" x="${rounded(x(0))}" y="0" width="1.5" height="20"/></svg>`,
  );
};

/** How a day of a calendar is drawn: proved, a gap, not read. */
export type DayState = 'proved' | 'gap' | 'not-read';

const CELL = 20;

/** One row of days: a full square is proved, a crossed one is a gap, a hollow one was not read. */
export const calendarRow = (chart: Chart, days: readonly DayState[]): Html => {
  const cells = (state: DayState, draw: (x: number) => string) =>
    days.map((day, i) => (day === state ? draw(i * CELL) : '')).join('');
  const box = (x: number) => `M${x + 1} 1h18v18h-18z`;
  const cross = (x: number) => `M${x + 6} 6l8 8m0-8l-8 8`;
  const shapes = [
    ['proved', cells('proved', box)],
    ['gap', cells('gap', box)],
    ['cross', cells('gap', cross)],
    ['not-read', cells('not-read', (x) => `M${x + 2.5} 2.5h15v15h-15z`)],
  ] as const;
  const body = shapes.map(([name, d]) => (d === '' ? '' : `<path class="${name}" d="${d}"/>`)).join('');
  return svg(chart, [days.length * CELL, CELL], finished(body));
};

/** Horizontal bars, one below another, with a label before and a count after each. */
export const ageChart = (
  chart: Chart,
  bands: readonly { readonly name: string; readonly many: number }[],
): Html => {
  const most = Math.max(1, ...bands.map(({ many }) => many));
  const width = scaleLinear([0, most], [0, 340]);
  const row = ({ name, many }: { name: string; many: number }, i: number) =>
    html`<text x="118" y="${i * 30 + 20}" class="end">${name}</text>${finished(
      `<rect class="bar" x="130" y="${i * 30 + 5}" width="${rounded(many === 0 ? 0 : Math.max(width(many), 2))}" height="20"/>`,
    )}<text x="${rounded(138 + width(many))}" y="${i * 30 + 20}">${many}</text>`;
  return svg(chart, [520, bands.length * 30], html`${bands.map(row)}`);
};
