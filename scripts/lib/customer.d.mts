import type { SupabaseClient } from '@supabase/supabase-js';

export interface Endpoints {
  gateway: string;
  publishableKey: string;
}
export interface SubscriptionAnswer {
  subscribed: boolean;
  plan_name: string | null;
  max_slots: number;
  used_slots: number;
}
export function publicClient(endpoints: Endpoints): SupabaseClient;
export function signIn(
  endpoints: Endpoints,
  person: { email: string; password: string; fullName?: string },
): Promise<{ client: SupabaseClient; userId: string }>;
export function callFunction(client: SupabaseClient, name: string, body?: unknown): Promise<Record<string, unknown>>;
export function payCheckout(url: string, card?: string): Promise<string>;
export function ensurePlan(client: SupabaseClient, planKey: string): Promise<SubscriptionAnswer>;
export function ensureSlots(client: SupabaseClient, userId: string, atLeast?: number): Promise<number>;
export function createAutomation(
  client: SupabaseClient,
  automation: { userId: string; name: string; type: string; configuration: Record<string, unknown>; draft?: boolean },
): Promise<Record<string, unknown> & { id: string }>;
export function publishWheel(
  endpoints: Pick<Endpoints, 'gateway'>,
  customer: { client: SupabaseClient; userId: string },
  wheel: {
    name: string;
    prizes: { id: string; name: string; quantity: number; type: 'digital' | 'physical'; message: string }[];
    leadFields: { name: string; label: string; required?: boolean }[];
    [section: string]: unknown;
  },
): Promise<{ id: string; token: string; link: string }>;
export function until<Answer>(
  what: string,
  attempt: () => Promise<Answer | undefined | false> | Answer | undefined | false,
  options?: { timeoutMs?: number; everyMs?: number },
): Promise<Answer>;
