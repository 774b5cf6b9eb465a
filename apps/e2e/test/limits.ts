const plenty = String(10_000_000);

/** Limits that a whole test from one address does not meet. */
export const generousLimits: Record<'gateway' | 'identity', Record<string, string>> = {
  gateway: {
    RATE_LIMIT_REQUESTS_PER_MINUTE: plenty,
    RATE_LIMIT_USER_REQUESTS_PER_MINUTE: plenty,
    RATE_LIMIT_WEBHOOK_FAILURES_PER_MINUTE: plenty,
    RATE_LIMIT_AUTH_PER_5_MINUTES: plenty,
    RATE_LIMIT_MFA_PER_2_MINUTES: plenty,
  },
  identity: { MAIL_GAP_SECONDS: '0' },
};
