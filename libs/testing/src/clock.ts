import { Clock } from '@decola/service-kit';

/** A clock that stands still until the test moves it. */
export class ManualClock extends Clock {
  private current: Date;

  constructor(start: Date | string = '2026-11-21T12:00:00Z') {
    super();
    this.current = new Date(start);
  }

  now(): Date {
    return new Date(this.current);
  }

  set(instant: Date | string): void {
    this.current = new Date(instant);
  }

  advance(ms: number): void {
    this.current = new Date(this.current.getTime() + ms);
  }
}
