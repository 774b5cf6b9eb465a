import { randomUUID } from 'node:crypto';
import { drawCover } from './draw-cover.js';
import { encodeDrawing } from './encode-picture.js';

describe('the drawn cover', () => {
  it('is the same for one seed, today and in a later version', async () => {
    expect(drawCover('3fa85f64-5717-4562-b3fc-2c963f66afa6')).toBe(drawCover('3fa85f64-5717-4562-b3fc-2c963f66afa6'));
    const { hash } = await encodeDrawing(drawCover('3fa85f64-5717-4562-b3fc-2c963f66afa6'));
    expect(hash).toBe('cb2a50c8a336d2f00aebd23852d5bd84');
  });

  it('differs between articles, in pattern and hue', () => {
    const covers = Array.from({ length: 300 }, () => drawCover(randomUUID()));
    expect(new Set(covers).size).toBe(300);
    expect(new Set(covers.map((cover) => /<rect[^>]* fill="(#\w{6})"/.exec(cover)?.[1])).size).toBe(9);
  });

  it('has shapes only: no text, which needs fonts, and nothing from elsewhere', () => {
    for (let n = 0; n < 100; n++) {
      const cover = drawCover(String(n));
      expect(cover).not.toMatch(/<(?:text|image|use|style|script|foreignObject)|href|url\(|NaN|undefined|Infinity/);
      expect(cover.length).toBeLessThan(16_000);
    }
  });
});
