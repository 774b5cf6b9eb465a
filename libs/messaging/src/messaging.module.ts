import type { EventDefinition, RequestDefinition } from '@decola/contracts';
import { DatabaseWatch, DIRECT_DATABASE_URL } from '@decola/database';
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
import { DataSource } from 'typeorm';
import { closed } from './closed.js';
import { assertConnected, type BrokerConnection, connectBroker } from './connection.js';
import { EventPublisher } from './event-publisher.js';
import { EventStrategy } from './event-strategy.js';
import { Outbox } from './outbox.js';
import { Relay } from './relay.js';
import { Requester } from './requester.js';
import { ConfirmedPublisher } from './confirmed-publisher.js';
import { watchConnection } from './connection-metrics.js';

/** Token of the service's `BrokerConnection`. */
export const BROKER_CONNECTION = Symbol('broker connection');

export interface MessagingOptions {
  url: string;
  /** Name of the service: it consumes the queue `<service>.events`, and its messages have the source `/<service>`. */
  service: string;
  /** Definitions of the events that this service listens to. */
  events?: readonly EventDefinition[];
  /** Definitions of the requests that this service answers. */
  requests?: readonly RequestDefinition[];
  /** Types of events that earlier releases of this service listened to. Its queue stays bound to them; without this they would wait for a newer release. */
  formerEvents?: readonly string[];
  /** Whether this replica publishes the outbox. Default: true when the service has a database. */
  relay?: boolean;
  prefetch?: number;
  /** Pause between two looks of the relay at the outbox when no notification arrives. Default: 1 s. */
  relayPollMs?: number;
}

const RELAY = Symbol('relay');
const SERVICE = Symbol('name of the service');

@Injectable()
class MessagingLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(
    @Inject(BROKER_CONNECTION) private readonly connection: BrokerConnection,
    @Inject(RELAY) private readonly relay: Relay | null,
    private readonly publisher: ConfirmedPublisher,
    private readonly requester: Requester,
    @Inject(SERVICE) service: string,
    health: HealthRegistry,
  ) {
    // Not needed for readiness: requests write to the outbox, which is published when the broker is back.
    health.observe('rabbitmq', () => assertConnected(connection));
    watchConnection(connection, service);
  }

  onApplicationBootstrap(): void {
    this.relay?.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.relay?.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.publisher.close(), this.requester.close()]);
    await closed(this.connection.close());
  }
}

/** Outbox with its relay, events and requests of one service. */
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
        { provide: SERVICE, useValue: options.service },
        { provide: BROKER_CONNECTION, useFactory: () => connectBroker(options.url, options.service) },
        {
          provide: ConfirmedPublisher,
          useFactory: (connection: BrokerConnection) => new ConfirmedPublisher(connection, options.service),
          inject: [BROKER_CONNECTION],
        },
        {
          provide: EventPublisher,
          useFactory: (publisher: ConfirmedPublisher) => new EventPublisher(publisher, source),
          inject: [ConfirmedPublisher],
        },
        {
          provide: Requester,
          useFactory: (connection: BrokerConnection) => new Requester(connection, source),
          inject: [BROKER_CONNECTION],
        },
        {
          provide: RELAY,
          useFactory: (publisher: ConfirmedPublisher, logger: Logger, databaseUrl?: string) => {
            if (!databaseUrl || options.relay === false) return null;
            return new Relay({ databaseUrl, source, publisher, logger, ...(options.relayPollMs ? { pollMs: options.relayPollMs } : {}) });
          },
          inject: [ConfirmedPublisher, Logger, { token: DIRECT_DATABASE_URL, optional: true }],
        },
        {
          provide: EventStrategy,
          useFactory: (
            connection: BrokerConnection,
            health: HealthRegistry,
            logger: Logger,
            dataSource?: DataSource,
            database?: DatabaseWatch,
          ) =>
            new EventStrategy({
              service: options.service,
              connection,
              events: options.events ?? [],
              requests: options.requests ?? [],
              formerEvents: options.formerEvents ?? [],
              dataSource: dataSource ?? null,
              database: database ?? null,
              health,
              logger,
              ...(options.prefetch ? { prefetch: options.prefetch } : {}),
            }),
          inject: [
            BROKER_CONNECTION,
            HealthRegistry,
            Logger,
            { token: DataSource, optional: true },
            { token: DatabaseWatch, optional: true },
          ],
        },
      ],
      exports: [Outbox, EventPublisher, Requester, EventStrategy, BROKER_CONNECTION],
    };
  }
}

/** Connects an application's `@EventPattern` and `@MessagePattern` handlers to RabbitMQ. Call it in `configure` of `bootService`. */
export async function connectMessaging(app: NestFastifyApplication): Promise<void> {
  // With the application's filters: without them Nest replaces every error of a handler by an anonymous one.
  app.connectMicroservice<MicroserviceOptions>({ strategy: app.get(EventStrategy) }, { inheritAppConfig: true });
  await app.startAllMicroservices();
}
