import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import PostalMime from 'postal-mime';

/** A received mail. A mail to several recipients is stored once per recipient. */
export interface Mail {
  id: string;
  to: string;
  from: string;
  subject: string;
  text: string;
  html: string;
  /** ISO instant, UTC. */
  receivedAt: string;
}

/** When there are more mails, the oldest are dropped. */
const maxMails = 5_000;

/** Changes are written to the file together, at most this often. */
const writeDelayMs = 200;

/** The received mails, newest first; with a folder they survive a restart. */
export class MailStore {
  private mails: Mail[];
  private readonly file: string | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(dataDirectory: string | undefined) {
    this.file = dataDirectory && path.join(dataDirectory, 'mailbox.json');
    this.mails = this.read();
  }

  async receive(raw: Buffer, recipients: readonly string[]): Promise<void> {
    const parsed = await PostalMime.parse(raw);
    const receivedAt = new Date().toISOString();
    const received = recipients.map((to) => ({
      id: randomUUID(),
      to,
      from: parsed.from?.address ?? '',
      subject: parsed.subject ?? '',
      text: parsed.text ?? '',
      html: parsed.html ?? '',
      receivedAt,
    }));
    this.mails = [...received, ...this.mails].slice(0, maxMails);
    this.writeSoon();
  }

  /** @param to address in any case; undefined for all mails */
  sentTo(to: string | undefined): readonly Mail[] {
    if (to === undefined) return this.mails;
    const address = to.trim().toLowerCase();
    return this.mails.filter((mail) => mail.to.toLowerCase() === address);
  }

  find(id: string): Mail | undefined {
    return this.mails.find((mail) => mail.id === id);
  }

  delete(mails: readonly Mail[]): void {
    const deleted = new Set(mails);
    this.mails = this.mails.filter((mail) => !deleted.has(mail));
    this.writeSoon();
  }

  /** Writes the file; does nothing without a folder. */
  write(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.file) return;
    mkdirSync(path.dirname(this.file), { recursive: true });
    // A crash during the write must not leave half a file.
    const draft = `${this.file}.draft`;
    writeFileSync(draft, JSON.stringify(this.mails), { mode: 0o600 });
    renameSync(draft, this.file);
  }

  private writeSoon(): void {
    if (!this.file) return;
    this.timer ??= setTimeout(() => this.write(), writeDelayMs).unref();
  }

  private read(): Mail[] {
    if (!this.file) return [];
    try {
      return JSON.parse(readFileSync(this.file, 'utf8')) as Mail[];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }
}
