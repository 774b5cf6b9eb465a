import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import { type Mailbox, startMailbox } from '../src/server/server.js';

describe('the mailbox', () => {
  const dataDirectory = mkdtempSync(path.join(tmpdir(), 'mailbox-'));
  let mailbox: Mailbox;
  const start = () => startMailbox({ httpPort: 0, smtpPort: 0, dataDirectory });
  const messages = async (to: string) =>
    (await (await fetch(`${mailbox.url}/messages?to=${encodeURIComponent(to)}`)).json()) as {
      to: string;
      subject: string;
      text: string;
      html: string;
    }[];

  beforeAll(async () => {
    mailbox = await start();
  });
  afterAll(() => mailbox?.stop());

  async function send(to: string, subject: string) {
    const transport = createTransport(mailbox.smtpUrl);
    await transport.sendMail({ from: 'decola@example.com', to, subject, text: 'Olá, ação!', html: '<p>Olá, <b>ação</b>!</p>' });
    transport.close();
  }

  it('stores received mails, newest first, for each recipient', async () => {
    await send('ana@example.com', 'Confirmação');
    await send('ana@example.com', 'Segunda');
    await send('bia@example.com', 'Outra');
    const mails = await messages('Ana@example.com');
    expect(mails.map(({ subject }) => subject)).toEqual(['Segunda', 'Confirmação']);
    expect(mails[1]).toMatchObject({
      to: 'ana@example.com',
      text: expect.stringContaining('Olá, ação!'),
      html: expect.stringContaining('<b>ação</b>'),
    });
  });

  it('shows the mails to a person', async () => {
    const list = await (await fetch(mailbox.url)).text();
    const [, link] = /href="(\/mails\/[^"]+)">Outra/.exec(list) ?? [];
    const mail = await (await fetch(mailbox.url + link)).text();
    expect(mail).toContain('bia@example.com');
  });

  it('keeps mails over a restart, and deletes them on request', async () => {
    await mailbox.stop();
    mailbox = await start();
    expect(await messages('bia@example.com')).toHaveLength(1);
    expect((await fetch(`${mailbox.url}/messages`, { method: 'DELETE' })).status).toBe(204);
    expect(await messages('bia@example.com')).toEqual([]);
  });
});
