import { RecentMap } from '@decola/service-kit';

/** How long what was read answers everybody who opens the page. */
const freshMs = 1_000;
const mostWheels = 1_000;

interface Reading<Wheel> {
  at: number;
  wheel: Promise<Wheel>;
}

/** Wheels as they were read a moment ago: a link that many open at the same time costs one query a second. */
export class RecentWheels<Wheel> {
  private readonly readings = new RecentMap<string, Reading<Wheel>>(mostWheels);

  /** @param now ms */
  get(id: string, now: number, read: () => Promise<Wheel>): Promise<Wheel> {
    const known = this.readings.get(id);
    if (known && now - known.at < freshMs && now >= known.at) return known.wheel;
    const wheel = read();
    this.readings.set(id, { at: now, wheel });
    wheel.catch(() => {
      if (this.readings.get(id)?.wheel === wheel) this.readings.delete(id);
    });
    return wheel;
  }
}
