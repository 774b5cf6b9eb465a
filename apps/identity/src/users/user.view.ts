import { type FactorRecord, toFactorView, toIsoInstant } from './factor.view.js';

/** A row of `users` with its identities, second factors and roles. */
export interface UserRecord {
  id: string;
  email: string;
  password_hash: string | null;
  email_confirmed_at: Date | null;
  /** When a mail to the address was first answered. `email_confirmed_at` proves nothing: addresses are confirmed at sign-up. */
  mailbox_proven_at: Date | null;
  confirmation_sent_at: Date | null;
  recovery_sent_at: Date | null;
  reauthentication_sent_at: Date | null;
  new_email: string | null;
  email_change_sent_at: Date | null;
  user_metadata: Record<string, unknown>;
  last_sign_in_at: Date | null;
  banned_until: Date | null;
  created_at: Date;
  updated_at: Date;
  roles: string[];
  identities: IdentityRecord[];
  factors: FactorRecord[];
}

export interface IdentityRecord {
  identity_id: string;
  user_id: string;
  provider: string;
  provider_id: string;
  identity_data: Record<string, unknown>;
  last_sign_in_at: string | null;
  created_at: string;
  updated_at: string;
}

const optionalInstant = (name: string, date: Date | null) => (date === null ? {} : { [name]: date.toISOString() });

/** Whether an operator has banned the person until after `now`. */
export function isBanned({ banned_until: until }: Pick<UserRecord, 'banned_until'>, now: Date): boolean {
  return until !== null && until > now;
}

export function appMetadata(user: Pick<UserRecord, 'roles' | 'identities'>): Record<string, unknown> {
  const providers = user.identities.map(({ provider }) => provider);
  return {
    provider: providers[0] ?? 'email',
    providers: providers.length > 0 ? providers : ['email'],
    ...(user.roles.length > 0 ? { roles: user.roles } : {}),
  };
}

/** The user object of auth-v1, section 2.1. It lists its fields one by one so that no hash or token can slip in. */
export function toUserView(user: UserRecord): Record<string, unknown> {
  return {
    id: user.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: user.email,
    phone: '',
    ...optionalInstant('email_confirmed_at', user.email_confirmed_at),
    ...optionalInstant('confirmed_at', user.email_confirmed_at),
    ...optionalInstant('confirmation_sent_at', user.confirmation_sent_at),
    ...optionalInstant('recovery_sent_at', user.recovery_sent_at),
    ...optionalInstant('reauthentication_sent_at', user.reauthentication_sent_at),
    ...optionalInstant('email_change_sent_at', user.email_change_sent_at),
    ...(user.new_email === null ? {} : { new_email: user.new_email }),
    ...optionalInstant('last_sign_in_at', user.last_sign_in_at),
    ...optionalInstant('banned_until', user.banned_until),
    app_metadata: appMetadata(user),
    user_metadata: user.user_metadata,
    identities: user.identities.map(({ provider_id, last_sign_in_at: lastSignIn, ...identity }) => ({
      ...identity,
      id: provider_id,
      email: identity.identity_data['email'] ?? user.email,
      ...(lastSignIn === null ? {} : { last_sign_in_at: toIsoInstant(lastSignIn) }),
      created_at: toIsoInstant(identity.created_at),
      updated_at: toIsoInstant(identity.updated_at),
    })),
    ...(user.factors.length === 0 ? {} : { factors: user.factors.map(toFactorView) }),
    created_at: user.created_at.toISOString(),
    updated_at: user.updated_at.toISOString(),
    is_anonymous: false,
  };
}
