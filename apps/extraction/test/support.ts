import { randomUUID } from 'node:crypto';
import { type automationCreated, type CollectedPerson, type PayloadOf, type runFinished, type runPage } from '@decola/contracts';
import { connectMessaging } from '@decola/messaging';
import { type ServiceUnderTest, serviceUnderTest, type TestBroker, type TestDatabase, testSigningKey } from '@decola/testing';
import { AppModule } from '../src/app.module.js';
import { configSchema } from '../src/config.js';
import { migrations } from '../src/migrations/index.js';

export const siteUrl = 'https://decola.example';

const ownEnvironment = { SITE_URL: siteUrl, DOWNLOAD_SIGNING_KEY: Buffer.alloc(32, 9).toString('base64') };

/** For a service that runs as a process. */
export function environmentOf(broker: TestBroker, database: TestDatabase): Record<string, string> {
  return { DATABASE_URL: database.url, RABBITMQ_URL: broker.url, INTERNAL_SIGNING_KEY: testSigningKey, ...ownEnvironment };
}

export type Bench = ServiceUnderTest;

export function bench(): Promise<Bench> {
  return serviceUnderTest(
    { name: 'extraction', configSchema, module: (config) => AppModule.forRoot(config), configure: connectMessaging },
    { migrations, environment: ownEnvironment },
  );
}

export type Facts = PayloadOf<typeof automationCreated>;

/** An extractor of followers, as automations tells of it when it is published. */
export function extractor(changes: Partial<Facts> = {}, listId: string = randomUUID()): Facts & { listId: string } {
  return {
    automationId: randomUUID(),
    userId: randomUUID(),
    type: 'followers-following-extractor',
    name: 'Seguidores da loja',
    isDraft: false,
    isActive: true,
    configuration: { extractionType: 'followers', targets: '@Loja.Verde', extractedDataId: listId },
    revision: 1,
    ...changes,
    listId,
  };
}

export function person(id: number, changes: Partial<CollectedPerson> = {}): CollectedPerson {
  return {
    userId: String(1_000_000 + id),
    username: `pessoa.${id}`,
    fullName: `Pessoa ${id}`,
    isPrivate: id % 2 === 0,
    isVerified: false,
    hasStory: id % 3 === 0,
    ...changes,
  };
}

export function people(from: number, to: number): CollectedPerson[] {
  return Array.from({ length: to - from + 1 }, (_, index) => person(from + index));
}

type Owner = Facts & { listId: string };

const identity = (owner: Owner) => ({
  runId: randomUUID(),
  automationId: owner.automationId,
  userId: owner.userId,
  accountKey: 'k'.repeat(43),
  fencingToken: 1,
});

export function pageOf(
  owner: Owner,
  page: number,
  rows: CollectedPerson[],
  changes: Partial<PayloadOf<typeof runPage>> = {},
): PayloadOf<typeof runPage> {
  return {
    ...identity(owner),
    extractedDataId: owner.listId,
    page,
    pass: 1,
    rows,
    cursor: String(page + 1),
    profileTotal: null,
    collectedAt: '2026-11-21T12:00:00.000Z',
    ...changes,
  };
}

export function endOf(
  owner: Owner,
  list: Partial<NonNullable<PayloadOf<typeof runFinished>['list']>>,
  changes: Partial<PayloadOf<typeof runFinished>> = {},
): PayloadOf<typeof runFinished> {
  return {
    ...identity(owner),
    outcome: 'done',
    stop: null,
    tried: 0,
    confirmed: 0,
    skipped: 0,
    pages: 1,
    list: { extractedDataId: owner.listId, profileTotal: null, cursor: null, pass: 1, nextPage: 1, state: 'pass_ended', ...list },
    targetProblem: null,
    username: null,
    givenBack: [],
    finishedAt: new Date().toISOString(),
    ...changes,
  };
}
