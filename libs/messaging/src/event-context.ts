import { BaseRpcContext } from '@nestjs/microservices';
import type { EntityManager } from 'typeorm';
import type { MessageAttributes } from './envelope.js';

/** What a handler gets beside the payload. */
export class EventContext extends BaseRpcContext<[EntityManager, MessageAttributes]> {
  /** The transaction that also records the message: what is written through it happens once, however often the message comes. */
  get manager(): EntityManager {
    return this.getArgs()[0];
  }

  get event(): MessageAttributes {
    return this.getArgs()[1];
  }
}

/** What a request's handler gets beside the request. */
export class RequestContext extends BaseRpcContext<[MessageAttributes]> {
  get message(): MessageAttributes {
    return this.getArgs()[0];
  }
}
