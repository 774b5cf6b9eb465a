import { parseJson } from './body-parsers.js';

const nested = (depth: number) => Buffer.from(`${'{"a":['.repeat(depth / 2)}${']}'.repeat(depth / 2)}`);

describe('parseJson', () => {
  it('accepts up to 100 levels', () => {
    expect(() => parseJson(nested(100))).not.toThrow();
    expect(parseJson(Buffer.from(JSON.stringify('[{'.repeat(500))))).toBe('[{'.repeat(500));
    expect(parseJson(Buffer.from(JSON.stringify({ quoted: '\\"[[' })))).toEqual({ quoted: '\\"[[' });
    expect(parseJson(Buffer.from(JSON.stringify(Array.from({ length: 500 }, () => [{}]))))).toHaveLength(500);
  });

  it('refuses deeper nesting, which could overflow the stack of later code', () => {
    for (const body of [nested(102), nested(200_000), Buffer.from('['.repeat(1_000_000))])
      expect(() => parseJson(body)).toThrow(expect.objectContaining({ status: 400, code: 'validation_failed' }) as Error);
  });

  it('refuses what is not JSON', () => {
    for (const text of ['{"a"', 'hello', '', '"\\'])
      expect(() => parseJson(Buffer.from(text))).toThrow(expect.objectContaining({ status: 400, code: 'bad_json' }) as Error);
  });
});
