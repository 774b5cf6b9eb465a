import { hash } from '../population/numbers.js';

const colour = (key: number, salt: number): string => `hsl(${hash(key, salt) % 360} 60% ${45 + (hash(key, salt, 1) % 30)}%)`;

/** A face for whoever has a picture; grey for whoever has none. */
export function avatar(kind: number | null): string {
  const [back, front] = kind === null ? ['#dbdbdb', '#fafafa'] : [colour(kind, 1), colour(kind, 2)];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 44 44"><rect width="44" height="44" fill="${back}"/><circle cx="22" cy="17" r="8" fill="${front}"/><ellipse cx="22" cy="38" rx="14" ry="11" fill="${front}"/></svg>`;
}

export function photo(kind: number): string {
  const shapes = Array.from(
    { length: 5 },
    (_, shape) =>
      `<circle cx="${hash(kind, shape, 3) % 320}" cy="${hash(kind, shape, 4) % 320}" r="${30 + (hash(kind, shape, 5) % 90)}" fill="${colour(kind, 10 + shape)}" opacity=".8"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 320"><rect width="320" height="320" fill="${colour(kind, 9)}"/>${shapes.join('')}</svg>`;
}
