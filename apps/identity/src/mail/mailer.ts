import { CONFIG, Logger } from '@decola/service-kit';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import type { IdentityConfig } from '../config.js';
import { type MailContent, renderMail } from './templates.js';

/** Sends mails over SMTP. A mail that fails is logged without its address or content; the person asks again. */
@Injectable()
export class Mailer implements OnApplicationShutdown {
  private readonly transport: Transporter;

  constructor(
    @Inject(CONFIG) private readonly config: IdentityConfig,
    private readonly logger: Logger,
  ) {
    this.transport = createTransport(config.SMTP_URL, { from: config.MAIL_FROM });
  }

  async send(to: string, content: Omit<MailContent, 'productName'>): Promise<void> {
    try {
      await this.deliver(to, content);
    } catch (error) {
      this.logger.error({ err: error, kind: content.kind }, 'mail was not sent');
    }
  }

  /** For mails nobody asks for again. @throws when the mail server does not take it. */
  async deliver(to: string, content: Omit<MailContent, 'productName'>): Promise<void> {
    await this.transport.sendMail({ to, ...renderMail({ ...content, productName: this.config.PRODUCT_NAME }) });
  }

  onApplicationShutdown(): void {
    this.transport.close();
  }
}
