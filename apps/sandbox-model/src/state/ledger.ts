import type { CallKind, FaultKind } from './fault-kinds.js';

const maxEntries = 2_000;

export interface Usage {
  promptTokens: number;
  completionTokens: number;
}

/** A request as the server saw it. */
export interface LedgerEntry {
  id: string;
  /** ms since 1970. */
  at: number;
  call: CallKind;
  model: string | null;
  /** Name of the structured answer's schema; null for text. */
  schemaName: string | null;
  isStreamed: boolean;
  idempotencyKey: string | null;
  /** Fault that was met. */
  fault: FaultKind | null;
  /** `answered` with a whole answer, `refused` with an error, `aborted` by the client, `broken` by a fault, `pending` until one of these. */
  outcome: 'pending' | 'answered' | 'refused' | 'aborted' | 'broken';
  status: number | null;
  /** What the provider would charge; null when it charges nothing. */
  usage: Usage | null;
  body: unknown;
}

/** The last requests, for tests that count them. */
export class Ledger {
  private entries: LedgerEntry[] = [];

  open(entry: Omit<LedgerEntry, 'outcome' | 'status' | 'usage' | 'fault'>): LedgerEntry {
    const opened: LedgerEntry = { ...entry, fault: null, outcome: 'pending', status: null, usage: null };
    this.entries.push(opened);
    if (this.entries.length > maxEntries) this.entries.shift();
    return opened;
  }

  all(): readonly LedgerEntry[] {
    return this.entries;
  }

  /** Tokens over all charged requests. */
  total(): Usage {
    const charged = this.entries.flatMap(({ usage }) => usage ?? []);
    return {
      promptTokens: charged.reduce((sum, { promptTokens }) => sum + promptTokens, 0),
      completionTokens: charged.reduce((sum, { completionTokens }) => sum + completionTokens, 0),
    };
  }

  clear(): void {
    this.entries = [];
  }
}
