import { productTimeZone } from '@decola/contracts';

/**
 * Every sentence that customers read from this service. (Messages of auth/v1 are English, part of the contract, and stay with their
 * errors.)
 */

/** Answers of `functions/v1/delete-account`. */
export const accountTexts = {
  secondFactorNeeded: 'Confirme o código do seu aplicativo autenticador para continuar.',
  tooManyAttempts: 'Muitas tentativas. Aguarde um instante e tente novamente.',
  wrongPassword: 'Senha incorreta.',
} as const;

/** What a new password lacks, in the message of `weak_password`. */
export const passwordTexts = {
  length: (characters: number) => `Mínimo ${characters} caracteres`,
  upperCase: 'Pelo menos 1 letra maiúscula',
  lowerCase: 'Pelo menos 1 letra minúscula',
  digit: 'Pelo menos 1 número',
  special: 'Pelo menos 1 caractere especial (!@#$%^&*)',
  changedLength: (characters: number) => `A nova senha deve ter pelo menos ${characters} caracteres.`,
} as const;

/** Descriptions of the files in a person's data export. */
export const exportTexts = {
  account: 'Seu cadastro: e-mail, nome, fuso horário, idioma, avisos por e-mail, datas e o plano como aparece no seu perfil.',
  identities: 'As formas de entrar na conta (e-mail e senha).',
  roles: 'Funções especiais da conta (por exemplo, administração); vazio para a maioria das pessoas.',
  sessions: 'Os aparelhos em que a conta está aberta agora, com endereço IP e navegador.',
  factors: 'Os aplicativos autenticadores que protegem a conta (sem o segredo deles).',
  securityEvents:
    'O que aconteceu com a segurança da conta nos últimos 180 dias: acessos, trocas de senha e de e-mail, sessões encerradas.',
} as const;

/** Second sentence of the mails about payments: the dates and amounts of this case. */
export const paymentNoticeTexts = {
  trialEnding: (plan: string, day: string, amount: string) =>
    `Seu teste grátis (${plan}) termina em ${day}, e nesse dia cobraremos ${amount} por mês no cartão cadastrado.`,
  amount: (amount: string) => `O valor é de ${amount}.`,
  accessUntil: (day: string) => `Seu acesso continua até ${day}.`,
  accessAfterPayment: 'Seu acesso volta assim que o pagamento for feito.',
} as const;

/** Proposals for the owner: everything about mails that tell when something needs the customer, here and in `mailTexts`. */
export const customerNoticeTexts = {
  /** Second sentence: since when, what waits, and what was not lost. */
  stopped: (at: string, automations: number) =>
    `Foi em ${at}, e paramos na hora. ${automations === 1 ? 'Uma automação desta conta espera' : `${automations} automações desta conta esperam`}, e nada se perdeu: continuamos de onde paramos.`,
  switchedOff: (at: string, automations: number) =>
    `Em ${at} desligamos ${automations === 1 ? 'a mais nova' : `as ${automations} mais novas`}. Não apagamos nada: configuração, histórico e listas continuam guardados.`,
} as const;

/** Details of mails about wheels. Proposals for the owner. */
export const wheelNewsTexts = {
  won: (number: number, prize: string) => `A participação nº ${number} ganhou: ${prize}.`,
  left: (remaining: number, total: number) => `${remaining === 1 ? 'Resta 1' : `Restam ${remaining}`} de ${total}.`,
  ofDay: (leads: number, prizes: readonly { name: string; won: number }[], chain: string | null) =>
    `${leadsText(leads)}: ${prizes.map(({ name, won }) => `${won} × ${name}`).join(', ')}.${chain === null ? '' : ` Corrente de auditoria: ${chain}`}`,
} as const;

const noticeFormats = new Map<string, Intl.DateTimeFormat>();

/** `21/11 às 09:00`, by the wall clock of a time zone. */
export function instantText(instant: string, timeZone: string = productTimeZone): string {
  let format = noticeFormats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('pt-BR', { timeZone, day: '2-digit', month: '2-digit', hour: '2-digit', minute: '2-digit' });
    noticeFormats.set(timeZone, format);
  }
  return format.format(new Date(instant)).replace(', ', ' às ');
}

/** Of the mail to administrators about the provider of the language model. Proposals for the owner. */
export const modelProviderTexts = {
  /** @param provider its host @param at a written instant */
  since: (provider: string, at: string) => `É ${provider}, desde ${at}.`,
  causes: {
    quota: 'Motivo: o saldo ou o limite da conta acabou. Recarregue a conta ou aumente o limite.',
    key: 'Motivo: a chave foi recusada. Confira AI_API_KEY.',
    model: 'Motivo: o modelo não existe para esta conta. Confira AI_MODEL, AI_REVIEW_MODEL e AI_IMAGE_MODEL.',
    not_configured: 'Motivo: nenhum provedor está configurado. Preencha AI_BASE_URL, AI_API_KEY e AI_MODEL.',
  },
} as const;

/** Links of mails that stop them, and the answers of `functions/v1/unsubscribe`. Proposals for the owner. */
export const unsubscribeTexts = {
  link: 'Não quero mais receber este aviso',
  invalidToken: 'Este link está incompleto ou não vale mais. Entre na sua conta e escolha seus avisos em Minha Conta.',
} as const;

/** What a mail is about. */
interface MailFacts {
  /** `@name`; null for none. */
  account: string | null;
  /** A written instant; null for none. */
  until: string | null;
  /** Of mails about wheels. */
  wheel: { name: string; leads: number; wheels: { title: string; text: string }[] };
}

export interface MailTexts {
  subject: (product: string, facts: MailFacts) => string;
  /** Above the subject. */
  sign?: string;
  lead: string;
  /** What the reader does, in this order. */
  steps?: (facts: MailFacts) => { title: string; text: string }[];
  /** Label of the button; only for kinds that lead somewhere. */
  button?: string;
  footer: string;
}

const needsYou = 'Precisa de você';
const accountOr = (account: string | null, otherwise: string) => account ?? otherwise;
const withAccount = (account: string | null) => (account === null ? '' : `, com ${account}`);
const accountStopped = 'Você recebe este aviso porque a conta parou. Nunca pedimos sua senha por e-mail.';
const pasteCookie = { title: 'Cole o novo cookie em Contas', text: 'As automações voltam sozinhas assim que a conferência passar.' };
const sayResolved = 'Em Contas, use “Já resolvi no Instagram” ou cole um novo cookie. As automações voltam sozinhas.';

const chosenInWheel =
  'Você escolhe na configuração de cada roleta se este e-mail chega a cada lead, uma vez por dia ou nunca. Quando chegam muitos de uma vez, os outros vêm no resumo do dia.';
const leadsText = (leads: number) => (leads === 1 ? '1 novo lead' : `${leads} novos leads`);

/** Mails by kind. The names of the kinds are stored with queued mails: none is renamed. */
export const mailTexts = {
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
  password_voided_notice: {
    subject: () => 'Escolha uma nova senha',
    lead: 'Você acaba de mostrar, pela primeira vez, que este e-mail é seu. Por segurança, a senha de antes e as sessões que estavam abertas deixaram de valer: outra pessoa poderia ter criado a conta com o seu endereço. Escolha uma nova senha em Minha Conta, ou em Esqueci minha senha, na página de entrada.',
    footer: 'Se você não usou nenhum link ou código nosso, redefina sua senha agora.',
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
  session_ended: {
    subject: (_, { account }) => `A sessão de ${accountOr(account, 'uma conta sua')} no Instagram terminou`,
    sign: needsYou,
    lead: 'O Instagram não aceita mais a sessão desta conta, e sem ela não conseguimos entrar.',
    steps: ({ account }) => [
      { title: 'Entre no Instagram', text: `Pelo navegador${withAccount(account)}.` },
      { title: 'Copie o cookie', text: 'Como da primeira vez: mostramos onde ele fica.' },
      pasteCookie,
    ],
    button: 'Abrir Contas',
    footer: accountStopped,
  },
  session_of_another_account: {
    subject: (_, { account }) => `O cookie de ${accountOr(account, 'uma conta sua')} abriu outra conta`,
    sign: needsYou,
    lead: 'O cookie que você colou abriu outra conta do Instagram.',
    steps: ({ account }) => [
      { title: 'Entre na conta certa', text: `Pelo navegador${withAccount(account)}.` },
      { title: 'Copie o cookie dela', text: 'Como da primeira vez: mostramos onde ele fica.' },
      pasteCookie,
    ],
    button: 'Abrir Contas',
    footer: accountStopped,
  },
  account_challenged: {
    subject: (_, { account }) => `O Instagram pediu uma confirmação em ${accountOr(account, 'uma conta sua')}`,
    sign: needsYou,
    lead: 'É um pedido de segurança do próprio Instagram, e só você pode responder.',
    steps: ({ account }) => [
      { title: 'Abra o Instagram', text: `Pelo navegador${withAccount(account)}.` },
      { title: 'Confirme que é você', text: 'Às vezes basta marcar uma caixa. Pode ser um código por SMS ou e-mail.' },
      { title: 'Avise que já resolveu', text: sayResolved },
    ],
    button: 'Abrir Contas',
    footer: accountStopped,
  },
  account_suspended: {
    subject: (_, { account }) => `O Instagram suspendeu ${accountOr(account, 'uma conta sua')}`,
    sign: needsYou,
    lead: 'Só você pode recorrer, e só o Instagram decide.',
    steps: ({ account }) => [
      { title: 'Recorra pelo aplicativo do Instagram', text: `Entre nele${withAccount(account)} e siga o que ele mostra.` },
      { title: 'Quando a conta voltar, avise', text: sayResolved },
    ],
    button: 'Abrir Contas',
    footer: accountStopped,
  },
  account_blocked: {
    subject: (_, { account }) => `O Instagram bloqueou ações em ${accountOr(account, 'uma conta sua')}`,
    sign: needsYou,
    lead: 'Por enquanto ele não aceita ações desta conta.',
    steps: ({ until }) => [
      {
        title: until === null ? 'Deixe a conta descansar' : `Deixe a conta descansar até ${until}`,
        text: 'Evite curtir, seguir e comentar também pelo aplicativo.',
      },
      { title: 'Depois voltamos sozinhos', text: 'Com metade do ritmo. Você não precisa ligar nada.' },
    ],
    button: 'Abrir Contas',
    footer: accountStopped,
  },
  account_blocked_long: {
    subject: (_, { account }) => `O Instagram bloqueou ${accountOr(account, 'uma conta sua')} por mais tempo`,
    sign: needsYou,
    lead: 'É um bloqueio longo, e a conta precisa descansar.',
    steps: ({ until }) => [
      {
        title: until === null ? 'Deixe a conta descansar' : `Deixe a conta descansar até ${until}`,
        text: 'Evite curtir, seguir e comentar também pelo aplicativo.',
      },
      { title: 'Confira se o bloqueio acabou', text: 'No aplicativo do Instagram.' },
      { title: 'Ligue as automações de novo', text: 'Depois de um bloqueio assim elas não voltam sozinhas.' },
    ],
    button: 'Ver minhas automações',
    footer: accountStopped,
  },
  plan_shrank: {
    subject: () => 'Desligamos automações: seu plano tem menos slots',
    sign: needsYou,
    lead: 'Seu plano tem menos slots do que as automações ligadas.',
    steps: () => [
      { title: 'Veja o que continua ligado', text: 'São as automações mais antigas que ainda cabem no plano.' },
      { title: 'Abra espaço', text: 'Com um plano maior elas voltam sozinhas. Ou exclua o que não usa mais e ligue as que quiser.' },
    ],
    button: 'Ver minhas automações',
    footer: 'Você recebe este aviso porque desligamos automações suas. Nunca pedimos sua senha por e-mail.',
  },
  wheel_lead: {
    subject: (_, { wheel }) => `Novo lead na roleta ${wheel.name}`,
    lead: 'Alguém girou a sua roleta.',
    button: 'Ver os leads',
    footer: chosenInWheel,
  },
  wheel_day: {
    subject: (_, { wheel }) => `${leadsText(wheel.leads)} nas suas roletas`,
    lead: 'Foi o que aconteceu desde o último resumo.',
    steps: ({ wheel }) => wheel.wheels,
    button: 'Ver os leads',
    footer: chosenInWheel,
  },
  wheel_low: {
    subject: (_, { wheel }) => `Poucos prêmios na roleta ${wheel.name}`,
    lead: 'Os prêmios estão acabando.',
    button: 'Aumentar o estoque',
    footer: 'Você recebe este aviso porque sua roleta tem poucos prêmios.',
  },
  wheel_sold_out: {
    subject: (_, { wheel }) => `A roleta ${wheel.name} esgotou`,
    sign: needsYou,
    lead: 'Todos os prêmios foram sorteados, e quem chega agora não pode mais girar.',
    button: 'Aumentar o estoque',
    footer: 'Você recebe este aviso porque sua roleta não tem mais prêmios.',
  },
  model_provider_down: {
    subject: () => 'Os artigos do blog estão parados: a inteligência artificial recusa tudo',
    sign: needsYou,
    lead: 'O provedor da inteligência artificial recusa todas as chamadas. Os artigos esperam e continuam sozinhos quando ele voltar; os que esperam há mais de dois dias são abandonados.',
    button: 'Abrir o blog',
    footer: 'Você recebe este aviso uma vez por parada porque administra o blog.',
  },
} satisfies Record<string, MailTexts>;
