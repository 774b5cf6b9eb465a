/** A row of `factors` without its encrypted secret. */
export interface FactorRecord {
  id: string;
  friendly_name: string;
  factor_type: 'totp';
  status: 'unverified' | 'verified';
  last_challenged_at: string | null;
  created_at: string;
  updated_at: string;
}

/** PostgreSQL writes instants inside JSON in its own format and time zone. */
export const toIsoInstant = (text: string) => new Date(text).toISOString();

/** The factor object of auth-v1, section 2.3. */
export function toFactorView(factor: FactorRecord): Record<string, unknown> {
  return {
    id: factor.id,
    ...(factor.friendly_name === '' ? {} : { friendly_name: factor.friendly_name }),
    factor_type: factor.factor_type,
    status: factor.status,
    phone: '',
    last_challenged_at: factor.last_challenged_at === null ? null : toIsoInstant(factor.last_challenged_at),
    created_at: toIsoInstant(factor.created_at),
    updated_at: toIsoInstant(factor.updated_at),
  };
}

/** Whether the account is protected by a second factor. An unverified factor protects nothing. */
export function hasSecondFactor({ factors }: { factors: readonly Pick<FactorRecord, 'status'>[] }): boolean {
  return factors.some(({ status }) => status === 'verified');
}
