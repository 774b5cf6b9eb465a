import { setTimeout as sleep } from 'node:timers/promises';
import {
  createRemoteJWKSet,
  type CryptoKey,
  customFetch,
  errors,
  type FetchImplementation,
  type FlattenedJWSInput,
  type JWSHeaderParameters,
} from 'jose';

/** How long keys are used without asking identity for them again. Identity publishes a key long before it signs with it. */
export const maxAgeMs = 600_000;
/** Shortest time between two fetches for the sake of unknown keys: anybody can send tokens that name one. */
const refetchGapMs = 1_000;

export interface PublishedKeysOptions {
  url: URL;
  fetch: FetchImplementation;
}

/**
 * Identity's public keys. For a token with an unknown key they are fetched again before the token is refused: a replica of identity may sign with a key that was
 * published after the last fetch. All tokens that wait share one fetch.
 */
export class PublishedKeys {
  private readonly keys: ReturnType<typeof createRemoteJWKSet>;
  private refetching: Promise<void> | undefined;
  private refetchedAt = -Infinity;

  constructor({ url, fetch }: PublishedKeysOptions) {
    this.keys = createRemoteJWKSet(url, {
      cacheMaxAge: maxAgeMs,
      // jose refuses unknown keys for this long after a fetch; `refetch` decides instead.
      cooldownDuration: Infinity,
      timeoutDuration: 5_000,
      [customFetch]: fetch,
    });
  }

  /** For `jwtVerify`. @throws errors.JWKSNoMatchingKey when identity does not publish the token's key */
  readonly keyOf = async (header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> => {
    try {
      return await this.keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    }
    await this.refetch();
    return this.keys(header, token);
  };

  /** While other keys are on their way, what is verified may have been verified with the old ones. */
  get isFetching(): boolean {
    return this.keys.reloading;
  }

  private refetch(): Promise<void> {
    this.refetching ??= (async () => {
      await sleep(Math.max(this.refetchedAt + refetchGapMs - performance.now(), 0));
      this.refetchedAt = performance.now();
      await this.keys.reload();
    })().finally(() => (this.refetching = undefined));
    return this.refetching;
  }
}
