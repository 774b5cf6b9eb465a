import { Injectable } from '@nestjs/common';

/** The time of day. Rules take it as a collaborator, so that tests can move it. */
export abstract class Clock {
  abstract now(): Date;
}

@Injectable()
export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}
