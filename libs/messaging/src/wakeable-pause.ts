/** A pause in a loop that other code can end early. */
export class WakeablePause {
  private isWakePending = false;
  private endPause: (() => void) | undefined;

  /** Waits `ms`, or until `wake` is called. When `wake` was called since the last pause, it does not wait at all. */
  async wait(ms: number): Promise<void> {
    if (!this.isWakePending) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.endPause = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.endPause = undefined;
    }
    this.isWakePending = false;
  }

  /** Ends the pause under way, or lets the next one end at once. */
  wake(): void {
    this.isWakePending = true;
    this.endPause?.();
  }
}
