import { Global, Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { OriginInterceptor } from './origin.js';
import { SecurityEvents } from './security-events.service.js';

/** `SecurityEvents` for every part of the service, and the origin that it records. */
@Global()
@Module({
  providers: [SecurityEvents, { provide: APP_INTERCEPTOR, useClass: OriginInterceptor }],
  exports: [SecurityEvents],
})
export class SecurityEventsModule {}
