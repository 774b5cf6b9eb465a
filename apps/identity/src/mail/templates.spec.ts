import { type MailContent, type MailKind, renderMail } from './templates.js';

const content: MailContent = {
  kind: 'recovery',
  productName: 'Decola',
  supportEmail: 'suporte@decola.example',
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
  'account_erased',
  'trial_ending',
  'payment_failed',
  'payment_confirmation',
];

describe('renderMail', () => {
  it.each(kinds)('says in HTML and in plain text alike where %s leads, its code and whom to ask', (kind) => {
    const { html, text, subject } = renderMail({ ...content, kind, detail: 'Hoje & amanhã.' });
    expect(subject).not.toBe('');
    expect(text).toContain(content.link);
    expect(text).toContain('Código: 012345');
    expect(text).toContain('Hoje & amanhã.');
    expect(html).toContain('href="https://decola.example/auth/v1/verify?token=ab&#38;type=recovery"');
    for (const part of ['012345', 'suporte@decola.example', 'Hoje &#38; amanhã.']) expect(html).toContain(part);
  });

  it('names whatever the product is called', () => {
    const { html, text, subject } = renderMail({ ...content, kind: 'signup', productName: 'Voa <Alto>' });
    expect(subject).toBe('Confirme seu e-mail no Voa <Alto>');
    expect(text).toContain('Voa <Alto>');
    expect(html).toContain('Voa &#60;Alto&#62;');
    expect(html).not.toContain('<Alto>');
    expect(`${html}${text}`).not.toContain('Decola');
  });

  it('offers nobody to ask where there is none, and no button or code that there is not', () => {
    const { html, text } = renderMail({ ...content, kind: 'email_changed_notice', supportEmail: null, link: null, code: null });
    expect(html).not.toMatch(/mailto:|href=|Ou digite/);
    expect(text).not.toMatch(/Precisa de ajuda|Código/);
  });
});
