import { Injectable } from '@nestjs/common';

/** Source of the current time. It is injected, so that tests can set the time. */
export abstract class Clock {
  abstract now(): Date;
}

@Injectable()
export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}
