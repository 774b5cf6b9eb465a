import { createHmac, randomUUID } from 'node:crypto';

const now = () => Math.floor(Date.now() / 1000);

/** Body of an event as Stripe would send it. */
export function eventBody(changes: Record<string, unknown> = {}): string {
  const event = {
    id: `evt_${randomUUID().replaceAll('-', '')}`,
    object: 'event',
    api_version: '2026-10-28.endive',
    created: now(),
    data: { object: { id: 'sub_x', object: 'subscription', description: 'ação' } },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type: 'customer.subscription.updated',
    ...changes,
  };
  return JSON.stringify(event, null, 2);
}

/** Stripe's signature header of a body. @param age of the signature, in seconds. */
export function signatureOf(body: string, secret: string, age = 0): string {
  const moment = now() - age;
  return `t=${moment},v1=${createHmac('sha256', secret).update(`${moment}.${body}`).digest('hex')}`;
}

/** Posts a body to billing's webhook endpoint. */
export async function deliver(url: string, body: string, signature?: string) {
  const answer = await fetch(`${url}/webhooks/stripe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', ...(signature ? { 'stripe-signature': signature } : {}) },
    body,
  });
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: await answer.json() };
}
