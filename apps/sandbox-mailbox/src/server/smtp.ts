import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { MailStore } from '../mails/mail-store.js';

const maxMailBytes = 10 * 1024 * 1024;

/** Accepts mail from anybody to any address, without TLS, and puts it into the store. */
export async function startSmtp(mails: MailStore, { port, host }: { port: number; host: string }) {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    size: maxMailBytes,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? 'anyone' }),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', done);
      stream.on('end', () => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        mails.receive(Buffer.concat(chunks), recipients).then(() => done(), done);
      });
    },
  });
  server.on('error', () => undefined); // a client that disconnects mid-session must not end the process
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, host, () => {
      server.server.off('error', reject);
      resolve();
    });
  });
  const address = server.server.address() as AddressInfo;
  return {
    /** For `SMTP_URL`. */
    url: `smtp://${host}:${address.port}`,
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}
