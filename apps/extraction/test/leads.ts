import { randomUUID } from 'node:crypto';
import type { leadCaptured, PayloadOf } from '@decola/contracts';
import { authenticated } from '@decola/testing';
import type { Bench, Owner } from './support.js';

export type Lead = PayloadOf<typeof leadCaptured>;

/** A lead of a wheel, as prize-wheel tells of it. */
export function leadOf(owner: Pick<Owner, 'automationId' | 'userId'>, number: number, changes: Partial<Lead> = {}): Lead {
  return {
    participationId: randomUUID(),
    automationId: owner.automationId,
    userId: owner.userId,
    number,
    capturedAt: new Date(Date.UTC(2026, 10, 22, 12, 0, number)).toISOString(),
    handle: `@pessoa.${number}`,
    fields: { nome: `Pessoa ${number}`, whatsapp: '+5511987654321' },
    prize: { id: 'a', name: 'Caneca', type: 'physical' },
    code: '0123456789M',
    ...changes,
  };
}

/** What events about a lead after its draw have in common. */
export const aboutLead = ({ participationId, automationId, userId, number }: Lead, at: string) => ({
  participationId,
  automationId,
  userId,
  number,
  at,
});

/** Opens a published wheel. */
export const openWheel = (place: Bench, configuration: Record<string, unknown> = {}, name = 'Roleta / Natal'): Promise<Owner> =>
  place.open({ type: 'prize-extractor', name, configuration });

/** Reads rows of rest/v1 as somebody. */
export async function restRows<Row = Record<string, unknown>>(place: Bench, userId: string, query: string): Promise<Row[]> {
  const answer = await fetch(`${place.url}/rest/v1/${query}`, { headers: authenticated(userId) });
  return (await answer.json()) as Row[];
}
