import { type Database, type KeysReport, rowsOf } from '@decola/database';
import type { TokenKeys } from '../config/token-keys.js';

/** Which keys of access tokens sign or are accepted, until when tokens of each live, and which may be removed. */
export async function tokenKeysReport(db: Database, { signing, keys }: TokenKeys, now: Date): Promise<KeysReport> {
  const uses = await rowsOf<{ kid: string; live_until: Date }>(db, 'select kid, live_until from token_key_uses order by kid');
  const liveUntil = new Map(
    uses.filter(({ live_until: until }) => until > now).map(({ kid, live_until: until }) => [kid, until.toISOString()]),
  );
  const accepted = keys.map(({ kid }) => {
    const until = liveUntil.get(kid);
    if (kid === signing.kid) return `  ${kid.padEnd(16)} signs    tokens live until ${until ?? '(no replica has signed yet)'}`;
    const verdict = until
      ? `tokens live until ${until}: keep it until then`
      : 'no token lives: may be removed when no replica signs with it';
    return `  ${kid.padEnd(16)} accepts  ${verdict}`;
  });
  const missing = [...liveUntil].filter(([kid]) => !keys.some((key) => key.kid === kid));
  return {
    lines: [
      'TOKEN_KEYS',
      ...accepted,
      ...missing.map(([kid, until]) => `  ${kid.padEnd(16)} MISSING  tokens live until ${until}: they are refused; put the key back`),
    ],
    isKeyMissing: missing.length > 0,
  };
}
