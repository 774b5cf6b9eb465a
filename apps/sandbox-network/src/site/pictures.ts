import sharp from 'sharp';
import { hash } from '../population/hashing.js';

const colour = (key: number, salt: number): string => `hsl(${hash(key, salt) % 360} 60% ${45 + (hash(key, salt, 1) % 30)}%)`;

/** JPEG files by name. The network sends photographs too: an SVG would cost the browser a document of its own for each picture. */
const drawn = new Map<string, Promise<Buffer>>();

function draw(name: string, svg: () => string): Promise<Buffer> {
  const known = drawn.get(name);
  if (known) return known;
  const picture = sharp(Buffer.from(svg())).jpeg({ quality: 70 }).toBuffer();
  drawn.set(name, picture);
  return picture;
}

/** A profile picture; grey for accounts without one. */
export const avatar = (kind: number | null): Promise<Buffer> => draw(`avatar ${kind}`, () => avatarSvg(kind));

export const photo = (kind: number): Promise<Buffer> => draw(`photo ${kind}`, () => photoSvg(kind));

function avatarSvg(kind: number | null): string {
  const [back, front] = kind === null ? ['#dbdbdb', '#fafafa'] : [colour(kind, 1), colour(kind, 2)];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="44" height="44"><rect width="44" height="44" fill="${back}"/><circle cx="22" cy="17" r="8" fill="${front}"/><ellipse cx="22" cy="38" rx="14" ry="11" fill="${front}"/></svg>`;
}

/** Photographs have detail in each of their parts, also in those without a shape. */
const texture =
  '<pattern id="texture" width="16" height="16" patternUnits="userSpaceOnUse"><path d="M0 0h8v8H0Z" fill="#000" opacity=".2"/></pattern>' +
  '<rect width="320" height="320" fill="url(#texture)"/>';

function photoSvg(kind: number): string {
  const shapes = Array.from(
    { length: 5 },
    (_, shape) =>
      `<circle cx="${hash(kind, shape, 3) % 320}" cy="${hash(kind, shape, 4) % 320}" r="${30 + (hash(kind, shape, 5) % 90)}" fill="${colour(kind, 10 + shape)}" opacity=".8"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="320"><rect width="320" height="320" fill="${colour(kind, 9)}"/>${shapes.join('')}${texture}</svg>`;
}
