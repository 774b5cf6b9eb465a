export interface Violation {
  check: string;
  sentence: string;
}
export interface Recovery {
  name: string;
  seconds: number;
  afterRestartMs: number;
}
export class Trial {
  static start(options?: { customers?: number; followers?: number; builds?: boolean; log?: (line: string) => void }): Promise<Trial>;
  readonly recoveries: Recovery[];
  readonly acknowledged: number;
  kill(name: string): Promise<Violation[]>;
  settle(options?: { timeoutMs?: number }): Promise<Violation[]>;
  stop(): Promise<void>;
}
export const killNames: string[];
