import { parseJson } from './bodies.js';

const nested = (depth: number) => Buffer.from(`${'{"a":['.repeat(depth / 2)}${']}'.repeat(depth / 2)}`);

describe('JSON bodies', () => {
  it('are read as deep as anything sensible goes', () => {
    expect(() => parseJson(nested(100))).not.toThrow();
    expect(parseJson(Buffer.from(JSON.stringify('[{'.repeat(500))))).toBe('[{'.repeat(500));
    expect(parseJson(Buffer.from(JSON.stringify({ quoted: '\\"[[' })))).toEqual({ quoted: '\\"[[' });
    expect(parseJson(Buffer.from(JSON.stringify(Array.from({ length: 500 }, () => [{}]))))).toHaveLength(500);
  });

  it('are refused when they are nested so deeply that whoever walks through them would fall', () => {
    for (const body of [nested(102), nested(200_000), Buffer.from('['.repeat(1_000_000))])
      expect(() => parseJson(body)).toThrow(expect.objectContaining({ status: 400, code: 'validation_failed' }) as Error);
  });

  it('are refused when they are none', () => {
    for (const text of ['{"a"', 'hello', '', '"\\'])
      expect(() => parseJson(Buffer.from(text))).toThrow(expect.objectContaining({ status: 400, code: 'bad_json' }) as Error);
  });
});
