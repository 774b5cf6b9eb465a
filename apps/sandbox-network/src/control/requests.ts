import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Account } from '../population/accounts.js';
import type { World } from '../state/world.js';

export const username = z.string().regex(/^[a-z0-9._]{1,30}$/, 'a username: small letters, digits, dot, underscore, at most 30');
/** A count; never negative. */
export const count = z.number().int().nonnegative();

/** A refusal of the control interface; its message is the answer's `error`. */
export class Refusal extends Error {
  constructor(
    readonly statusCode: 400 | 404 | 409,
    message: string,
  ) {
    super(message);
  }
}

/** @throws Refusal (404) when nobody has this name. */
export function knownAccount(world: World, name: string): Account {
  const account = world.accounts.byListedUsername(name) ?? world.accounts.byUsername(name);
  if (!account) throw new Refusal(404, `nobody is called ${name}`);
  return account;
}

/** Streams one JSON object a line. */
export function streamLines<Item>(reply: FastifyReply, items: Iterable<Item>, describe: (item: Item) => unknown): FastifyReply {
  function* lines(): Generator<string> {
    let part = '';
    for (const item of items) {
      part += `${JSON.stringify(describe(item))}\n`;
      if (part.length < 32_768) continue;
      yield part;
      part = '';
    }
    if (part) yield part;
  }
  return reply.type('application/x-ndjson; charset=utf-8').send(Readable.from(lines()));
}
