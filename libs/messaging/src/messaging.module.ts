import type { EventDefinition, RequestDefinition } from '@decola/contracts';
import { HealthRegistry, Logger } from '@decola/service-kit';
import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Global,
  Inject,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { MicroserviceOptions } from '@nestjs/microservices';
import type { AmqpConnectionManager } from 'amqp-connection-manager';
import { DataSource } from 'typeorm';
import { assertConnected, connectBroker } from './connection.js';
import { EventPublisher } from './event-publisher.js';
import { EventStrategy } from './event-strategy.js';
import { Outbox } from './outbox.js';
import { Relay } from './relay.js';
import { Requester } from './requester.js';
import { Sender } from './sender.js';

/** Token of the service's one connection to the broker. */
export const BROKER_CONNECTION = Symbol('broker connection');

export interface MessagingOptions {
  url: string;
  /** Name of the service: its queue is `<service>.events`, its source `/<service>`. */
  service: string;
  /** Definitions of the events that this service listens to. */
  events?: readonly EventDefinition[];
  /** Definitions of the requests that this service answers. */
  requests?: readonly RequestDefinition[];
  /** Whether this replica publishes the outbox. Default: true when the service has a database. */
  relay?: boolean;
  prefetch?: number;
  /** How often the relay looks without being told. Default: 1 s. */
  relayPollMs?: number;
}

const RELAY = Symbol('relay');

@Injectable()
class MessagingLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(
    @Inject(BROKER_CONNECTION) private readonly connection: AmqpConnectionManager,
    @Inject(RELAY) private readonly relay: Relay | null,
    private readonly sender: Sender,
    private readonly requester: Requester,
    health: HealthRegistry,
  ) {
    health.register('rabbitmq', () => assertConnected(connection));
  }

  onApplicationBootstrap(): void {
    this.relay?.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.relay?.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.sender.close(), this.requester.close()].map((closing) => closing.catch(() => undefined)));
    await this.connection.close().catch(() => undefined);
  }
}

/** Outbox with its relay, events, requests: everything of messaging for one service. */
@Global()
@Module({})
export class MessagingModule {
  static forRoot(options: MessagingOptions): DynamicModule {
    const source = `/${options.service}`;
    return {
      module: MessagingModule,
      providers: [
        Outbox,
        MessagingLifecycle,
        { provide: BROKER_CONNECTION, useFactory: () => connectBroker(options.url, options.service) },
        {
          provide: Sender,
          useFactory: (connection: AmqpConnectionManager) => new Sender(connection, options.service),
          inject: [BROKER_CONNECTION],
        },
        { provide: EventPublisher, useFactory: (sender: Sender) => new EventPublisher(sender, source), inject: [Sender] },
        {
          provide: Requester,
          useFactory: (connection: AmqpConnectionManager) => new Requester(connection, source),
          inject: [BROKER_CONNECTION],
        },
        {
          provide: RELAY,
          useFactory: (sender: Sender, logger: Logger, dataSource?: DataSource) => {
            const databaseUrl = dataSource ? (dataSource.options as { url?: string }).url : undefined;
            if (!databaseUrl || options.relay === false) return null;
            return new Relay({ databaseUrl, source, sender, logger, ...(options.relayPollMs ? { pollMs: options.relayPollMs } : {}) });
          },
          inject: [Sender, Logger, { token: DataSource, optional: true }],
        },
        {
          provide: EventStrategy,
          useFactory: (connection: AmqpConnectionManager, health: HealthRegistry, logger: Logger, dataSource?: DataSource) =>
            new EventStrategy({
              service: options.service,
              connection,
              events: options.events ?? [],
              requests: options.requests ?? [],
              dataSource: dataSource ?? null,
              health,
              logger,
              ...(options.prefetch ? { prefetch: options.prefetch } : {}),
            }),
          inject: [BROKER_CONNECTION, HealthRegistry, Logger, { token: DataSource, optional: true }],
        },
      ],
      exports: [Outbox, EventPublisher, Requester, EventStrategy, BROKER_CONNECTION],
    };
  }
}

/** Lets an application's `@EventPattern` and `@MessagePattern` handlers hear RabbitMQ. Call it in `configure` of `bootService`. */
export async function connectMessaging(app: NestFastifyApplication): Promise<void> {
  // The application's filters must apply, or Nest turns every error of a handler into a nameless one.
  app.connectMicroservice<MicroserviceOptions>({ strategy: app.get(EventStrategy) }, { inheritAppConfig: true });
  await app.startAllMicroservices();
}
