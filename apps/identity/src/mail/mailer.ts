import { CONFIG } from '@decola/service-kit';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import type { IdentityConfig } from '../config.js';
import { type MailContent, renderMail } from './templates.js';

/** A mail, but for what all of them say of the product. */
export type Mail = Omit<MailContent, 'productName' | 'supportEmail'> & { to: string };

/** A mail server that says nothing is given up on after this long. */
const timeouts = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 15_000 };

/** Hands mails to the mail server. Others put them into `MailQueue`. */
@Injectable()
export class Mailer implements OnApplicationShutdown {
  private readonly transport: Transporter;

  constructor(@Inject(CONFIG) private readonly config: IdentityConfig) {
    this.transport = createTransport({ url: config.SMTP_URL, ...timeouts }, { from: config.MAIL_FROM });
  }

  /**
   * @param id the same one for every try, so that a mail server or reader can tell a repetition.
   * @throws when the mail server does not take it
   */
  async deliver({ to, ...content }: Mail, id: string): Promise<void> {
    const host = new URL(this.config.SITE_URL).hostname;
    await this.transport.sendMail({
      to,
      messageId: `<${id}@${host}>`,
      ...renderMail({ ...content, productName: this.config.PRODUCT_NAME, supportEmail: this.config.SUPPORT_EMAIL ?? null }),
    });
  }

  onApplicationShutdown(): void {
    this.transport.close();
  }
}
