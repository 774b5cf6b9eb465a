import { Clock, CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { errors, importJWK, jwtVerify, SignJWT, type CryptoKey, type JWK } from 'jose';
import { badJwt, malformedSubject, missingSubject, noAuthorization } from '../auth-protocol/auth.errors.js';
import type { IdentityConfig } from '../config/config.js';
import type { TokenKey } from '../config/token-keys.js';
import { appMetadata, type UserRecord } from '../users/user.view.js';

export interface SessionClaims {
  id: string;
  aal: 'aal1' | 'aal2';
  amr: { method: string; timestamp: number }[];
}

export interface VerifiedToken {
  userId: string;
  sessionId: string;
  aal: 'aal1' | 'aal2';
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Signs and verifies access tokens (auth-v1, 3). Only ES256 with the keys of TOKEN_KEYS is accepted. */
@Injectable()
export class AccessTokens {
  private readonly keys: Promise<Map<string, CryptoKey>>;
  private readonly signing: Promise<CryptoKey>;

  constructor(
    @Inject(CONFIG) private readonly config: IdentityConfig,
    private readonly clock: Clock,
  ) {
    const load = async (jwk: JWK) => (await importJWK(jwk, 'ES256')) as CryptoKey;
    const publicHalf = ({ d: _d, ...rest }: TokenKey) => rest as JWK;
    this.signing = load(config.TOKEN_KEYS.signing);
    this.keys = Promise.all(config.TOKEN_KEYS.keys.map(async (key) => [key.kid, await load(publicHalf(key))] as const)).then(
      (entries) => new Map(entries),
    );
  }

  /** @param seconds lifetime of the token. @returns the token and its expiry in epoch seconds */
  async sign(user: UserRecord, session: SessionClaims, at: Date, seconds: number): Promise<{ token: string; expiresAt: number }> {
    const issuedAt = Math.floor(at.getTime() / 1000);
    const expiresAt = issuedAt + seconds;
    const token = await new SignJWT({
      role: 'authenticated',
      email: user.email,
      phone: '',
      app_metadata: appMetadata(user),
      user_metadata: user.user_metadata,
      session_id: session.id,
      aal: session.aal,
      amr: session.amr,
      is_anonymous: false,
    })
      .setProtectedHeader({ alg: 'ES256', kid: this.config.TOKEN_KEYS.signing.kid, typ: 'JWT' })
      .setIssuer(this.config.TOKEN_ISSUER)
      .setSubject(user.id)
      .setAudience('authenticated')
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .sign(await this.signing);
    return { token, expiresAt };
  }

  /** @param authorization the request header. @throws AuthError by the table of auth-v1, section 3 */
  async verify(authorization: string | undefined): Promise<VerifiedToken> {
    const token = /^Bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1];
    if (!token) throw noAuthorization();
    const keys = await this.keys;
    try {
      const { payload } = await jwtVerify(
        token,
        ({ kid }) => {
          const key = keys.get(kid ?? '');
          if (!key) throw new errors.JWKSNoMatchingKey();
          return key;
        },
        { algorithms: ['ES256'], audience: 'authenticated', issuer: this.config.TOKEN_ISSUER, currentDate: this.clock.now() },
      );
      if (!payload.sub) throw missingSubject();
      const sessionId = payload['session_id'];
      if (!uuid.test(payload.sub)) throw malformedSubject();
      if (typeof sessionId !== 'string') throw badJwt('the claims are not ours');
      return { userId: payload.sub, sessionId, aal: payload['aal'] === 'aal2' ? 'aal2' : 'aal1' };
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw badJwt('token is expired');
      if (error instanceof errors.JOSEError || error instanceof TypeError) throw badJwt('token is malformed or not signed by us');
      throw error;
    }
  }

  /** The public keys, for everyone who verifies tokens, also of keys that do not sign yet. */
  jwks(): { keys: Record<string, unknown>[] } {
    return {
      keys: this.config.TOKEN_KEYS.keys.map(({ kty, kid, crv, x, y }) => ({
        kty,
        kid,
        crv,
        x,
        y,
        alg: 'ES256',
        use: 'sig',
        key_ops: ['verify'],
      })),
    };
  }
}
