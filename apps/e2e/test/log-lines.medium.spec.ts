import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { subscriptionChanged, userDeleted } from '@decola/contracts';
import { callManagement, eventually, infrastructure } from '@decola/testing';
import { newPerson, publishedClients } from './clients.js';
import { ownSystem, type OwnSystem } from './own-system.js';

/** Services that consume events, with one event that each of them consumes. */
const heard: Record<string, { type: string }> = {
  automations: userDeleted,
  billing: userDeleted,
  blog: userDeleted,
  extraction: userDeleted,
  identity: subscriptionChanged,
  'prize-wheel': userDeleted,
};
const warning = 40;

let system: OwnSystem;

beforeAll(async () => {
  system = await ownSystem();
});
afterAll(() => system?.dispose());

interface Line {
  level: number;
  msg?: unknown;
  name?: string;
}

/** Lines at warn and above, by service. */
function complaints(): Line[] {
  return readdirSync(system.logs)
    .flatMap((file) => readFileSync(path.join(system.logs, file), 'utf8').split('\n'))
    .flatMap((text) => {
      try {
        const line = JSON.parse(text) as Line;
        return typeof line.level === 'number' && line.level >= warning ? [line] : [];
      } catch {
        return []; // what a process says before it logs
      }
    });
}

/** Puts a malformed message into a service's queue, as the exchange would. */
async function misinform(service: string, { type }: { type: string }): Promise<void> {
  const { managementUrl } = infrastructure().rabbitmq;
  const vhost = encodeURIComponent(decodeURIComponent(new URL(system.broker).pathname.slice(1)));
  await callManagement(managementUrl!, 'POST', `/exchanges/${vhost}/amq.default/publish`, {
    routing_key: `${service}.events`,
    payload: '{',
    payload_encoding: 'string',
    properties: {
      content_type: 'application/json',
      message_id: randomUUID(),
      type,
      headers: {
        'cloudEvents:specversion': '1.0',
        'cloudEvents:id': randomUUID(),
        'cloudEvents:type': type,
        'cloudEvents:source': '/test',
        'cloudEvents:subject': randomUUID(),
        'cloudEvents:time': new Date().toISOString(),
      },
    },
  });
}

describe('the log of every service', () => {
  it('has a message in each line of level warn or above', async () => {
    for (const [service, event] of Object.entries(heard)) await misinform(service, event);
    const [{ open } = publishedClients[0]!] = publishedClients;
    const client = open(system);
    await newPerson(client, 'Ana');
    // Stripe fails, and a service behind the gateway is down.
    await fetch(`${system.stripe}/_emulator/api/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ times: 1_000, when: 'before', status: 503, body: '{}' }),
    });
    const { data: plans } = await client.from('subscription_plans').select('price_id').limit(1);
    await client.functions.invoke('create-checkout', { body: { price_id: (plans as { price_id: string }[])[0]!.price_id } });
    await system.order('stop', 'blog');
    await client.from('blog_articles').select('id').limit(1);

    const named = (name: string) => complaints().filter((line) => line.name === name);
    await eventually(
      () => {
        for (const service of [...Object.keys(heard), 'gateway'])
          expect({ service, lines: named(service).length }).not.toMatchObject({ lines: 0 });
        expect(named('billing').map(({ msg }) => msg)).toEqual(expect.arrayContaining(['Stripe did not answer', 'refused']));
      },
      { timeoutMs: 60_000 },
    );
    expect(complaints().filter(({ msg }) => typeof msg !== 'string' || msg.trim() === '')).toEqual([]);
  });
});
