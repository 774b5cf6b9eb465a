import { randomOf } from '../random/random.js';
import { pngOf } from './png.js';

export const sizes = ['1024x1024', '1536x1024', '1024x1536', '1792x1024', '1024x1792', '512x512', '256x256'] as const;
export type Size = (typeof sizes)[number];

type Colour = [red: number, green: number, blue: number];

/** A calm picture of a sky and hills, computed from the seed. */
export function pictureOf(size: Size, ...seed: (string | number)[]): Buffer {
  const random = randomOf('picture', ...seed);
  const [width, height] = size.split('x').map(Number) as [number, number];
  const colour = (): Colour => [random.integer(60, 220), random.integer(60, 220), random.integer(90, 240)];
  const [top, bottom] = [colour(), colour()];
  const hills = Array.from({ length: 4 }, (_, index) => ({
    colour: colour().map((part) => Math.round((part * (4 - index)) / 4)) as Colour,
    base: height * (0.45 + index * 0.13),
    rise: height * (0.04 + random.next() * 0.08),
    length: width / (1 + random.next() * 3),
    shift: random.next() * width,
  }));
  const edges = hills.map(({ base, rise, length, shift }) =>
    Float64Array.from({ length: width }, (_, x) => base + rise * Math.sin(((x + shift) / length) * 2 * Math.PI)),
  );
  const rgb = Buffer.alloc(width * height * 3);
  let at = 0;
  for (let y = 0; y < height; y++) {
    const share = y / height;
    const sky = top.map((part, index) => Math.round(part + ((bottom[index] ?? 0) - part) * share)) as Colour;
    for (let x = 0; x < width; x++) {
      let shown = sky;
      for (let index = 0; index < hills.length; index++) if (y > (edges[index]?.[x] ?? height)) shown = hills[index]?.colour ?? sky;
      rgb[at++] = shown[0];
      rgb[at++] = shown[1];
      rgb[at++] = shown[2];
    }
  }
  return pngOf(width, height, rgb);
}
