import { UnknownKeyError } from '@decola/service-kit';
import { TokenSeals } from './token-seals.js';

const key = (fill: number) => Buffer.alloc(32, fill).toString('base64');

describe('sealed tokens', () => {
  const seals = new TokenSeals(`k1:${key(1)}`);

  it('open for their customer only', () => {
    const sealed = seals.encode('segredo', 'ana');
    expect(sealed).not.toContain('segredo');
    expect([seals.decode(sealed, 'ana'), seals.decode(sealed, 'bia')]).toEqual(['segredo', null]);
  });

  it('open with an older key of the ring, and with no other one', () => {
    const sealed = seals.encode('segredo', 'ana');
    expect(new TokenSeals(`k2:${key(2)},k1:${key(1)}`).decode(sealed, 'ana')).toBe('segredo');
    expect(() => new TokenSeals(`k2:${key(2)}`).decode(sealed, 'ana')).toThrow(UnknownKeyError);
  });

  it('are read as they are when a version before stored them plain', () => {
    for (const token of ['segredo', 'v1.a.b.c', '']) expect(seals.decode(token, 'ana')).toBe(token);
  });

  it('may look like sealed ones', () => {
    const odd = seals.encode('x', 'bia');
    expect(seals.decode(seals.encode(odd, 'ana'), 'ana')).toBe(odd);
  });
});
