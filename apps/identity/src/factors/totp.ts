import { Secret, TOTP } from 'otpauth';
import QRCode from 'qrcode';

/** The defaults of RFC 6238 and of the key URI format: apps ignore other values. */
const algorithm = 'SHA1';
const digits = 6;
const periodSeconds = 30;
/** Steps before and after the current one whose codes are accepted, for clocks that are wrong. */
const window = 1;
const secretBytes = 20; // the length of a SHA-1 key, RFC 4226 section 4

/** A new secret: base32 without padding, 32 characters. */
export function newSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/** The `otpauth:` address from which authenticator apps read the secret and the names. */
export function keyUri({ issuer, account, secret }: { issuer: string; account: string; secret: string }): string {
  const [name, person] = [encodeURIComponent(issuer), encodeURIComponent(account)];
  return `otpauth://totp/${name}:${person}?algorithm=${algorithm}&digits=${digits}&issuer=${name}&period=${periodSeconds}&secret=${secret}`;
}

/** The QR code as SVG. It contains no `#`, so that clients may put it after `data:image/svg+xml;utf-8,` without escaping. */
export async function qrCode(uri: string): Promise<string> {
  const svg = await QRCode.toString(uri, { type: 'svg', errorCorrectionLevel: 'M', margin: 2 });
  return svg.replaceAll('#ffffff', 'white').replaceAll('#000000', 'black').trim();
}

/** The time step whose code this is, among the steps accepted at `now`; null for a wrong code. */
export function stepOf(code: string, secret: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const totp = new TOTP({ secret: Secret.fromBase32(secret), algorithm, digits, period: periodSeconds });
  const delta = totp.validate({ token: code, timestamp: now.getTime(), window });
  return delta === null ? null : Math.floor(now.getTime() / 1000 / periodSeconds) + delta;
}
