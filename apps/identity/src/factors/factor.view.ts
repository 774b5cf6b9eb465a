/** A row of `factors` as a user carries it: the sealed secret is never read with it. */
export interface FactorRecord {
  id: string;
  friendly_name: string;
  factor_type: 'totp';
  status: 'unverified' | 'verified';
  last_challenged_at: string | null;
  created_at: string;
  updated_at: string;
}

const instant = (text: string) => new Date(text).toISOString();

/** The factor of the wire (auth-v1, 2.3). */
export function toFactorView(factor: FactorRecord): Record<string, unknown> {
  return {
    id: factor.id,
    ...(factor.friendly_name === '' ? {} : { friendly_name: factor.friendly_name }),
    factor_type: factor.factor_type,
    status: factor.status,
    phone: '',
    last_challenged_at: factor.last_challenged_at === null ? null : instant(factor.last_challenged_at),
    created_at: instant(factor.created_at),
    updated_at: instant(factor.updated_at),
  };
}

/** Whether this person protects the account with a second factor: only verified ones count. */
export function hasSecondFactor({ factors }: { factors: readonly Pick<FactorRecord, 'status'>[] }): boolean {
  return factors.some(({ status }) => status === 'verified');
}
