import OpenAI from 'openai';
import type { LedgerEntry } from '../../src/state/ledger.js';
import { startModel } from '../../src/server/server.js';

/** A stand-in for one test file, with OpenAI's own package as its client. */
export async function testModel() {
  const { url, stop } = await startModel({ port: 0, seed: 'test' });
  const clientWith = (options: { apiKey?: string; timeout?: number } = {}) =>
    new OpenAI({ baseURL: `${url}/v1`, apiKey: 'sandbox-test', organization: null, project: null, maxRetries: 0, ...options });
  /** Calls the control interface. */
  const control = async <Answer = unknown>(method: string, path: string, body?: unknown): Promise<Answer> => {
    const answer = await fetch(`${url}/_sandbox/${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    return (await answer.json()) as Answer;
  };
  return {
    url,
    stop,
    openai: clientWith(),
    clientWith,
    control,
    fault: (kind: string, more: Record<string, unknown> = {}) => control('POST', 'faults', { kind, ...more }),
    requests: async () => (await control<{ requests: LedgerEntry[] }>('GET', 'requests')).requests,
  };
}
export type TestModel = Awaited<ReturnType<typeof testModel>>;
