import { renderMail } from '@decola/mailer';
import { composeMail, type IdentityMail, lifetimeSeconds, type MailKind } from './identity-mail.js';

const recovery: IdentityMail = {
  to: 'ana@example.com',
  kind: 'recovery',
  link: 'https://decola.example/auth/v1/verify?token=ab&type=recovery',
  code: '012345',
};
const kinds: MailKind[] = [
  'signup',
  'recovery',
  'magiclink',
  'email_change',
  'reauthentication',
  'email_changed_notice',
  'factor_removed_notice',
  'password_voided_notice',
  'account_erased',
  'trial_ending',
  'payment_failed',
  'payment_confirmation',
  'session_ended',
  'session_of_another_account',
  'account_challenged',
  'account_suspended',
  'account_blocked',
  'account_blocked_long',
  'plan_shrank',
  'wheel_lead',
  'wheel_day',
  'wheel_low',
  'wheel_sold_out',
  'model_provider_down',
];

const unsubscribe = {
  linksFor: (userId: string, cause: string) => ({
    page: `https://p.example/?${userId}-${cause}`,
    oneClick: `https://o.example/?${userId}-${cause}`,
  }),
};

interface Product {
  productName?: string;
  supportEmail?: string | null;
}
const render = (mail: IdentityMail, { productName = 'Decola', supportEmail = 'suporte@decola.example' }: Product = {}) =>
  renderMail(composeMail(mail, { productName, unsubscribe }), { productName, supportEmail });

describe('mails of identity', () => {
  it.each(kinds)('%s has its link, code and support address in HTML and in plain text', (kind) => {
    const { html, text, subject } = render({ ...recovery, kind, detail: 'Hoje & amanhã.' });
    expect(subject).not.toBe('');
    expect(text).toContain(recovery.link);
    expect(text).toContain('Código: 012345');
    expect(text).toContain('Hoje & amanhã.');
    expect(html).toContain('href="https://decola.example/auth/v1/verify?token=ab&#38;type=recovery"');
    for (const part of ['012345', 'suporte@decola.example', 'Hoje &#38; amanhã.']) expect(html).toContain(part);
  });

  it('take the name of the product from the configuration', () => {
    const { html, text, subject } = render({ ...recovery, kind: 'signup' }, { productName: 'Voa <Alto>' });
    expect(subject).toBe('Confirme seu e-mail no Voa <Alto>');
    expect(text).toContain('Voa <Alto>');
    expect(html).toContain('Voa &#60;Alto&#62;');
    expect(html).not.toContain('<Alto>');
    expect(`${html}${text}`).not.toContain('Decola');
  });

  it('have no support address, button or code where there is none', () => {
    const { html, text } = render({ ...recovery, kind: 'email_changed_notice', link: null, code: null }, { supportEmail: null });
    expect(html).not.toMatch(/mailto:|href=|Ou digite/);
    expect(text).not.toMatch(/Precisa de ajuda|Código/);
  });

  it('can be stopped only when they are notices, by the link of their person and cause', () => {
    const notice = { userId: 'ana', cause: 'blocked', account: '@padaria', until: '22/11 às 09:00' } as const;
    const { html, text, headers, subject } = render({ ...recovery, kind: 'account_blocked', code: null, notice });
    expect(subject).toBe('O Instagram bloqueou ações em @padaria');
    expect(text).toContain('1. Deixe a conta descansar até 22/11 às 09:00: ');
    expect(text).toContain('Não quero mais receber este aviso: https://p.example/?ana-blocked');
    expect(html).toContain('href="https://p.example/?ana-blocked"');
    expect(headers).toEqual({
      'List-Unsubscribe': '<https://o.example/?ana-blocked>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
    expect(render({ ...recovery, kind: 'payment_failed' })).toMatchObject({ headers: {} });
    expect(render({ ...recovery, kind: 'payment_failed' }).text).not.toContain('Não quero mais');
  });

  it.each(kinds.slice(kinds.indexOf('session_ended')))('%s reads well without the name of an account', (kind) => {
    const notice = { userId: 'ana', cause: 'blocked', account: null, until: null } as const;
    const { text, subject } = render({ ...recovery, kind, code: null, notice });
    expect(`${subject} ${text}`.replaceAll('suporte@decola.example', '')).not.toMatch(/null|undefined|@|\s[.,]/);
  });

  it('tell of the leads of a day wheel by wheel', () => {
    const wheels = [{ title: 'Natal', text: '2 novos leads: 2 × Caneca.' }];
    const { subject, text } = render({ ...recovery, kind: 'wheel_day', code: null, wheel: { name: '', leads: 2, wheels } });
    expect(subject).toBe('2 novos leads nas suas roletas');
    expect(text).toContain('1. Natal: 2 novos leads: 2 × Caneca.');
  });

  it('are tried for a day, and those with a code only while the code is valid', () => {
    expect(lifetimeSeconds({ ...recovery, code: null }, 3_600)).toBe(86_400);
    expect(lifetimeSeconds(recovery, 3_600)).toBe(3_600);
  });
});
