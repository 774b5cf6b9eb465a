/** Which page an address shows; its parts come from the address as they are. */
export type WheelRoute =
  | { page: 'wheel'; automationId: string; token: string | null }
  | { page: 'trial' }
  | { page: 'receipt'; code: string }
  | { page: 'privacy'; code: string }
  | { page: 'audit' };

const patterns: readonly (readonly [RegExp, (part: string, search: string) => WheelRoute])[] = [
  [
    /^\/prize-wheel(?:\/+([^/]+))?\/*$/i,
    (automationId, search) => ({ page: 'wheel', automationId, token: new URLSearchParams(search).get('token') }),
  ],
  [/^\/teste-roleta\/*$/i, () => ({ page: 'trial' })],
  [/^\/comprovante\/([^/]+)\/*$/i, (code) => ({ page: 'receipt', code })],
  [/^\/meus-dados\/([^/]+)\/*$/i, (code) => ({ page: 'privacy', code })],
  [/^\/auditoria\/*$/i, () => ({ page: 'audit' })],
];

/** The gateway sends these pages for `wheelPagePaths` of `@decola/contracts` alone; the two lists are compared in `route.spec.ts`. */
export function routeOf({ pathname, search }: Pick<Location, 'pathname' | 'search'>): WheelRoute | null {
  for (const [pattern, read] of patterns) {
    const found = pattern.exec(pathname);
    if (found) return read(decoded(found[1] ?? ''), search);
  }
  return null;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
