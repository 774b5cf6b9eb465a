/** Sentences of Minha Conta, by its cards. */
import type { NoticeCause, SecurityEventKind } from '@decola/contracts';

const tryLater = 'Tente novamente em alguns instantes.';
const otherSessionsEnded = 'Encerramos suas outras sessões por segurança.';
const cancel = 'Cancelar';

export const accountPageTexts = {
  title: 'Minha Conta',
  emailConfirmed: { title: 'Email confirmado', text: (email: string) => `Agora você entra com ${email}.` },
  profile: { title: 'Perfil', description: 'Como chamamos você.' },
  email: { title: 'Email', description: 'Você entra com ele e recebe nossos avisos nele.' },
  /** Proposal for the owner. */
  notices: {
    title: 'Avisos por e-mail',
    description: 'Sobre suas automações e roletas. Avisos sobre sua conta e seus pagamentos chegam sempre.',
  },
  password: { title: 'Senha', description: 'Trocar a senha encerra suas outras sessões.' },
  factors: { title: 'Verificação em duas etapas', description: 'Um código do seu celular, além da senha, para entrar.' },
  sessions: { title: 'Sessões', description: 'Onde sua conta está aberta. Não reconhece alguma? Encerre-a e troque a senha.' },
  events: { title: 'Atividade', description: 'O que aconteceu com a segurança da sua conta nos últimos meses.' },
  export: { title: 'Seus dados', description: 'A LGPD garante uma cópia de tudo o que guardamos sobre você.' },
  erasure: { title: 'Excluir conta', description: 'Para sair de vez.' },
};

export const accessDeniedTexts = {
  title: 'Acesso negado',
  text: 'Entre na sua conta para ver esta página.',
  signIn: 'Entrar',
  /** After the sentence about a link that was refused. */
  signInFirst: ' Para isso, entre na sua conta.',
};

export const profileFormTexts = {
  name: 'Nome completo',
  save: 'Salvar',
  missing: { title: 'Nome obrigatório', text: 'Por favor, insira seu nome completo.', field: 'Digite como você quer ser chamado.' },
  saved: 'Perfil atualizado',
  failed: { title: 'Erro ao atualizar perfil', text: tryLater },
  loadFailed: 'Não foi possível carregar seu perfil.',
};

export const emailFormTexts = {
  current: 'Email atual:',
  /** Around the new email that waits to be confirmed. */
  pending: { before: 'Falta confirmar', after: '. Abra o link que enviamos para lá. Até isso, vale o email atual.' },
  email: 'Novo email',
  change: 'Alterar email',
  invalid: {
    title: 'Email inválido',
    text: 'Por favor, insira um email válido.',
    field: 'Digite o endereço completo, como nome@exemplo.com.',
  },
  changed: { title: 'Email atualizado', text: 'Verifique o novo email para confirmar a mudança.' },
  failed: { title: 'Erro ao atualizar email', field: 'Confira o endereço e tente de novo.' },
};

/** Proposals for the owner. */
export const noticesTexts = {
  causes: {
    session_ended: {
      title: 'Sessão do Instagram terminou',
      text: 'As automações da conta esperam por um novo cookie.',
    },
    blocked: {
      title: 'Instagram bloqueou uma conta',
      text: 'Ele bloqueou ações, suspendeu a conta ou pediu uma confirmação, e paramos tudo nela.',
    },
    plan_shrank: {
      title: 'Plano ficou menor',
      text: 'Seu plano tem menos slots do que antes, e desligamos automações.',
    },
    wheel_leads: {
      title: 'Novos leads da roleta',
      text: 'A cada lead ou uma vez por dia, como você escolheu em cada roleta.',
    },
    wheel_stock: {
      title: 'Prêmios da roleta acabando',
      text: 'Quando resta um décimo dos prêmios, e quando eles acabam.',
    },
  } satisfies Record<NoticeCause, { title: string; text: string }>,
  failed: { title: 'Erro ao mudar os avisos', text: tryLater },
  loadFailed: 'Não foi possível carregar seus avisos.',
};

export const passwordFormTexts = {
  current: 'Senha atual',
  currentHint: 'Conferimos quando você preenche.',
  change: 'Alterar senha',
  changed: { title: 'Senha atualizada', text: otherSessionsEnded },
  failed: { title: 'Erro ao atualizar senha', current: 'Confira sua senha atual.', password: 'Escolha outra senha e tente de novo.' },
};

export const factorsTexts = {
  off: 'Desativada. Com ela, só a sua senha não basta para entrar: pedimos também um código do seu celular.',
  on: 'Ativada',
  unnamed: 'Aplicativo autenticador',
  addedOn: (date: string) => `Adicionado em ${date}`,
  remove: 'Remover',
  removeNamed: (name: string) => `Remover ${name}`,
  addSecond: 'Adicione um segundo aplicativo para não ficar de fora se perder o celular.',
  activate: 'Ativar',
  add: 'Adicionar aplicativo',
  loadFailed: 'Não foi possível carregar seus aplicativos.',
  removal: {
    title: 'Remover aplicativo',
    last: 'Sem ele, a verificação em duas etapas fica desativada: sua senha passa a bastar para entrar.',
    other: 'Os códigos deste aplicativo deixam de valer para a sua conta.',
    cancel,
    failed: 'Erro ao remover aplicativo',
    removedLast: 'Verificação em duas etapas desativada',
    removedOther: 'Aplicativo removido',
  },
};

export const enrolmentTexts = {
  title: 'Verificação em duas etapas',
  description: 'Use um aplicativo autenticador, como o Google Authenticator ou o Authy.',
  loading: 'Carregando...',
  /** The name that a new app gets; further ones are numbered. */
  defaultName: 'Aplicativo autenticador',
  mailbox: {
    intro: (email: string) =>
      `Antes de ativar, confirme que o email ${email} é seu. Assim, ninguém mais pode proteger a sua conta com o celular dele.`,
    steps:
      'Enviamos um link. Ao abri-lo, você escolhe uma nova senha, e as sessões abertas antes são encerradas. Depois, volte aqui e ative.',
    sent: (email: string) => `Enviamos o link para ${email}. Ele chega em instantes e vale por 1 hora. Não achou? Olhe também o spam.`,
    send: 'Enviar email de confirmação',
    sendAgain: 'Enviar de novo',
    failed: 'Erro ao enviar email',
  },
  scan: '1. Leia este código com o aplicativo',
  picture: 'Código QR para o aplicativo autenticador',
  typeKey: 'Não consegue ler? Digite a chave',
  code: '2. Digite o código que ele mostra',
  activate: 'Ativar',
  activated: { title: 'Verificação em duas etapas ativada', text: otherSessionsEnded },
  copy: 'Copiar',
  copied: 'Copiada',
  copyFailed: { title: 'Erro ao copiar', text: 'Selecione a chave e copie.' },
};

export const sessionsTexts = {
  label: 'Sessões',
  current: 'Esta sessão',
  lastUsed: 'Último uso:',
  end: 'Encerrar',
  endNamed: (device: string, lastUsed: string) => `Encerrar sessão: ${device}, ${lastUsed}`,
  showAll: (count: number) => `Mostrar todas (${count})`,
  endOthers: 'Encerrar todas as outras',
  onlyHere: 'Você só está conectado aqui.',
  ended: 'Sessão encerrada',
  endFailed: { title: 'Erro ao encerrar sessão', text: tryLater },
  othersEnded: 'Outras sessões encerradas',
  endOthersFailed: { title: 'Erro ao encerrar sessões', text: tryLater },
  loadFailed: 'Não foi possível carregar suas sessões.',
};

export const deviceTexts = {
  browserOn: (browser: string, system: string) => `${browser} no ${system}`,
  unknown: 'Dispositivo desconhecido',
};

export const securityEventTexts: Record<SecurityEventKind, string> = {
  'account.created': 'Conta criada',
  'account.exported': 'Dados baixados',
  'account.erased': 'Conta excluída',
  'email.change_requested': 'Mudança de email pedida',
  'email.changed': 'Email alterado',
  'erasure.asked': 'Exclusão da conta pedida',
  'factor.added': 'Aplicativo autenticador adicionado',
  'factor.removed': 'Aplicativo autenticador removido',
  'factor.wrong_code': 'Código de verificação incorreto',
  'mailbox.proven': 'Email comprovado: senha e sessões de antes encerradas',
  'password.changed': 'Senha alterada',
  'recovery.requested': 'Recuperação de senha pedida',
  'recovery.used': 'Link de recuperação usado',
  'role.granted': 'Permissão concedida',
  'role.revoked': 'Permissão retirada',
  'session.ended': 'Sessão encerrada',
  'session.reused_token': 'Sessão encerrada por suspeita de cópia',
  'sign_in.otp': 'Entrada por link de email',
  'sign_in.password': 'Entrada com senha',
  'sign_in.second_factor': 'Entrada confirmada com código',
  'sign_in.wrong_password': 'Tentativa de entrada com senha errada',
};

export const eventsTexts = {
  /** For kinds that are newer than this page. */
  otherEvent: 'Atividade na conta',
  empty: 'Nada aconteceu ainda. Entradas e mudanças de senha aparecem aqui.',
  showMore: 'Mostrar mais',
  loadFailed: 'Não foi possível carregar a atividade da conta.',
};

export const exportTexts = {
  content: 'Perfil, assinatura, automações, listas extraídas e histórico de segurança, em um arquivo ZIP.',
  download: 'Baixar meus dados',
  retry: 'Tentar novamente',
  started: { title: 'Download iniciado', text: (fileName: string) => `Procure por ${fileName} nos seus downloads.` },
  failed: { title: 'Erro no download', text: 'Não foi possível reunir seus dados agora.' },
  progress: 'Reunindo seus dados',
  /** Shown one after another, each from that second on. */
  progressSteps: [
    { fromSecond: 0, text: 'Reunindo seus dados...' },
    { fromSecond: 4, text: 'Juntando o que cada parte do sistema guarda...' },
    { fromSecond: 12, text: 'Contas com listas grandes levam um pouco mais. Mantenha esta página aberta.' },
  ],
};

export const erasureTexts = {
  intro: 'Apaga sua conta e tudo o que guardamos sobre você. Se quiser uma cópia, baixe seus dados antes.',
  open: 'Excluir minha conta',
  title: 'Excluir sua conta para sempre?',
  consequences: [
    'Sua assinatura é cancelada agora, e o acesso termina junto.',
    'Suas automações param na hora.',
    'Listas extraídas, roletas, artigos e sessões do Instagram são apagados.',
    'Não dá para desfazer, nem pelo suporte.',
  ],
  /** The word that has to be typed. */
  word: 'EXCLUIR',
  wordLabel: (word: string) => `Digite ${word} para confirmar`,
  wordMissing: (word: string) => `Digite ${word} para confirmar.`,
  password: 'Sua senha',
  passwordMissing: 'Digite sua senha.',
  cancel,
  erase: 'Excluir para sempre',
  erased: { title: 'Sua conta foi excluída', text: 'Obrigado por ter voado com a gente.' },
  refused: 'Não foi possível excluir sua conta. Tente novamente.',
  failed: { title: 'Erro ao excluir conta', text: tryLater },
};

export const settingsTexts = {
  loading: 'Carregando...',
};
