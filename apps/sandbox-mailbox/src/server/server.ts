import Fastify from 'fastify';
import { MailStore } from '../mails/mail-store.js';
import { listPage, mailPage, missingPage } from './pages.js';
import { startSmtp } from './smtp.js';

export interface MailboxOptions {
  /** Port of the web page and of `/messages`; 0 takes a free one. */
  httpPort: number;
  /** 0 takes a free one. */
  smtpPort: number;
  /** Default: 127.0.0.1. */
  host?: string;
  /** Folder in which the mails survive a restart; undefined keeps them in memory only. */
  dataDirectory?: string;
}

export interface Mailbox {
  /** Address of the web page. */
  url: string;
  /** For `SMTP_URL`. */
  smtpUrl: string;
  stop(): Promise<void>;
}

/** A mail server that delivers nothing: every mail is shown on a page and by `GET /messages?to=ADDRESS`. */
export async function startMailbox({ httpPort, smtpPort, host = '127.0.0.1', dataDirectory }: MailboxOptions): Promise<Mailbox> {
  const mails = new MailStore(dataDirectory);
  const app = Fastify({ forceCloseConnections: true });

  app.get('/health', () => ({ status: 'up' }));
  app.get<{ Querystring: { to?: string } }>('/messages', ({ query }) => mails.sentTo(query.to));
  app.delete<{ Querystring: { to?: string } }>('/messages', async ({ query }, reply) => {
    mails.delete(mails.sentTo(query.to));
    return reply.status(204).send();
  });
  app.get<{ Querystring: { to?: string } }>('/', async ({ query }, reply) =>
    reply.type('text/html; charset=utf-8').send(listPage(mails.sentTo(query.to || undefined), query.to ?? '')),
  );
  app.get<{ Params: { id: string } }>('/mails/:id', async ({ params }, reply) => {
    const mail = mails.find(params.id);
    return reply
      .status(mail ? 200 : 404)
      .type('text/html; charset=utf-8')
      .send(mail ? mailPage(mail) : missingPage());
  });
  app.get<{ Params: { id: string } }>('/mails/:id/html', async ({ params }, reply) => {
    const mail = mails.find(params.id);
    return reply
      .status(mail ? 200 : 404)
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; img-src data: https: http:; sandbox allow-popups")
      .type('text/html; charset=utf-8')
      .send(mail?.html ?? '');
  });

  const smtp = await startSmtp(mails, { port: smtpPort, host });
  const url = await app.listen({ port: httpPort, host });
  return {
    url,
    smtpUrl: smtp.url,
    stop: async () => {
      await smtp.stop();
      await app.close();
      mails.write();
    },
  };
}
