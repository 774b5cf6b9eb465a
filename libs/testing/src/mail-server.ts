import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  /** Address of the envelope's first recipient. */
  to: string;
  subject: string;
  text: string;
  html: string;
  messageId: string;
  /** All headers, by their names in lower case. */
  headers: Readonly<Record<string, string>>;
}

export interface TestMailServer {
  /** For `SMTP_URL`. */
  url: string;
  /** Everything received so far, oldest first. */
  mails: ReceivedMail[];
  stop(): Promise<void>;
}

/**
 * A mail server on the loopback interface that accepts every mail.
 * @param refusalOf the reply to a recipient that is refused, such as `550 5.1.1 no such user`; null accepts it
 */
export async function testMailServer(refusalOf: (address: string) => string | null = () => null): Promise<TestMailServer> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onRcptTo: ({ address }, _session, done) => {
      const refusal = refusalOf(address);
      done(refusal === null ? null : Object.assign(new Error(refusal.slice(4)), { responseCode: Number(refusal.slice(0, 3)) }));
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        void PostalMime.parse(Buffer.concat(chunks)).then(({ subject = '', text = '', html = '', messageId = '', headers }) => {
          mails.push({
            ...{ to: session.envelope.rcptTo[0]?.address ?? '', subject, text, html, messageId },
            headers: Object.fromEntries(headers.map(({ key, value }) => [key, value])),
          });
          done();
        });
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, mails, stop: () => new Promise((resolve) => server.close(() => resolve())) };
}
