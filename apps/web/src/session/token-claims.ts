interface TokenClaims {
  /** Authenticator assurance level: `aal2` once a second factor is verified. */
  aal?: unknown;
  session_id?: unknown;
}

/** The claims of an access token, without verifying its signature; null when the token cannot be decoded. */
export function tokenClaims(token: string): TokenClaims | null {
  try {
    const [, claims = ''] = token.split('.');
    return JSON.parse(atob(claims.replace(/-/g, '+').replace(/_/g, '/'))) as TokenClaims;
  } catch {
    return null;
  }
}
