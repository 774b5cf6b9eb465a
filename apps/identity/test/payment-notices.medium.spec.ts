import { randomUUID } from 'node:crypto';
import { paymentFailed, trialEnding } from '@decola/contracts';
import { eventually, publishTestEvent } from '@decola/testing';
import { type IdentityUnderTest, startIdentity, strongPassword } from './support.js';

describe('mails about payments', () => {
  let identity: IdentityUnderTest;
  let userId: string;
  const email = 'dinheiro@example.com';

  beforeAll(async () => {
    identity = await startIdentity();
    const { data } = await identity.client().auth.signUp({ email, password: strongPassword });
    userId = data.user!.id;
    identity.mails.length = 0;
  });
  afterAll(() => identity?.stop());

  it('say when a trial ends, what it will cost and how to cancel, once for a duplicated event', async () => {
    const notice = { user_id: userId, plan_name: 'Plano Starter', trial_ends_at: '2026-12-01T12:00:00.000Z', amount: 4900 };
    const id = randomUUID();
    for (let time = 0; time < 2; time += 1) await publishTestEvent(identity.broker.url, trialEnding, notice, { subject: userId, id });
    await publishTestEvent(identity.broker.url, trialEnding, { ...notice, user_id: randomUUID() });
    await eventually(() => expect(identity.mails).toHaveLength(1));
    const [mail] = identity.mails;
    expect(mail).toMatchObject({ to: email, subject: 'Seu teste grátis termina em breve' });
    expect(mail!.text).toMatch(
      /Seu teste grátis \(Plano Starter\) termina em 1 de dezembro de 2026, e nesse dia cobraremos R\$\s49,00 por mês/,
    );
    expect(mail!.text).toContain('http://decola.test/adm');
    expect(mail!.text).toContain('Cancele antes dessa data em Minha Assinatura');
    expect(mail!.html).toContain('termina em 1 de dezembro de 2026');
  });

  it('say that a charge failed, where to pay, and how long access lasts', async () => {
    identity.mails.length = 0;
    const notice = {
      user_id: userId,
      invoice_id: 'in_1',
      attempt: 1,
      amount: 8900,
      action_required: false,
      invoice_url: 'https://invoice.example/i/1',
      access_until: '2026-12-08T12:00:00.000Z',
    };
    await publishTestEvent(identity.broker.url, paymentFailed, notice, { subject: userId });
    await eventually(() => expect(identity.mails).toHaveLength(1));
    expect(identity.mails[0]).toMatchObject({ to: email, subject: 'Não conseguimos cobrar sua assinatura' });
    expect(identity.mails[0]!.text).toMatch(/O valor é de R\$\s89,00\. Seu acesso continua até 8 de dezembro de 2026\./);
    expect(identity.mails[0]!.text).toContain('Pagar agora: https://invoice.example/i/1');
    await publishTestEvent(
      identity.broker.url,
      paymentFailed,
      { ...notice, attempt: 2, action_required: true, access_until: null },
      { subject: userId },
    );
    await eventually(() => expect(identity.mails).toHaveLength(2));
    expect(identity.mails[1]).toMatchObject({ subject: 'Confirme o pagamento no banco' });
    expect(identity.mails[1]!.text).toContain('Seu acesso volta assim que o pagamento for feito.');
  });
});
