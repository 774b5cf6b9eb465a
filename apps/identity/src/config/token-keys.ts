import { z } from 'zod';

const privateKey = z.looseObject({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  kid: z.string().min(1),
  d: z.string().min(1),
  x: z.string(),
  y: z.string(),
});
export type TokenKey = z.infer<typeof privateKey>;

/** Keys of access tokens. All of them are published and accepted; one signs. */
export interface TokenKeys {
  signing: TokenKey;
  keys: readonly TokenKey[];
}

const list = z.array(privateKey).min(1);
const keySet = z.strictObject({ active: z.string(), keys: list });

/**
 * A JSON list of private JWKs, of which the first one signs, or `{"active": "<kid>", "keys": [...]}`, of which the named one signs: so every replica accepts a key
 * before one of them signs with it.
 */
export const tokenKeys = z.string().transform((text, context): TokenKeys => {
  const refuse = (message: string) => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse('is not JSON');
  }
  const parsed = z.union([list, keySet]).safeParse(value);
  if (!parsed.success) return refuse('is neither a list of private ES256 keys with kid nor {"active": kid, "keys": list}');
  const keys = Array.isArray(parsed.data) ? parsed.data : parsed.data.keys;
  if (new Set(keys.map(({ kid }) => kid)).size < keys.length) return refuse('has two keys with the same kid');
  const active = Array.isArray(parsed.data) ? keys[0]?.kid : parsed.data.active;
  const signing = keys.find(({ kid }) => kid === active);
  return signing ? { signing, keys } : refuse('has no key with the kid that "active" names');
});
