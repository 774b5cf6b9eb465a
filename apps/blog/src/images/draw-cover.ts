import { createHash } from 'node:crypto';

const width = 1200;
const height = 675;
const white = '#ffffff';
const horizon = '#f0a982';

/** The hue of a tool on its soft ground: the pairs of the site's tokens (apps/web/src/styles). */
const inks = [
  { mark: '#2f62cf', ground: '#e8f0ff' },
  { mark: '#bb3358', ground: '#ffebef' },
  { mark: '#7d48b8', ground: '#f3ecfe' },
  { mark: '#8f6400', ground: '#faf0d9' },
  { mark: '#007671', ground: '#ddf5f3' },
  { mark: '#1b7f31', ground: '#e4f6e6' },
  { mark: '#0071a8', ground: '#e0f2fd' },
  { mark: '#a03a84', ground: '#fcebf6' },
  { mark: '#6a6d10', ground: '#f1f2df' },
] as const;

/** Numbers from 0 to 1, always the same ones for one seed. */
type Random = () => number;

/** SHA-256 in counter mode: evenly distributed, and the same on every machine and in every version. */
function randomOf(seed: string): Random {
  let round = 0;
  let numbers: number[] = [];
  return () => {
    if (numbers.length === 0) {
      const digest = createHash('sha256').update(`${round++}\n${seed}`).digest();
      numbers = Array.from({ length: 8 }, (_, index) => digest.readUInt32BE(index * 4) / 2 ** 32);
    }
    return numbers.pop() ?? 0;
  };
}

const between = (random: Random, least: number, most: number) => least + random() * (most - least);
const whole = (random: Random, least: number, most: number) => Math.floor(between(random, least, most + 1));
const px = (value: number) => String(Math.round(value * 10) / 10);

/** Draws in one hue; only shapes, since images of services have no fonts. */
type Pattern = (random: Random, mark: string) => string;

/** Columns that rise from left to right, above a horizon. */
const columns: Pattern = (random, mark) => {
  const count = whole(random, 34, 62);
  const [base, rise, bend] = [between(random, 430, 520), between(random, 180, 330), between(random, 1.2, 2.6)];
  const step = (width - 120) / count;
  const path = Array.from({ length: count }, (_, index) => {
    const top = base - 24 - rise * (index / count) ** bend - random() * 18;
    return `M${px(60 + step * (index + 0.5))} ${px(base)}V${px(top)}`;
  }).join('');
  const end = between(random, 300, 420);
  return (
    `<path d="${path}" stroke="${mark}" stroke-width="${px(step * between(random, 0.28, 0.55))}"/>` +
    `<path d="M0 ${px(base + 70)}L${width} ${px(end)}" stroke="${horizon}" stroke-width="4"/>`
  );
};

/** Boxes of a conversation; one of them in colour. */
const boxes: Pattern = (random, mark) => {
  const count = whole(random, 3, 4);
  const coloured = whole(random, 0, count - 1);
  const tall = (height - 170) / count - 30;
  return Array.from({ length: count }, (_, index) => {
    const long = between(random, 330, 640);
    const left = index % 2 === 0 ? between(random, 120, 220) : width - long - between(random, 120, 220);
    const fill = index === coloured ? mark : white;
    return `<rect x="${px(left)}" y="${px(85 + index * (tall + 30))}" width="${px(long)}" height="${px(tall)}" rx="${px(tall / 3)}" fill="${fill}"/>`;
  }).join('');
};

/** Ticks around a disc, of which one piece is in colour. */
const dial: Pattern = (random, mark) => {
  const [x, y, radius] = [between(random, 430, 770), height / 2, between(random, 165, 215)];
  const [count, every] = [12 * whole(random, 4, 7), whole(random, 4, 7)];
  const at = (angle: number, distance: number) => `${px(x + Math.cos(angle) * distance)} ${px(y + Math.sin(angle) * distance)}`;
  const ticks = Array.from({ length: count }, (_, index) => {
    const angle = (index / count) * 2 * Math.PI;
    return `M${at(angle, radius + 26)}L${at(angle, radius + (index % every === 0 ? 82 : 58))}`;
  }).join('');
  const from = between(random, 0, 2 * Math.PI);
  const to = from + between(random, 0.7, 2.6);
  return (
    `<circle cx="${px(x)}" cy="${px(y)}" r="${px(radius)}" fill="${white}"/><path d="${ticks}" stroke="${mark}" stroke-width="7"/>` +
    `<path d="M${px(x)} ${px(y)}L${at(from, radius)}A${px(radius)} ${px(radius)} 0 0 1 ${at(to, radius)}Z" fill="${mark}"/>`
  );
};

/** Short strokes on a grid, with gaps. */
const strokes: Pattern = (random, mark) => {
  const [perRow, rows] = [whole(random, 20, 28), whole(random, 6, 9)];
  const [stepX, stepY] = [(width - 240) / perRow, (height - 200) / rows];
  const density = between(random, 0.45, 0.72);
  const path = Array.from({ length: perRow * rows }, (_, index) =>
    random() > density
      ? ''
      : `M${px(120 + stepX * ((index % perRow) + 0.5))} ${px(100 + stepY * Math.floor(index / perRow))}v${px(stepY * 0.6)}`,
  ).join('');
  return `<path d="${path}" stroke="${mark}" stroke-width="${px(stepX * 0.42)}" stroke-linecap="round"/>`;
};

/** Two waves that end higher than they begin. */
const waves: Pattern = (random, mark) => {
  const wave = (base: number) => {
    const [start, crest, trough, end] = [
      base,
      base - between(random, 160, 320),
      base + between(random, 20, 90),
      base - between(random, 240, 380),
    ];
    return `M0 ${px(start)}C${px(between(random, 220, 320))} ${px(start)} ${px(between(random, 330, 430))} ${px(crest)} 600 ${px((crest + trough) / 2)}S${px(between(random, 900, 1000))} ${px(trough)} ${width} ${px(end)}`;
  };
  const [back, front] = [wave(between(random, 430, 500)), wave(between(random, 540, 600))];
  const filled = (path: string, opacity: number) => `<path d="${path}V${height}H0Z" fill="${mark}" opacity="${opacity}"/>`;
  return filled(back, 0.16) + filled(front, 0.26) + `<path d="${front}" fill="none" stroke="${mark}" stroke-width="9"/>`;
};

/** A disc on a tilted horizon, half of it below. */
const halves: Pattern = (random, mark) => {
  const [x, y, radius] = [between(random, 470, 730), between(random, 310, 370), between(random, 190, 240)];
  const orbit = radius + between(random, 50, 90);
  return (
    `<g transform="rotate(${px(between(random, -24, 24))} ${px(x)} ${px(y)})"><circle cx="${px(x)}" cy="${px(y)}" r="${px(radius)}" fill="${white}"/>` +
    `<path d="M${px(x - radius)} ${px(y)}a${px(radius)} ${px(radius)} 0 0 0 ${px(2 * radius)} 0z" fill="${mark}"/>` +
    `<path d="M-300 ${px(y)}H1500" stroke="${mark}" stroke-width="5"/>` +
    `<circle cx="${px(x)}" cy="${px(y)}" r="${px(orbit)}" fill="none" stroke="${horizon}" stroke-width="4" stroke-dasharray="${px(between(random, 8, 40))} ${px(between(random, 12, 30))}"/></g>`
  );
};

const patterns: readonly Pattern[] = [columns, boxes, dial, strokes, waves, halves];

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

/**
 * Draws the cover of an article that has no picture, as an SVG of 1200 × 675 pixels.
 * @param seed the same seed gives the same drawing
 */
export function drawCover(seed: string): string {
  const random = randomOf(seed);
  const { mark, ground } = pick(random, inks);
  const drawing = pick(random, patterns)(random, mark);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `<rect width="${width}" height="${height}" fill="${ground}"/>${drawing}</svg>`
  );
}
