/** What a mail is for; each has its subject, its sentence and its button. */
export type MailKind =
  | 'signup'
  | 'recovery'
  | 'magiclink'
  | 'email_change'
  | 'reauthentication'
  | 'email_changed_notice'
  | 'trial_ending'
  | 'payment_failed'
  | 'payment_confirmation';

export interface MailContent {
  kind: MailKind;
  productName: string;
  /** Where the button leads; null for mails that carry a code alone, or only tell something. */
  link: string | null;
  /** Six digits; null where there is none. */
  code: string | null;
  /** Dates and amounts of this very mail, in a sentence after the first. */
  detail?: string;
}

const texts: Record<MailKind, { subject: (product: string) => string; lead: string; button?: string; footer: string }> = {
  signup: {
    subject: (product) => `Confirme seu e-mail no ${product}`,
    lead: 'Falta só um passo: confirme que este e-mail é seu.',
    button: 'Confirmar e-mail',
    footer: 'Se você não criou uma conta, ignore esta mensagem.',
  },
  recovery: {
    subject: () => 'Redefina sua senha',
    lead: 'Você pediu para redefinir sua senha. Use o botão abaixo para escolher uma nova.',
    button: 'Redefinir senha',
    footer: 'Se não foi você, ignore esta mensagem: sua senha continua a mesma.',
  },
  magiclink: {
    subject: (product) => `Seu acesso ao ${product}`,
    lead: 'Use o botão abaixo para entrar na sua conta.',
    button: 'Entrar',
    footer: 'Se você não pediu este acesso, ignore esta mensagem.',
  },
  email_change: {
    subject: () => 'Confirme seu novo e-mail',
    lead: 'Você pediu para usar este endereço na sua conta. Confirme para concluir a mudança.',
    button: 'Confirmar novo e-mail',
    footer: 'Se não foi você, ignore esta mensagem: nada muda.',
  },
  reauthentication: {
    subject: () => 'Seu código de confirmação',
    lead: 'Digite este código para confirmar que é você.',
    footer: 'Nunca passe este código a ninguém.',
  },
  email_changed_notice: {
    subject: () => 'Pedido de mudança de e-mail',
    lead: 'Alguém pediu para trocar o e-mail da sua conta. A troca só acontece quando o novo endereço for confirmado.',
    footer: 'Se não foi você, troque sua senha agora.',
  },
  trial_ending: {
    subject: () => 'Seu teste grátis termina em breve',
    lead: 'Esperamos que esteja gostando.',
    button: 'Ver minha assinatura',
    footer: 'Não quer continuar? Cancele antes dessa data em Minha Assinatura, no menu da sua conta: nada será cobrado.',
  },
  payment_failed: {
    subject: () => 'Não conseguimos cobrar sua assinatura',
    lead: 'A cobrança da sua assinatura não foi aprovada.',
    button: 'Pagar agora',
    footer: 'Você também pode trocar o cartão em Minha Assinatura, no menu da sua conta.',
  },
  payment_confirmation: {
    subject: () => 'Confirme o pagamento no banco',
    lead: 'Seu banco pediu uma confirmação para cobrar sua assinatura.',
    button: 'Confirmar pagamento',
    footer: 'Você também pode trocar o cartão em Minha Assinatura, no menu da sua conta.',
  },
};

const escape = (text: string) => text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Subject, HTML and plain text of a mail. */
export function renderMail({ kind, productName, link, code, detail }: MailContent): { subject: string; html: string; text: string } {
  const { subject, lead: opening, button, footer } = texts[kind];
  const lead = detail ? `${opening} ${detail}` : opening;
  const codeLine = code === null ? '' : `Código: ${code}`;
  const text = [`${productName}`, '', lead, ...(link ? ['', `${button}: ${link}`] : []), ...(code ? ['', codeLine] : []), '', footer].join(
    '\n',
  );
  const buttonHtml = link
    ? `<tr><td style="padding:8px 0 20px"><a href="${escape(link)}" style="display:inline-block;background:#f2550f;color:#ffffff;text-decoration:none;font-weight:600;font-size:16px;padding:14px 26px;border-radius:10px">${escape(button ?? '')}</a></td></tr>`
    : '';
  const codeHtml = code
    ? `<tr><td style="padding:4px 0 20px;font-size:15px;color:#3b4560">Ou use o código <strong style="font-size:22px;letter-spacing:4px;color:#16203a">${escape(code)}</strong></td></tr>`
    : '';
  const html = `<!doctype html><html lang="pt-BR"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escape(subject(productName))}</title></head>
<body style="margin:0;background:#f4f5fa;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#ffffff;border-radius:16px;padding:32px">
<tr><td style="font-size:20px;font-weight:700;color:#16203a;padding-bottom:16px">${escape(productName)}</td></tr>
<tr><td style="font-size:16px;line-height:1.5;color:#3b4560;padding-bottom:16px">${escape(lead)}</td></tr>
${buttonHtml}${codeHtml}
<tr><td style="font-size:13px;line-height:1.5;color:#667091;border-top:1px solid #e6e8f0;padding-top:16px">${escape(footer)}</td></tr>
</table></td></tr></table></body></html>`;
  return { subject: subject(productName), html, text };
}
