import { randomUUID } from 'node:crypto';
import { automationCreated, type CollectedPerson, listResume, type PayloadOf, type runFinished, type runPage } from '@decola/contracts';
import { connectMessaging, Requester } from '@decola/messaging';
import {
  eventually,
  publishTestEvent,
  type ServiceUnderTest,
  serviceUnderTest,
  type TestBroker,
  type TestDatabase,
  testSigningKey,
} from '@decola/testing';
import { createService } from '@decola/service-kit';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import type { z } from 'zod';
import { AppModule } from '../src/app.module.js';
import { configSchema } from '../src/config/config.js';
import { migrations } from '../src/migrations/index.js';

export const siteUrl = 'https://decola.example';

export const keyRing = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
export const ownEnvironment = {
  SITE_URL: siteUrl,
  DOWNLOAD_SIGNING_KEY: Buffer.alloc(32, 9).toString('base64'),
  WEBHOOK_KEY_RING: keyRing,
  MAIL_KEY_RING: keyRing,
  // Nobody listens there: specs of mails start a mail server of their own.
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Decola <nao-responda@decola.example>',
  WEBHOOK_INTERVAL_MS: '50',
};

/** The environment of a service that runs as its own process. */
export function environmentOf(broker: TestBroker, database: TestDatabase): Record<string, string> {
  return { DATABASE_URL: database.url, RABBITMQ_URL: broker.url, INTERNAL_SIGNING_KEY: testSigningKey, ...ownEnvironment };
}

/** Arguments of `publishTestEvent` after the broker. */
export type PublishArguments = Parameters<typeof publishTestEvent> extends [string, ...infer Rest] ? Rest : never;

/** The service on its own database and broker, and what workers and automations tell and ask it. */
export interface Bench extends ServiceUnderTest {
  /** @returns the message's id */
  publish(...event: PublishArguments): Promise<string>;
  /** Waits until every event that was published here so far was handled. */
  settle(): Promise<void>;
  /** Opens a list, as the event about its automation does. */
  open(changes?: Partial<Facts>): Promise<Owner>;
  /** Starts another replica of the service, which is stopped with this one. */
  replica(): Promise<NestFastifyApplication>;
  /** Asks where a list goes on. @param reading default: a new one */
  resume(owner: Owner, reading?: string): Promise<z.infer<typeof listResume.reply>>;
}

const service = {
  name: 'extraction',
  configSchema,
  module: (config: z.infer<typeof configSchema>) => AppModule.forRoot(config),
  configure: connectMessaging,
};

/** @param extra further variables of its environment */
export async function bench(extra: Record<string, string> = {}): Promise<Bench> {
  const running = await serviceUnderTest(service, { migrations, environment: { ...ownEnvironment, ...extra } });
  const replicas: { close(): Promise<void> }[] = [];
  const replica = async () => {
    const environment = { ...environmentOf(running.broker, running.database), ...extra, PORT: '0', LOG_LEVEL: 'silent' };
    const started = await createService({ ...service, environment });
    replicas.push(started);
    return started;
  };
  const dispose = async () => {
    await Promise.all(replicas.map((each) => each.close()));
    await running.dispose();
  };
  const sent: string[] = [];
  const publish = async (...event: PublishArguments) => {
    const id = await publishTestEvent(running.broker.url, ...event);
    sent.push(id);
    return id;
  };
  const settle = () =>
    eventually(async () => {
      const done = await running.app.get(DataSource).query<{ message_id: string }[]>('select message_id from inbox');
      const known = new Set(done.map(({ message_id }) => message_id));
      expect(sent.filter((id) => !known.has(id))).toEqual([]);
    });
  const open = async (changes: Partial<Facts> = {}) => {
    const owner = extractor(changes);
    const { listId: _, ...facts } = owner;
    await publish(automationCreated, facts);
    await settle();
    return owner;
  };
  const resume = (owner: Owner, reading: string = randomUUID()) =>
    running.app.get(Requester).ask(listResume, { ...identity(owner), extractedDataId: owner.listId, reading }, { timeoutMs: 5_000 });
  return { ...running, dispose, replica, publish, settle, open, resume };
}

export type Facts = PayloadOf<typeof automationCreated>;

/** A published extractor of followers, as `automation.created` describes it. */
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

export type Owner = Facts & { listId: string };

const identity = (owner: Owner) => ({
  runId: randomUUID(),
  automationId: owner.automationId,
  userId: owner.userId,
  accountKey: 'k'.repeat(43),
  fencingToken: 1,
  pageViews: 1,
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
