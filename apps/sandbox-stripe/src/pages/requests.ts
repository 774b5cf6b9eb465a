import type { FastifyReply } from 'fastify';
import { readExpiry } from '../billing/cards.js';
import { decodeForm } from '../objects/form.js';

/** Fields of a submitted form. */
export function fieldsOf(body: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(decodeForm(typeof body === 'string' ? body : '')).map(([name, value]) => [name, typeof value === 'string' ? value : '']),
  );
}

/** Sends a page that is never cached or framed. */
export function show(reply: FastifyReply, html: string, status = 200): FastifyReply {
  return reply
    .status(status)
    .headers({ 'cache-control': 'no-store', 'x-frame-options': 'DENY' })
    .type('text/html; charset=utf-8')
    .send(html);
}

/** The card in a submitted form, as typed. */
export function cardOf(fields: Record<string, string>): { number: string; exp_month: number; exp_year: number } {
  return { number: fields['cardNumber'] ?? '', ...readExpiry(fields['cardExpiry'] ?? '') };
}
