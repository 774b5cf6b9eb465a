/** A seeded generator of random numbers (mulberry32). */
export class Dice {
  private state: number;
  constructor(seed: number) {
    this.state = seed >>> 0;
  }
  /** 0 ≤ x < 1 */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }
  chance(probability: number): boolean {
    return this.next() < probability;
  }
  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let each = 0; each < depth; each += 1) value = each % 2 ? [value] : { a: value };
  return value;
}

/** Values of unexpected types and sizes. */
export const oddValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  -1e308,
  2 ** 53,
  9_223_372_036_854_775_807n.toString(),
  '9223372036854775808',
  '1e400',
  'NaN',
  'infinity',
  '-infinity',
  '',
  ' ',
  '\t\n',
  'null',
  'undefined',
  'x'.repeat(5_000),
  'á'.repeat(300),
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '😀'.repeat(50),
  '\u202e\u200f',
  '%',
  '%zz',
  '*',
  '{}',
  '[]',
  '{"a":1}',
  '{a,b',
  '("',
  "'; drop table users; --",
  "' or '1'='1",
  '$1',
  '${7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  'file:///etc/passwd',
  'http://127.0.0.1:1/',
  'http://169.254.169.254/latest/meta-data',
  'javascript:alert(1)',
  '\r\nx-injected: 1',
  '00000000-0000-0000-0000-000000000000',
  '00000000-0000-0000-0000-00000000000',
  'zzzzzzzz-zzzz-zzzz-zzzz-zzzzzzzzzzzz',
  '2026-13-45T99:99:99Z',
  '275760-09-13T00:00:00Z',
  '0000-00-00',
  '294277-01-01',
  '25:61',
  [],
  {},
  [null],
  [[]],
  [1, 'a', {}],
  { $ne: null },
  { $gt: '' },
  { length: 3 },
  { toString: 'x' },
  { constructor: { prototype: { admin: true } } },
  nested(40),
  Array.from({ length: 300 }, (_, index) => index),
];

/** A variant of a valid value. */
export function mangled(value: unknown, dice: Dice, others: readonly unknown[]): unknown {
  switch (dice.below(5)) {
    case 0:
      return dice.pick(others);
    case 1:
      if (typeof value === 'string' && value.length > 0) {
        const at = dice.below(value.length);
        return value.slice(0, at) + String.fromCharCode(dice.below(0x2f0)) + value.slice(at + dice.below(2));
      }
      return dice.pick(oddValues);
    case 2:
      return dice.chance(0.5) ? [value] : { value };
    default:
      return dice.pick(oddValues);
  }
}

/** A body in which members are wrong, missing or superfluous. */
export function mangledBody(body: Record<string, unknown>, dice: Dice, others: readonly unknown[]): unknown {
  if (dice.chance(0.06)) return dice.pick(oddValues);
  const result: Record<string, unknown> = { ...body };
  for (let count = dice.below(3); count >= 0; count -= 1) {
    const keys = Object.keys(result);
    const key = keys.length > 0 ? dice.pick(keys) : 'id';
    switch (dice.below(6)) {
      case 0:
        delete result[key];
        break;
      case 1:
        result[dice.pick(['__proto__x', 'constructor', 'id', 'user_id', 'role', 'aud', 'is_admin', 'a b', '"', 'é', '', 'select'])] =
          dice.pick([...oddValues, ...others]);
        break;
      default:
        result[key] = mangled(result[key], dice, others);
    }
  }
  if (dice.chance(0.05)) return [result, dice.chance(0.5) ? body : dice.pick(oddValues)];
  return result;
}

/** A body as bytes, sometimes corrupted. */
export function asBytes(body: unknown, dice: Dice): Buffer {
  const text = JSON.stringify(body) ?? '';
  switch (dice.below(20)) {
    case 0:
      return Buffer.from(text.slice(0, dice.below(text.length + 1)));
    case 1: {
      const bytes = Buffer.from(text);
      for (let count = 0; count < 3 && bytes.length > 0; count += 1) bytes[dice.below(bytes.length)] = dice.below(256);
      return bytes;
    }
    case 2:
      return Buffer.from(
        dice.pick([
          '',
          '{',
          '}',
          '[[[',
          '"',
          'nul',
          '-',
          '\ufeff{}',
          '{"a":1}{"b":2}',
          '{"__proto__":{"a":1}}',
          '{"a":1,"a":2}',
          'a=1&b=2',
        ]),
      );
    case 3:
      return Buffer.from(`{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}},${text.slice(1)}`);
    default:
      return Buffer.from(text);
  }
}

const operators =
  'eq neq gt gte lt lte like ilike match imatch is isdistinct in cs cd ov fts plfts sl nope not.eq not.in not.is like(any) eq(all)'.split(
    ' ',
  );

/** A value in the syntax of a query string. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** A value of a query string, percent-encoded, sometimes incorrectly. */
function encoded(value: string, dice: Dice): string {
  // Half of a surrogate pair cannot be percent-encoded.
  const safe = encodeURIComponent(value.toWellFormed());
  return dice.chance(0.04) ? safe + dice.pick(['%', '%zz', '%00', '%c3', '%ff%fe', '+', '&', '=', '#', '%2525']) : safe;
}

/** A query string of rest/v1 that is partly valid. */
export function restQuery(columns: readonly string[], dice: Dice, others: readonly unknown[]): string {
  const column = () =>
    dice.chance(0.85) ? dice.pick(columns) : dice.pick(['nope', '"', 'a->b', 'id->>x', 'configuration->>action', 'x::int', '*', '']);
  const value = () => textOf(dice.chance(0.5) ? dice.pick(others) : dice.pick(oddValues)).slice(0, 600);
  const operator = () => dice.pick(operators);
  const list = () => `(${Array.from({ length: dice.below(4) }, () => (dice.chance(0.5) ? `"${value()}"` : value())).join(',')})`;
  const condition = (depth: number): string =>
    depth > 0 && dice.chance(0.3)
      ? `${dice.pick(['and', 'or', 'not.and'])}(${Array.from({ length: 1 + dice.below(3) }, () => condition(depth - 1)).join(',')})`
      : `${column()}.${operator()}.${dice.chance(0.3) ? list() : value()}`;
  const parts: string[] = [];
  const add = (key: string, each: string) => parts.push(`${encoded(key, dice)}=${encoded(each, dice)}`);
  for (let count = dice.below(5); count > 0; count -= 1) {
    switch (dice.below(9)) {
      case 0:
        add(
          'select',
          dice.pick([
            '*',
            '',
            column(),
            `${column()},${column()}`,
            `x:${column()}`,
            `${column()}::text`,
            `${column()}::nope`,
            'subscription_plans(*)',
            'profiles!inner(*)',
            '...subscription_plans(name)',
            'count()',
            `${column()}.sum()`,
            '(',
            'a(b(c(d)))',
            `${'a('.repeat(30)}${')'.repeat(30)}`,
          ]),
        );
        break;
      case 1:
        add('order', dice.pick([`${column()}.desc`, `${column()}.asc.nullsfirst`, `${column()}.nope`, ',', `${column()},${column()}`]));
        break;
      case 2:
        add(dice.pick(['limit', 'offset']), dice.pick(['0', '1', '5', '-1', '1e9', 'abc', '', '99999999999999999999', '1.5', '00']));
        break;
      case 3:
        add(
          dice.pick(['or', 'and', 'not.or', 'not.and']),
          `(${Array.from({ length: 1 + dice.below(3) }, () => condition(2)).join(',')}${dice.chance(0.9) ? ')' : ''}`,
        );
        break;
      case 4:
        add(dice.pick(['columns', 'on_conflict']), dice.pick([column(), `"${column()}","${column()}"`, '', '"', 'nope']));
        break;
      case 5:
        add(
          dice.pick(['subscription_plans.select', 'subscription_plans.name', 'x.y.z', 'subscription_plans.limit', 'nope.order']),
          value(),
        );
        break;
      default:
        add(column(), `${operator()}.${dice.chance(0.3) ? list() : value()}`);
    }
  }
  return parts.length === 0 ? '' : `?${parts.join('&')}`.slice(0, 8_000);
}

/** A valid query string that asks for more than the sender may read. */
export function plausibleQuery(columns: readonly string[], dice: Dice, others: readonly unknown[]): string {
  const column = () => dice.pick(columns);
  const parts: string[] = [];
  if (dice.chance(0.5)) parts.push(`select=${dice.pick(['*', `${column()}`, `${column()},alias:${column()}`, `${column()}::text`])}`);
  if (dice.chance(0.3)) parts.push(`order=${column()}.${dice.pick(['asc', 'desc', 'desc.nullslast'])}`);
  if (dice.chance(0.3)) parts.push(`limit=${dice.below(20)}`, `offset=${dice.below(3)}`);
  const value = encodeURIComponent(textOf(dice.pick(others)).toWellFormed());
  const id = columns.find((name) => name === 'user_id') ?? columns[0]!;
  switch (dice.below(5)) {
    case 0:
      parts.push(`${id}=eq.${value}`);
      break;
    case 1:
      parts.push(`or=(${id}.eq.${value},${column()}.not.is.null)`);
      break;
    case 2:
      parts.push(`${column()}=not.is.null`);
      break;
    case 3:
      parts.push(`${id}=in.(${value},${value})`);
      break;
    default:
  }
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/** Headers of the API, sometimes with wrong values. Contains only characters that a client can send. */
export function oddHeaders(dice: Dice): Record<string, string> {
  const headers: Record<string, string> = {};
  const some = (probability: number, name: string, values: readonly string[]) => {
    if (dice.chance(probability)) headers[name] = dice.pick(values);
  };
  some(0.15, 'prefer', [
    '',
    'return=representation',
    'return=minimal',
    'return=headers-only',
    'count=exact',
    'count=planned',
    'resolution=merge-duplicates',
    'resolution=ignore-duplicates,return=representation',
    'missing=default',
    'tx=rollback',
    'handling=strict',
    'handling=strict,max-affected=0',
    'max-affected=-1',
    'nope',
    ',,,',
    'return=representation,resolution=merge-duplicates,count=exact',
  ]);
  some(0.12, 'accept', [
    '*/*',
    'application/json',
    'application/vnd.pgrst.object+json',
    'application/vnd.pgrst.plan+json',
    'text/csv',
    'text/html',
    'application/xml',
    'nope',
    'text/html,application/xhtml+xml',
    ';;',
  ]);
  some(0.05, 'range', ['0-9', '5-1', 'bytes=0-10', 'abc', '-', '0-99999999999999']);
  some(0.05, 'accept-profile', ['public', 'private', 'pg_catalog', 'decola_identity', '']);
  some(0.05, 'content-profile', ['public', 'information_schema', 'decola_billing']);
  some(0.3, 'x-supabase-api-version', ['2024-01-01', '2023-01-01', 'nope', '', '9999-99-99']);
  some(0.05, 'content-encoding', ['gzip', 'br', 'nope', 'identity']);
  some(0.05, 'x-forwarded-for', ['198.51.100.1', 'a'.repeat(300), '::1, 127.0.0.1', "'; --"]);
  some(0.05, 'x-decola-client-ip', ['198.51.100.1', 'x'.repeat(500)]);
  some(0.05, 'x-decola-caller', ['eyJyb2xlIjoiYXV0aGVudGljYXRlZCJ9.AAAA', 'nope', '.']);
  some(0.04, 'referer', ['https://mal.example/', 'nope', 'http://127.0.0.1/']);
  some(0.04, 'origin', ['https://mal.example', 'null', 'nope']);
  some(0.04, 'cookie', ['a=b', 'x'.repeat(2_000)]);
  some(0.04, 'user-agent', ['', 'x'.repeat(3_000), "' or 1=1", '<b>']);
  some(0.03, 'expect', ['nope']);
  some(0.03, 'if-none-match', ['*', '"x"']);
  some(0.03, 'x-http-method-override', ['DELETE']);
  some(0.02, 'traceparent', ['00-x', '00-00000000000000000000000000000000-0000000000000000-00']);
  return headers;
}
