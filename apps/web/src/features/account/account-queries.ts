import type { Notices } from '@decola/contracts';
import { queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '../../lib/api-client';

export interface SessionRow {
  id: string;
  created_at: string;
  refreshed_at: string;
  user_agent: string | null;
  ip: string | null;
  aal: 'aal1' | 'aal2';
  is_current: boolean;
}

export interface SecurityEventRow {
  id: number | string;
  kind: string;
  ip: string | null;
  user_agent: string | null;
  created_at: string;
}

export const accountKeys = {
  profile: (userId: string) => ['account', userId, 'profile'] as const,
  notices: (userId: string) => ['account', userId, 'notices'] as const,
  factors: (userId: string) => ['account', userId, 'factors'] as const,
  sessions: (userId: string) => ['account', userId, 'sessions'] as const,
  events: (userId: string) => ['account', userId, 'events'] as const,
};

export const profileQuery = (userId: string) =>
  queryOptions({
    queryKey: accountKeys.profile(userId),
    queryFn: async () =>
      unwrap(await client().from('profiles').select('full_name').eq('user_id', userId).single<{ full_name: string | null }>()),
  });

/** Which mails the customer gets when something needs them. */
export const noticesQuery = (userId: string) =>
  queryOptions({
    queryKey: accountKeys.notices(userId),
    queryFn: async () =>
      unwrap(await client().from('profiles').select('notices').eq('user_id', userId).single<{ notices: Notices }>()).notices,
  });

/** The account's authenticator apps. */
export const factorsQuery = (userId: string) =>
  queryOptions({
    queryKey: accountKeys.factors(userId),
    queryFn: async () => {
      const { data, error } = await client().auth.mfa.listFactors();
      if (error) throw error;
      return data.all.filter(({ factor_type: type }) => type === 'totp');
    },
  });

/** The person's sessions: the current one first, then the most recently used. */
export const sessionsQuery = (userId: string) =>
  queryOptions({
    queryKey: accountKeys.sessions(userId),
    queryFn: async () => {
      const rows = unwrap(
        await client()
          .from('user_sessions')
          .select('id,created_at,refreshed_at,user_agent,ip,aal,is_current')
          .order('refreshed_at', { ascending: false })
          .limit(200)
          .overrideTypes<SessionRow[], { merge: false }>(),
      );
      return [...rows].sort((one, other) => Number(other.is_current) - Number(one.is_current));
    },
  });

/** The newest security events of the account, and whether there are older ones. */
export const securityEventsQuery = (userId: string, count: number) =>
  queryOptions({
    queryKey: [...accountKeys.events(userId), count],
    queryFn: async () => {
      const rows = unwrap(
        await client()
          .from('security_events')
          .select('id,kind,ip,user_agent,created_at')
          .order('created_at', { ascending: false })
          .limit(count + 1)
          .overrideTypes<SecurityEventRow[], { merge: false }>(),
      );
      return { rows: rows.slice(0, count), hasMore: rows.length > count };
    },
    placeholderData: (before) => before,
  });
