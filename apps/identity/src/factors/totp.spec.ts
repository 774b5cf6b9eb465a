import { Secret, TOTP, URI } from 'otpauth';
import { keyUri, newSecret, qrCode, stepOf } from './totp.js';

/** The secret of RFC 6238, appendix B. */
const secret = Secret.fromLatin1('12345678901234567890').base32;
const at = (seconds: number) => new Date(seconds * 1000);

describe('codes of an authenticator app', () => {
  it('accepts the codes of RFC 6238, cut to six digits', () => {
    expect(stepOf('287082', secret, at(59))).toBe(1);
    expect(stepOf('081804', secret, at(1_111_111_109))).toBe(37_037_036);
    expect(stepOf('005924', secret, at(1_234_567_890))).toBe(41_152_263);
  });

  it('accepts codes of the step before and after, and no others', () => {
    const code = (seconds: number) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: seconds * 1000 });
    expect(stepOf(code(1_000_000), secret, at(1_000_030))).toBe(33_333);
    expect(stepOf(code(1_000_000), secret, at(999_970))).toBe(33_333);
    expect(stepOf(code(1_000_000), secret, at(1_000_060))).toBeNull();
    expect(stepOf(code(1_000_000), secret, at(999_930))).toBeNull();
  });

  it.each(['', '28708', '2870822', ' 287082', '287082\n', '２８７０８２', '-87082', '0x1234'])('refuses %j', (text) => {
    expect(stepOf(text, secret, at(59))).toBeNull();
  });

  it('creates secrets of 160 bits, which an app reads from the URI', () => {
    const created = newSecret();
    expect(created).toMatch(/^[A-Z2-7]{32}$/);
    expect(newSecret()).not.toBe(created);
    const uri = keyUri({ issuer: 'Decola & Cia', account: 'ana+1@example.com', secret: created });
    expect(URI.parse(uri)).toMatchObject({
      issuer: 'Decola & Cia',
      label: 'ana+1@example.com',
      algorithm: 'SHA1',
      digits: 6,
      period: 30,
      secret: expect.objectContaining({ base32: created }) as unknown,
    });
  });

  it('draws a QR code that can be part of a data URI', async () => {
    const svg = await qrCode(keyUri({ issuer: 'Decola', account: 'ana@example.com', secret }));
    expect(svg).toMatch(/^<svg [^]*<\/svg>$/);
    expect(svg).not.toContain('#');
  });
});
