import { CanActivate, createParamDecorator, DynamicModule, ExecutionContext, Global, Inject, Injectable, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { AuthenticatedCaller, Caller, callerHeader, isAdminMaster, readCaller } from './caller.js';
import { NotAdminError, UnauthenticatedError } from './errors.js';

const SIGNING_KEY = Symbol('internal signing key');

type CallerRequest = FastifyRequest & { caller?: Caller };

/** Reads the caller from the gateway's header, once per request. It admits anonymous callers: handlers require a person by `CurrentUser`. */
@Injectable()
export class CallerGuard implements CanActivate {
  constructor(@Inject(SIGNING_KEY) private readonly signingKey: string) {}

  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return true;
    const request = context.switchToHttp().getRequest<CallerRequest>();
    request.caller = readCaller(request.headers[callerHeader], this.signingKey);
    return true;
  }
}

@Global()
@Module({})
export class CallerModule {
  static forRoot({ signingKey }: { signingKey: string }): DynamicModule {
    return {
      module: CallerModule,
      providers: [
        { provide: SIGNING_KEY, useValue: signingKey },
        { provide: APP_GUARD, useClass: CallerGuard },
      ],
    };
  }
}

function callerOf(context: ExecutionContext): Caller {
  const { caller } = context.switchToHttp().getRequest<CallerRequest>();
  if (!caller) throw new Error('CallerModule is not imported');
  return caller;
}

/** The caller: a person or an anonymous visitor. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => callerOf(context));

/** The calling person. @throws UnauthenticatedError for anonymous visitors. */
export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext): AuthenticatedCaller => {
  const caller = callerOf(context);
  if (caller.role !== 'authenticated') throw new UnauthenticatedError();
  return caller;
});

/** Id of the calling person. @throws UnauthenticatedError for anonymous visitors. */
export const CurrentUserId = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const caller = callerOf(context);
  if (caller.role !== 'authenticated') throw new UnauthenticatedError();
  return caller.userId;
});

/** The calling administrator. @throws UnauthenticatedError for anonymous visitors, NotAdminError for everybody else without the role `admin_master`. */
export const CurrentAdminMaster = createParamDecorator((_: unknown, context: ExecutionContext): AuthenticatedCaller => {
  const caller = callerOf(context);
  if (caller.role !== 'authenticated') throw new UnauthenticatedError();
  if (!isAdminMaster(caller)) throw new NotAdminError();
  return caller;
});
