import { BaseRpcContext } from '@nestjs/microservices';
import type { EntityManager } from 'typeorm';
import type { MessageAttributes } from './envelope.js';

/** Second argument of an event's handler, after the payload. */
export class EventContext extends BaseRpcContext<[EntityManager, MessageAttributes]> {
  /** The transaction that also records the message: its writes take effect once, however often the message is delivered. */
  get manager(): EntityManager {
    return this.getArgs()[0];
  }

  get event(): MessageAttributes {
    return this.getArgs()[1];
  }
}

/** Second argument of a request's handler, after the request. */
export class RequestContext extends BaseRpcContext<[MessageAttributes]> {
  get message(): MessageAttributes {
    return this.getArgs()[0];
  }
}
