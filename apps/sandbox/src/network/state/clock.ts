/** The network's time: the machine's, moved by whatever a test asked for. */
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
