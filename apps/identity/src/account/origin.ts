import { AsyncLocalStorage } from 'node:async_hooks';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Observable } from 'rxjs';

/** Where a request comes from, for the session list and the history of security. */
export interface Origin {
  ip: string | null;
  userAgent: string | null;
}

/** Longest that is kept of what a client says of itself; the table's checks say the same. */
const longestUserAgent = 300;
const longestIp = 64;

/** An origin as it may be stored. PostgreSQL's text holds no NUL. */
export function boundedOrigin({ ip, userAgent }: Origin): Origin {
  const bounded = (text: string | null, length: number) => text?.replaceAll('\0', '').slice(0, length) ?? null;
  return { ip: bounded(ip, longestIp), userAgent: bounded(userAgent, longestUserAgent) };
}

export function originOf(request: Pick<FastifyRequest, 'headers' | 'ip'>): Origin {
  // Set by the gateway alone, which strips it from what clients send.
  const address = request.headers['x-decola-client-ip'];
  return boundedOrigin({
    ip: typeof address === 'string' ? address : request.ip,
    userAgent: request.headers['user-agent'] ?? null,
  });
}

const current = new AsyncLocalStorage<Origin>();

/** Origin of the request in hand; nothing is known of one outside of a request (commands, messages). */
export function currentOrigin(): Origin {
  return current.getStore() ?? { ip: null, userAgent: null };
}

/** Keeps the origin of a request at hand for everything that happens in it. */
@Injectable()
export class OriginInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const origin = originOf(context.switchToHttp().getRequest<FastifyRequest>());
    return new Observable((subscriber) => current.run(origin, () => next.handle().subscribe(subscriber)));
  }
}
