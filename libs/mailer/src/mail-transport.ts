import { createTransport, type Transporter } from 'nodemailer';
import type { RenderedMail } from './mail-layout.js';

/** A mail server that does not answer within these times counts as failed. */
const timeouts = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 15_000 };

export interface MailTransportOptions {
  /** `smtp://` or `smtps://` address of the mail server, with its credentials. */
  url: string;
  /** Sender: `Name <address>`. */
  from: string;
  /** Domain of the `Message-ID` header. */
  messageIdDomain: string;
}

/** Sends mails by SMTP. Features do not call it: they add to `MailQueue`. */
export class MailTransport {
  private readonly transport: Transporter;
  private readonly messageIdDomain: string;

  constructor({ url, from, messageIdDomain }: MailTransportOptions) {
    this.transport = createTransport({ url, ...timeouts }, { from });
    this.messageIdDomain = messageIdDomain;
  }

  /**
   * @param id the same for every attempt to send this mail, so that mail servers and readers recognise a duplicate
   * @throws when the mail server does not accept the mail
   */
  async send(id: string, to: string, mail: RenderedMail): Promise<void> {
    await this.transport.sendMail({ to, messageId: `<${id}@${this.messageIdDomain}>`, ...mail });
  }

  close(): void {
    this.transport.close();
  }
}
