import type { PrizeState } from '@decola/contracts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '../../lib/api-client';
import { livePolling } from '../../lib/live-state';

/** A person who spun, as the REST table `leads` shows them. */
export interface Lead {
  /** Id of the participation. */
  id: string;
  /** Position in the wheel, from 1. */
  number: number;
  /** Without `@`. */
  username: string;
  name: string | null;
  whatsapp: string | null;
  telephone: string | null;
  email: string | null;
  address: string | null;
  prize_name: string;
  prize_type: string;
  /** Without hyphens. */
  code: string;
  state: PrizeState;
  delivered_at: string | null;
  captured_at: string;
  valid_until: string | null;
  /** Channels on which the person wants news. */
  accepts: readonly string[] | null;
  /** Of the texts that the person accepted; null when the wheel asked nothing. */
  consent_version: string | null;
}

export const leadStates = ['won', 'delivered', 'expired', 'voided'] as const satisfies readonly PrizeState[];

export interface LeadFilter {
  state: PrizeState | null;
  /** What is searched, as the server stores it: lower case. Empty for everybody. */
  search: string;
  /** Name of a prize; empty for all. */
  prize: string;
  /** Only these participations. */
  numbers: readonly number[] | null;
}

export const leadsPerPage = 50;

const columns =
  'id,number,username,name,whatsapp,telephone,email,address,prize_name,prize_type,code,state,delivered_at,captured_at,valid_until,accepts,consent_version';
const pollMs = 10_000;

/** Leads of a wheel that match. PostgREST's builders are too deep for generics, so only what is used here is named. */
function select(automationId: string, { state, search, prize, numbers }: LeadFilter, options = {}) {
  let query = client().from('leads').select(columns, options).eq('automation_id', automationId);
  if (state !== null) query = query.eq('state', state);
  // An underscore is part of many names, and a wildcard of LIKE.
  if (search !== '') query = query.ilike('search', `%${search.replace(/[\\%_]/g, String.raw`\$&`)}%`);
  if (prize !== '') query = query.eq('prize_name', prize);
  if (numbers !== null) query = query.in('number', [...numbers]);
  return query;
}

const noFilter: LeadFilter = { state: null, search: '', prize: '', numbers: null };

/** A page of leads, newest first. @param before number of the last lead of the page before; null for the first page */
export const leadPageQuery = (userId: string, automationId: string, filter: LeadFilter, before: number | null) =>
  queryOptions({
    queryKey: ['leads', userId, automationId, 'page', filter, before],
    queryFn: async () => {
      const query = select(automationId, filter);
      return unwrap(
        await (before === null ? query : query.lt('number', before))
          .order('number', { ascending: false })
          .limit(leadsPerPage)
          .overrideTypes<Lead[], { merge: false }>(),
      );
    },
    placeholderData: keepPreviousData,
    refetchInterval: () => livePolling(pollMs),
  });

async function countOf(automationId: string, filter: LeadFilter): Promise<number> {
  const { count, error } = await select(automationId, filter, { count: 'exact', head: true });
  unwrap({ data: true, error });
  return count ?? 0;
}

/** How many leads there are of each state, of those that match the rest of the filter. */
export const leadCountsQuery = (userId: string, automationId: string, filter: LeadFilter) => {
  const ofAllStates = { ...filter, state: null };
  return queryOptions({
    queryKey: ['leads', userId, automationId, 'counts', ofAllStates],
    queryFn: async () => {
      const counts = await Promise.all(leadStates.map((state) => countOf(automationId, { ...filter, state })));
      const [won = 0, delivered = 0, expired = 0, voided = 0] = counts;
      return { all: won + delivered + expired + voided, won, delivered, expired, voided };
    },
    placeholderData: keepPreviousData,
    refetchInterval: () => livePolling(pollMs),
  });
};

/** The whole name of the person who won a prize; its look-up masks it. Null when they are no lead any more. */
export const winnerQuery = (userId: string, automationId: string, number: number) =>
  queryOptions({
    queryKey: ['leads', userId, automationId, 'winner', number],
    queryFn: async () => {
      const [lead] = unwrap(
        await select(automationId, { ...noFilter, numbers: [number] })
          .limit(1)
          .overrideTypes<Lead[], { merge: false }>(),
      );
      return lead ? `@${lead.username}` : null;
    },
  });

/** The prize that was handed over last; null when there is none. */
export const lastDeliveredQuery = (userId: string, automationId: string) =>
  queryOptions({
    queryKey: ['leads', userId, automationId, 'last-delivered'],
    queryFn: async () => {
      const [lead] = unwrap(
        await select(automationId, { ...noFilter, state: 'delivered' })
          .order('delivered_at', { ascending: false })
          .limit(1)
          .overrideTypes<Lead[], { merge: false }>(),
      );
      return lead ?? null;
    },
    refetchInterval: () => livePolling(pollMs),
  });
