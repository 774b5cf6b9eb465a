import { AsyncLocalStorage } from 'node:async_hooks';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Observable } from 'rxjs';

/** Where a request comes from, for the session list and the security history. */
export interface Origin {
  ip: string | null;
  userAgent: string | null;
}

/** The columns' lengths, also checked by the tables. */
const longestUserAgent = 300;
const longestIp = 64;

/** Cuts an origin to what the tables accept. PostgreSQL's text cannot hold NUL. */
export function boundedOrigin({ ip, userAgent }: Origin): Origin {
  const bounded = (text: string | null, length: number) => text?.replaceAll('\0', '').slice(0, length) ?? null;
  return { ip: bounded(ip, longestIp), userAgent: bounded(userAgent, longestUserAgent) };
}

export function originOf(request: Pick<FastifyRequest, 'headers' | 'ip'>): Origin {
  // Only the gateway sets this header; it removes the client's.
  const address = request.headers['x-decola-client-ip'];
  return boundedOrigin({
    ip: typeof address === 'string' ? address : request.ip,
    userAgent: request.headers['user-agent'] ?? null,
  });
}

const current = new AsyncLocalStorage<Origin>();

/** Origin of the current request; both parts are null outside of one (commands, messages). */
export function currentOrigin(): Origin {
  return current.getStore() ?? { ip: null, userAgent: null };
}

/** Makes `currentOrigin` work for everything that a request calls. */
@Injectable()
export class OriginInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const origin = originOf(context.switchToHttp().getRequest<FastifyRequest>());
    return new Observable((subscriber) => current.run(origin, () => next.handle().subscribe(subscriber)));
  }
}
