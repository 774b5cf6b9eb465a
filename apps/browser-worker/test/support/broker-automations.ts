import {
  type BrowserRun,
  browserRun,
  listResume,
  personName,
  runActionDone,
  runFinished,
  runMayGoOn,
  runPage,
  runPicture,
  runReserve,
  runStarted,
  runTrying,
  slotTargets,
} from '@decola/contracts';
import { connectBroker, connectMessaging, type EventContext, MessagingModule, ConfirmedPublisher } from '@decola/messaging';
import { baseConfig, createService } from '@decola/service-kit';
import { Controller, type DynamicModule, Module } from '@nestjs/common';
import { Ctx, EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import type { PayloadOf } from '@decola/contracts';
import type { z } from 'zod';
import { randomUUID } from 'node:crypto';
import { FakeAutomations } from './fake-automations.js';

/** Faked automations over RabbitMQ; a second delivery of an event changes nothing. */
@Controller()
class RunsController {
  private readonly seen = new Set<string>();

  constructor(private readonly automations: FakeAutomations) {}

  @EventPattern<string>(runStarted.type)
  started(@Payload() event: PayloadOf<typeof runStarted>, @Ctx() context: EventContext) {
    return this.once(context, () => this.automations.started(event));
  }

  @EventPattern<string>(runTrying.type)
  trying(@Payload() event: PayloadOf<typeof runTrying>, @Ctx() context: EventContext) {
    return this.once(context, () => this.automations.trying(event));
  }

  @EventPattern<string>(runActionDone.type)
  action(@Payload() event: PayloadOf<typeof runActionDone>, @Ctx() context: EventContext) {
    return this.once(context, () => this.automations.action(event));
  }

  @EventPattern<string>(runPage.type)
  page(@Payload() event: PayloadOf<typeof runPage>, @Ctx() context: EventContext) {
    return this.once(context, () => this.automations.page(event));
  }

  @EventPattern<string>(runPicture.type)
  picture(@Payload() event: PayloadOf<typeof runPicture>, @Ctx() context: EventContext) {
    return this.once(context, () => this.automations.picture(event));
  }

  @EventPattern<string>(runFinished.type)
  finished(@Payload() event: PayloadOf<typeof runFinished>, @Ctx() context: EventContext) {
    return this.once(context, () => this.automations.finished(event));
  }

  @MessagePattern(runMayGoOn.type)
  async mayGoOn() {
    return { goOn: await this.automations.mayGoOn() };
  }

  @MessagePattern(runReserve.type)
  reserve(@Payload() request: z.infer<typeof runReserve.request>) {
    return this.automations.reserve(request);
  }

  @MessagePattern(listResume.type)
  resumeList(@Payload() request: z.infer<typeof listResume.request>) {
    return this.automations.resumeList(request);
  }

  @MessagePattern(slotTargets.type)
  slotTargets(@Payload() request: z.infer<typeof slotTargets.request>) {
    return this.automations.slotTargets(request);
  }

  @MessagePattern(personName.type)
  async personName(@Payload() request: z.infer<typeof personName.request>) {
    return { username: await this.automations.personName(request) };
  }

  private async once(context: EventContext, effect: () => Promise<void>): Promise<void> {
    if (this.seen.has(context.event.id)) return;
    this.seen.add(context.event.id);
    await effect();
  }
}

@Module({})
class FakeAutomationsModule {}

export interface BrokerAutomations {
  automations: FakeAutomations;
  send(job: BrowserRun, queue: string): Promise<void>;
  dispose(): Promise<void>;
}

export async function brokerAutomations(brokerUrl: string): Promise<BrokerAutomations> {
  const automations = new FakeAutomations();
  const module = (): DynamicModule => ({
    module: FakeAutomationsModule,
    imports: [
      MessagingModule.forRoot({
        url: brokerUrl,
        service: 'automations',
        events: [runStarted, runTrying, runActionDone, runPage, runPicture, runFinished],
        requests: [runReserve, runMayGoOn, listResume, slotTargets, personName],
        relay: false,
        prefetch: 1, // keeps the events of a run in order
      }),
    ],
    controllers: [RunsController],
    providers: [{ provide: FakeAutomations, useValue: automations }],
  });
  const app = await createService({
    name: 'automations',
    configSchema: baseConfig,
    module,
    configure: connectMessaging,
    environment: { PORT: '0', LOG_LEVEL: 'silent' },
  });
  const connection = connectBroker(brokerUrl, 'test publisher');
  const publisher = new ConfirmedPublisher(connection, 'test');
  return {
    automations,
    send: (job, queue) => {
      const time = new Date().toISOString();
      const envelope = {
        id: randomUUID(),
        source: '/automations',
        type: browserRun.type,
        version: browserRun.version,
        subject: job.accountKey,
        time,
      };
      return publisher.publishJob(queue, envelope, browserRun.schema.parse(job));
    },
    dispose: async () => {
      await publisher.close();
      await connection.close();
      await app.close();
    },
  };
}
