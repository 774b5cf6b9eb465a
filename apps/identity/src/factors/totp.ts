import { Secret, TOTP } from 'otpauth';
import QRCode from 'qrcode';

/** What every authenticator app takes without being told (RFC 6238, and the defaults of the key URI format). */
const algorithm = 'SHA1';
const digits = 6;
const periodSeconds = 30;
/** A clock may go wrong by one step. */
const window = 1;
const secretBytes = 20; // the length of a SHA-1 key, RFC 4226 section 4

/** A new secret: base32 without padding, 32 characters. */
export function newSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/** Where authenticator apps read secret and names from. */
export function keyUri({ issuer, account, secret }: { issuer: string; account: string; secret: string }): string {
  const [name, person] = [encodeURIComponent(issuer), encodeURIComponent(account)];
  return `otpauth://totp/${name}:${person}?algorithm=${algorithm}&digits=${digits}&issuer=${name}&period=${periodSeconds}&secret=${secret}`;
}

/** The picture to scan, as SVG that may follow `data:image/svg+xml;utf-8,` as it is: a `#` would end the address there. */
export async function qrCode(uri: string): Promise<string> {
  const svg = await QRCode.toString(uri, { type: 'svg', errorCorrectionLevel: 'M', margin: 2 });
  return svg.replaceAll('#ffffff', 'white').replaceAll('#000000', 'black').trim();
}

/** The time step that `code` belongs to, among those that count now; null when it is none of them. */
export function stepOf(code: string, secret: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const totp = new TOTP({ secret: Secret.fromBase32(secret), algorithm, digits, period: periodSeconds });
  const delta = totp.validate({ token: code, timestamp: now.getTime(), window });
  return delta === null ? null : Math.floor(now.getTime() / 1000 / periodSeconds) + delta;
}
