import { Logger } from '@decola/service-kit';
import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Global,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { MailDelivery } from './mail-delivery.js';
import { type MailContent, renderMail } from './mail-layout.js';
import { MailQueue, type QueuedMail } from './mail-queue.js';
import { MailTransport } from './mail-transport.js';

export interface MailerOptions<Mail extends QueuedMail> {
  /** Values of `mailerConfig`. */
  config: { SMTP_URL: string; MAIL_FROM: string; MAIL_KEY_RING: string; PRODUCT_NAME: string; SUPPORT_EMAIL?: string | undefined };
  /** Domain of the `Message-ID` header. */
  messageIdDomain: string;
  /** Chooses the sentences, the link and the code of a mail at the moment when it is sent. */
  compose: (mail: Mail) => MailContent;
  /** Seconds from queueing after which a mail is dropped unsent. */
  lifetimeSeconds: (mail: Mail) => number;
  /** Asked just before a mail is sent, whether its recipient still wants it; when absent, all mails are sent. */
  isWanted?: (manager: EntityManager, mail: Mail) => Promise<boolean>;
}

@Injectable()
class MailerLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(
    private readonly delivery: MailDelivery<QueuedMail>,
    private readonly transport: MailTransport,
  ) {}

  onApplicationBootstrap(): void {
    this.delivery.start();
  }

  // Before the shutdown of other modules closes the database. A mail that a last request queues is sent by another replica, or after the
  // restart.
  async beforeApplicationShutdown(): Promise<void> {
    await this.delivery.stop();
  }

  onApplicationShutdown(): void {
    this.transport.close();
  }
}

/** `MailQueue` for every part of the service, and the delivery of what is queued. Needs `DatabaseModule` and the table `mail_outbox`. */
@Global()
@Module({})
export class MailerModule {
  static forRoot<Mail extends QueuedMail>({
    config,
    messageIdDomain,
    compose,
    lifetimeSeconds,
    isWanted = () => Promise.resolve(true),
  }: MailerOptions<Mail>): DynamicModule {
    const product = { productName: config.PRODUCT_NAME, supportEmail: config.SUPPORT_EMAIL ?? null };
    return {
      module: MailerModule,
      providers: [
        MailerLifecycle,
        { provide: MailQueue, useFactory: () => new MailQueue<Mail>(config.MAIL_KEY_RING) },
        {
          provide: MailTransport,
          useFactory: () => new MailTransport({ url: config.SMTP_URL, from: config.MAIL_FROM, messageIdDomain }),
        },
        {
          provide: MailDelivery,
          useFactory: (dataSource: DataSource, queue: MailQueue<Mail>, transport: MailTransport, logger: Logger) =>
            new MailDelivery<Mail>({
              dataSource,
              queue,
              transport,
              logger,
              render: (mail) => renderMail(compose(mail), product),
              lifetimeSeconds,
              isWanted,
            }),
          inject: [DataSource, MailQueue, MailTransport, Logger],
        },
      ],
      exports: [MailQueue],
    };
  }
}
