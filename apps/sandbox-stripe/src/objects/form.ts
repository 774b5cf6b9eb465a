export type Parameters = Record<string, unknown>;

/** Decodes Stripe's form encoding: `a[b]=x`, `items[0][price]=y`, `list[]=z`. */
export function decodeForm(text: string): Parameters {
  const result: Parameters = {};
  for (const [name, value] of new URLSearchParams(text)) assign(result, segmentsOf(name), value);
  return result;
}

function segmentsOf(name: string): string[] {
  const [head = '', ...rest] = name.split('[');
  return [head, ...rest.map((segment) => segment.replace(/\]$/, ''))];
}

const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

function assign(root: Parameters, segments: readonly string[], value: string): void {
  if (segments.some((segment) => forbidden.has(segment))) return;
  let target: Parameters | unknown[] = root;
  segments.forEach((segment, index) => {
    const key: string | number = Array.isArray(target) ? (segment === '' ? target.length : Number(segment)) : segment;
    const next = segments[index + 1];
    const place = target as Record<string | number, unknown>;
    if (next === undefined) {
      place[key] = value;
      return;
    }
    if (typeof place[key] !== 'object' || place[key] === null) place[key] = next === '' || /^\d+$/.test(next) ? [] : {};
    target = place[key] as Parameters | unknown[];
  });
}

/** Stripe's name of a parameter: `items[0][price]` for the path `items`, `0`, `price`. */
export function parameterName(path: readonly string[]): string {
  const [head = '', ...rest] = path;
  return head + rest.map((segment) => `[${segment}]`).join('');
}
