/** What a mail is for; each has its subject, its sentence and its button. */
export type MailKind =
  | 'signup'
  | 'recovery'
  | 'magiclink'
  | 'email_change'
  | 'reauthentication'
  | 'email_changed_notice'
  | 'factor_removed_notice'
  | 'account_erased'
  | 'trial_ending'
  | 'payment_failed'
  | 'payment_confirmation';

export interface MailContent {
  kind: MailKind;
  productName: string;
  /** Where people may ask; null where there is no such address. */
  supportEmail: string | null;
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
  factor_removed_notice: {
    subject: () => 'Verificação em duas etapas desativada',
    lead: 'A nossa equipe removeu o aplicativo autenticador da sua conta e encerrou todas as suas sessões. Agora sua senha basta para entrar: entre e ative de novo a verificação em duas etapas.',
    footer: 'Se você não pediu isso, troque sua senha agora e avise a nossa equipe.',
  },
  account_erased: {
    subject: (product) => `Sua conta no ${product} foi excluída`,
    lead: 'Sua conta foi excluída, e com ela os seus dados: automações, listas, sessões e cadastro. Se você tinha uma assinatura, ela foi cancelada. Guardamos apenas o que a lei exige sobre os seus pagamentos.',
    footer: 'Esta é a última mensagem sobre essa conta. Se não foi você quem pediu a exclusão, avise a nossa equipe.',
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

/** Colours of the product; those of the dark theme for the readers that ask for them. */
const styles = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.canvas{background:#141311!important}.card{background:#1e1c19!important;border-color:#3a362f!important}
.ink{color:#f4f1ea!important}.muted{color:#b5ae9f!important}.line{border-color:#3a362f!important}
.button{background:#ff8a4c!important;color:#1d0d04!important}.code{background:#282520!important;color:#f4f1ea!important}
.link{color:#ff8a4c!important}}
@media (max-width:480px){.outer{padding:16px 12px!important}.card{padding:24px 20px!important}.button{display:block!important;text-align:center!important}}`;

const row = (className: string, style: string, content: string) => `<tr><td class="${className}" style="${style}">${content}</td></tr>`;

/** Subject, HTML and plain text of a mail. */
export function renderMail({ kind, productName, supportEmail, link, code, detail }: MailContent): {
  subject: string;
  html: string;
  text: string;
} {
  const { subject: subjectOf, lead: opening, button = '', footer } = texts[kind];
  const subject = subjectOf(productName);
  const lead = detail ? `${opening} ${detail}` : opening;
  const text = [
    productName,
    lead,
    ...(link ? [`${button}: ${link}`] : []),
    ...(code ? [`Código: ${code}`] : []),
    footer,
    ...(supportEmail ? [`Precisa de ajuda? Escreva para ${supportEmail}`] : []),
  ].join('\n\n');
  const parts = [
    row('ink', 'font-size:18px;font-weight:700;color:#1b1a17;padding-bottom:20px', escape(productName)),
    row('ink', 'font-size:24px;line-height:1.25;font-weight:700;color:#1b1a17;padding-bottom:12px', escape(subject)),
    row('ink', 'font-size:16px;line-height:1.5;color:#1b1a17;padding-bottom:24px', escape(lead)),
  ];
  if (link)
    parts.push(
      row(
        '',
        'padding-bottom:24px',
        `<a class="button" href="${escape(link)}" style="display:inline-block;background:#c8430a;color:#ffffff;text-decoration:none;font-weight:600;font-size:16px;line-height:20px;padding:14px 28px;border-radius:10px">${escape(button)}</a>`,
      ),
    );
  if (code) {
    if (link) parts.push(row('muted', 'font-size:15px;color:#5d594f;padding-bottom:8px', 'Ou digite este código:'));
    const codeStyle =
      'display:inline-block;background:#efede8;color:#1b1a17;border-radius:10px;padding:12px 20px;font-size:26px;line-height:32px;font-weight:700;letter-spacing:6px;font-family:ui-monospace,Menlo,Consolas,monospace';
    parts.push(row('', 'padding-bottom:24px', `<span class="code" style="${codeStyle}">${escape(code)}</span>`));
  }
  if (link)
    parts.push(
      row(
        'muted',
        'font-size:13px;line-height:1.5;color:#5d594f;padding-bottom:20px;word-break:break-all',
        `O botão não funciona? Copie este endereço: <a class="link" href="${escape(link)}" style="color:#c8430a">${escape(link)}</a>`,
      ),
    );
  const support = supportEmail
    ? `<br>Precisa de ajuda? Escreva para <a class="link" href="mailto:${escape(supportEmail)}" style="color:#c8430a">${escape(supportEmail)}</a>.`
    : '';
  parts.push(
    row(
      'muted line',
      'font-size:13px;line-height:1.6;color:#5d594f;border-top:1px solid #dedad2;padding-top:20px',
      escape(footer) + support,
    ),
  );
  // The sentence that lists of mails show beside the subject.
  const preview = `<div style="display:none;max-height:0;overflow:hidden">${escape(lead)}</div>`;
  const html = `<!doctype html><html lang="pt-BR"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><title>${escape(subject)}</title><style>${styles}</style></head>
<body class="canvas" style="margin:0;background:#f7f6f3;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">${preview}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="canvas" style="background:#f7f6f3"><tr><td class="outer" align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px"><tr><td class="card" style="background:#ffffff;border:1px solid #dedad2;border-radius:16px;padding:32px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0">
${parts.join('\n')}
</table></td></tr></table></td></tr></table></body></html>`;
  return { subject, html, text };
}
