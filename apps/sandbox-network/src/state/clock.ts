/** The network's time: the machine's clock plus the offset that tests set. */
export class NetworkClock {
  offsetMs = 0;

  now(): number {
    return Date.now() + this.offsetMs;
  }

  advance(ms: number): void {
    this.offsetMs += ms;
  }

  set(instant: number): void {
    this.offsetMs = instant - Date.now();
  }
}
