import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { SnapshotFile } from '../stripe/snapshot-file.js';
import { listPage, mailPage, missingPage } from './pages.js';

/** One mail as it was received, once per recipient. */
export interface Mail {
  id: string;
  to: string;
  from: string;
  subject: string;
  text: string;
  html: string;
  receivedAt: string;
}

export interface MailboxOptions {
  /** Port of the web page and of `/messages`; 0 takes a free one. */
  httpPort: number;
  smtpPort: number;
  host?: string;
  /** Folder that keeps the mails over a restart. Default: `SANDBOX_DATA_DIR`; without one they live in memory. */
  dataDir?: string;
}

export interface Mailbox {
  /** Address of the web page. */
  url: string;
  /** For `SMTP_URL`. */
  smtpUrl: string;
  stop(): Promise<void>;
}

/** The oldest mails go when there are more. */
const mostMails = 5_000;
const largestMailBytes = 10 * 1024 * 1024;

/** A mail server that delivers to nobody: every mail can be read on a page and by `GET /messages?to=ADDRESS`. */
export async function startMailbox({
  httpPort,
  smtpPort,
  host = '127.0.0.1',
  dataDir = process.env['SANDBOX_DATA_DIR'],
}: MailboxOptions): Promise<Mailbox> {
  const snapshot = new SnapshotFile<Mail[]>(dataDir, 'mailbox.json', () => mails);
  /** Newest first. */
  let mails: Mail[] = snapshot.read() ?? [];

  async function receive(raw: Buffer, recipients: readonly string[]): Promise<void> {
    const parsed = await PostalMime.parse(raw);
    const receivedAt = new Date().toISOString();
    const arrived = recipients.map((to) => ({
      id: randomUUID(),
      to,
      from: parsed.from?.address ?? '',
      subject: parsed.subject ?? '',
      text: parsed.text ?? '',
      html: parsed.html ?? '',
      receivedAt,
    }));
    mails = [...arrived, ...mails].slice(0, mostMails);
    snapshot.touch();
  }

  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    size: largestMailBytes,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? 'anyone' }),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', done);
      stream.on('end', () => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        receive(Buffer.concat(chunks), recipients).then(() => done(), done);
      });
    },
  });
  smtp.on('error', () => undefined); // a client that hangs up is no event for a mailbox

  const app = Fastify({ forceCloseConnections: true });
  const matching = (to: string | undefined) =>
    to === undefined ? mails : mails.filter((mail) => mail.to.toLowerCase() === to.trim().toLowerCase());

  app.get('/health', () => ({ status: 'up' }));
  app.get<{ Querystring: { to?: string } }>('/messages', ({ query }) => matching(query.to));
  app.delete<{ Querystring: { to?: string } }>('/messages', async ({ query }, reply) => {
    const gone = new Set(matching(query.to));
    mails = mails.filter((mail) => !gone.has(mail));
    snapshot.touch();
    return reply.status(204).send();
  });
  app.get<{ Querystring: { to?: string } }>('/', async ({ query }, reply) =>
    reply.type('text/html; charset=utf-8').send(listPage(matching(query.to || undefined), query.to ?? '')),
  );
  app.get<{ Params: { id: string } }>('/mails/:id', async ({ params }, reply) => {
    const mail = mails.find(({ id }) => id === params.id);
    return reply
      .status(mail ? 200 : 404)
      .type('text/html; charset=utf-8')
      .send(mail ? mailPage(mail) : missingPage());
  });
  app.get<{ Params: { id: string } }>('/mails/:id/html', async ({ params }, reply) => {
    const mail = mails.find(({ id }) => id === params.id);
    return reply
      .status(mail ? 200 : 404)
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; img-src data: https: http:; sandbox allow-popups")
      .type('text/html; charset=utf-8')
      .send(mail?.html ?? '');
  });

  await new Promise<void>((resolve, reject) => {
    smtp.server.once('error', reject);
    smtp.listen(smtpPort, host, () => {
      smtp.server.off('error', reject);
      resolve();
    });
  });
  const url = await app.listen({ port: httpPort, host });
  const { port } = smtp.server.address() as AddressInfo;
  return {
    url,
    smtpUrl: `smtp://${host}:${port}`,
    stop: async () => {
      await new Promise<void>((resolve) => smtp.close(resolve));
      await app.close();
      snapshot.write();
    },
  };
}
