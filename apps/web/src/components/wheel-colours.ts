/** Style properties of a slice: `--hue` of its rim; `--solid` and `--on-solid` where its ground is not a soft mixture of the hue (`styles/wheel.css`). */
export type SliceColours = Readonly<Partial<Record<'--hue' | '--solid' | '--on-solid', string>>>;

type Rgb = readonly [number, number, number];
/** OKLCH: lightness 0-1, chroma, hue in radians. */
interface Perceived {
  l: number;
  c: number;
  h: number;
}

/** Text on a slice of the owner's colour. */
const [darkText, lightText] = ['#121822', '#ffffff'];
const [darkest, lightest] = [0.2, 0.9];

/**
 * Colours of slices in the owner's colour: solid and soft ones in turn. With an odd number of slices the last one is of a third tone, because its
 * neighbours are the first one and a soft one. The text on each has a contrast of at least 4.5.
 * @param colour `#rrggbb`
 */
export function sliceColours(colour: string, count: number): SliceColours[] {
  const own = perceived(parsed(colour));
  // Black and white would not stand out from the page in one of the themes.
  const solid = { ...own, l: Math.min(lightest, Math.max(darkest, own.l)) };
  const third = { ...solid, l: solid.l > 0.55 ? solid.l - 0.2 : solid.l + 0.2 };
  const soft: SliceColours = { '--hue': written(solid) };
  return Array.from({ length: count }, (_, index) => {
    if (count % 2 === 1 && count > 1 && index === count - 1) return solidColours(third);
    return index % 2 === 0 ? solidColours(solid) : soft;
  });
}

/** Moves the lightness away from the middle until one of the two texts can be read. */
function solidColours(tone: Perceived): SliceColours {
  for (let moved = 0; ; moved += 0.01) {
    const l = tone.l > 0.62 ? tone.l + moved : tone.l - moved;
    const ground = written({ ...tone, l });
    const text = [darkText, lightText].find((each) => contrast(parsed(each), parsed(ground)) >= 4.5);
    if (text) return { '--hue': written({ ...tone, l: l > 0.5 ? l - 0.12 : l + 0.12 }), '--solid': ground, '--on-solid': text };
  }
}

const parsed = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as unknown as Rgb;
const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const encoded = (value: number) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);

function contrast(one: Rgb, other: Rgb): number {
  const luminance = (colour: Rgb) => 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** Matrices of OKLab by Björn Ottosson. */
function perceived(colour: Rgb): Perceived {
  const [r, g, b] = colour.map(linear) as unknown as Rgb;
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const blue = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return { l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, c: Math.hypot(a, blue), h: Math.atan2(blue, a) };
}

function displayed({ l: lightness, c, h }: Perceived): Rgb {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/** As `#rrggbb`. A colour that screens cannot show loses chroma until they can, so that lightness and hue stay. */
function written(colour: Perceived): string {
  const { l, h } = { ...colour, l: Math.min(1, Math.max(0, colour.l)) };
  let { c } = colour;
  let channels = displayed({ l, c, h });
  while (c > 0 && channels.some((value) => value < -0.001 || value > 1.001)) {
    c = Math.max(0, c - 0.005);
    channels = displayed({ l, c, h });
  }
  const byte = (value: number) => Math.round(255 * encoded(Math.min(1, Math.max(0, value))));
  return `#${channels.map((value) => byte(value).toString(16).padStart(2, '0')).join('')}`;
}
