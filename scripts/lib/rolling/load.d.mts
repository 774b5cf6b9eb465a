import type { LoadCustomer } from './cluster.mjs';

export interface SentRequest {
  kind: 'read' | 'write' | 'function' | 'log-in' | 'refresh';
  method: string;
  path: string;
  outcome: string;
  ms: number;
  at: Date;
}
export type Written = Record<string, { sent: string[]; answered: string[] }>;
export class Load {
  constructor(options: { name: string; url: string; publishableKey: string; customers: readonly LoadCustomer[]; perSecond: number });
  readonly requests: readonly SentRequest[];
  readonly failed: SentRequest[];
  readonly streams: readonly string[];
  readonly written: Written;
  start(): void;
  stop(): Promise<void>;
}
export function failuresByKind(failed: readonly SentRequest[]): Record<string, number>;
