import { randomBytes } from 'node:crypto';
import type { CallKind, FaultKind } from './fault-kinds.js';

export interface FaultScript {
  kind: FaultKind;
  call: CallKind | 'any';
  /** Only requests whose JSON has this text, whatever its case; null means all. */
  match: string | null;
  /** Number of matching requests that pass before the first hit. */
  afterCalls: number;
  /** Number of requests that it hits; null means every one from then on. */
  times: number | null;
  /** Length of a pause in ms: before an answer, within one, or between its chunks; null means the usual one of the kind. */
  delayMs: number | null;
  /** `Retry-After` of a refusal; null sends none. */
  retryAfterSeconds: number | null;
  /** Of `refused-parameter`: its name; null takes the first that the request has of the usual ones. */
  parameter: string | null;
}

export interface Fault extends FaultScript {
  id: string;
  seen: number;
  hits: number;
}

/** The scripted faults. */
export class Faults {
  private scripts: Fault[] = [];

  add(script: FaultScript): Fault {
    const fault = { ...script, id: randomBytes(6).toString('hex'), seen: 0, hits: 0 };
    this.scripts.push(fault);
    return fault;
  }

  all(): readonly Fault[] {
    return this.scripts;
  }

  remove(id: string): boolean {
    const before = this.scripts.length;
    this.scripts = this.scripts.filter((script) => script.id !== id);
    return this.scripts.length < before;
  }

  clear(): void {
    this.scripts = [];
  }

  /** Counts a request against the scripts. @returns the first one that hits it. */
  meet(call: CallKind, requestText: string): Fault | undefined {
    const text = requestText.toLowerCase();
    const concerned = this.scripts.filter(
      (script) => (script.call === 'any' || script.call === call) && (script.match === null || text.includes(script.match.toLowerCase())),
    );
    for (const script of concerned) {
      script.seen += 1;
      if (script.seen <= script.afterCalls || (script.times !== null && script.hits >= script.times)) continue;
      script.hits += 1;
      return script;
    }
    return undefined;
  }
}
