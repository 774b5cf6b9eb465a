/** Sentences about an Instagram account that is stopped. */

export const resolveStopTexts = {
  button: 'Já resolvi no Instagram',
  toast: {
    title: 'Combinado',
    /** The account is checked by itself in an hour. */
    checked: 'Em uma hora conferimos a conta e, se estiver tudo certo, as automações voltam sozinhas.',
    /** The account needs its cookie once more. */
    pasted: 'Em uma hora o mesmo cookie pode ser colado de novo. Para não esperar, entre de novo no Instagram e cole o novo cookie.',
  },
  failed: { title: 'Não foi possível registrar seu aviso', text: 'Tente novamente em alguns instantes.' },
  status: {
    checking: 'Aviso recebido. Conferindo a conta no Instagram.',
    needsCookie: 'Aviso recebido. Falta colar o cookie da conta.',
    checkScheduled: 'Aviso recebido. A conferência da conta está marcada.',
  },
};

/** Proposals for the owner. */
export const accountTexts = {
  /** Until the first check of a session has read the account's @name. */
  unnamed: 'Conta em conferência',
  health: {
    on: (automations: number) => `No ar · ${automations} ${automations === 1 ? 'automação' : 'automações'}`,
    nothingOn: 'Nenhuma automação no ar',
    checking: 'Conferindo a sessão',
    needsYou: 'Precisa de você',
    resting: (until: string) => `Parada · volta ${until}`,
    restingWithoutEnd: 'Parada',
    paused: 'Pausada por você',
    noSession: 'Sem sessão',
  },
  accounts: 'Contas',
  /** Leads to the page of the chosen account. */
  details: 'Ver limites, pausas e crescimento',
  none: {
    title: 'Nenhuma conta ainda',
    text: 'Entre no Instagram no computador, copie a sessão e cole aqui uma vez. A senha fica com você.',
  },
  loadFailed: 'Não foi possível carregar suas contas. As automações continuam.',
};

/** Proposals for the owner. */
export const accountNoticeTexts = {
  titles: {
    challenge: (account: string) => `O Instagram pediu uma confirmação em ${account}`,
    suspended: (account: string) => `O Instagram suspendeu ${account}`,
    session_ended: (account: string) => `A sessão de ${account} terminou`,
    wrong_account: (account: string) => `O cookie abriu outra conta, não ${account}`,
  } as Readonly<Record<string, (account: string) => string>>,
  noSession: (account: string) => `Falta a sessão de ${account}`,
  checking: (account: string) => `Conferindo ${account}`,
  resting: (account: string) => `${account} está parada por um tempo`,
  /** @param names of automations, as `joined` writes them */
  revives: (names: string, count: number) =>
    count === 1 ? `Quando a conta voltar, volta sozinha: ${names}.` : `Quando a conta voltar, voltam sozinhas: ${names}.`,
  revivedByPaste: (names: string, count: number) =>
    count === 1 ? `Com a nova sessão volta sozinha: ${names}.` : `Com a nova sessão voltam sozinhas: ${names}.`,
  finishedStay: 'Listas concluídas continuam concluídas.',
  more: (count: number) => `mais ${count}`,
  paste: 'Colar novo cookie',
  /** Leads to the page of the account. */
  details: 'Ver a conta',
};

/** Proposals for the owner, but for the label of the field. */
export const pasteSessionTexts = {
  cookie: 'Cookie do Instagram',
  hint: (account: string) =>
    `Entre como ${account} no navegador do computador, copie o cookie e cole aqui. Guardamos cifrado e nunca mostramos de novo.`,
  newHint: 'Entre na conta no navegador do computador, copie o cookie e cole aqui. Guardamos cifrado e nunca mostramos de novo.',
  empty: 'Cole o cookie antes de salvar',
  otherAccount: (account: string) => `Este cookie é de outra conta. Entre como ${account} no Instagram e copie de novo.`,
  recognised: (format: string) => `Reconhecido: ${format}.`,
  save: 'Salvar sessão',
  connect: 'Conectar conta',
  cancel: 'Cancelar',
  saved: { title: 'Sessão recebida', text: 'Conferimos a conta e as automações voltam sozinhas.' },
  connected: { title: 'Sessão recebida', text: 'Conferimos a conta agora. Depois é só escolher o que ela vai fazer.' },
  failed: { title: 'Não foi possível salvar a sessão', text: 'O que você colou continua aqui. Tente novamente em alguns instantes.' },
};

/** Proposals for the owner. */
export const usageTexts = {
  title: 'Hoje',
  hint: 'em 24 horas, até o limite de segurança',
  actions: {
    follow: 'Seguir',
    unfollow: 'Desseguir',
    like: 'Curtir',
    comment: 'Comentar',
    message: 'Direct',
    'view-story': 'Ver stories',
    'list-page': 'Ler listas',
    'page-view': 'Abrir páginas',
  } as Readonly<Record<string, string>>,
  of: (most: string) => `de ${most}`,
  spoken: (action: string, used: string, most: string) => `${action}: ${used} de ${most} ações`,
  near: 'quase lá',
  unknown: 'sem dados',
  spokenUnknown: (action: string) => `${action}: ainda sem dados`,
  empty: 'As marcas se acendem com a primeira execução desta conta.',
};

/** Proposals for the owner. */
export const growthTexts = {
  title: 'Seguidores',
  gain: (count: string, days: number) => `${count} em ${days} ${days === 1 ? 'dia' : 'dias'}`,
  tomorrow: 'A linha aparece amanhã, com o segundo dia contado.',
  none: 'O número aparece quando a primeira execução passar pelo seu perfil.',
  metrics: { followers: 'Seguidores', following: 'Seguindo', posts: 'Posts' },
  perDay: { followers: 'Seguidores por dia', following: 'Contas que segue, por dia', posts: 'Posts no perfil, por dia' },
  day: 'Dia',
  today: 'hoje',
};

/** Proposals for the owner. */
export const keepListTexts = {
  label: (account: string) => `Quem ${account} nunca deixa de seguir`,
  hint: 'Vale para todas as automações desta conta. Separe por vírgula ou linha.',
  placeholder: '@nome.da.pessoa',
  save: 'Salvar esta lista',
  saved: 'Lista salva',
  failed: 'Não foi possível salvar a lista. Ela continua aqui; tente novamente.',
  loadFailed: 'Não foi possível carregar quem esta conta mantém.',
  unreadable: (typed: string) => `Não reconhecemos “${typed}”. Digite como aparece no perfil, por exemplo @nome.sobrenome`,
};

const people = (count: string) => (count === '1' ? '1 pessoa' : `${count} pessoas`);

/** Proposals for the owner: everybody of an extracted list is added to the people whom an account keeps. */
export const keepListImportTexts = {
  title: (account: string) => `Proteger quem ${account} já segue`,
  hint: (account: string) =>
    `Acrescenta à lista acima todos de uma extração “Seguindo” de ${account}. Quem já tinha sido seguido por aqui nesse dia também fica.`,
  loadFailed: 'Não foi possível carregar suas extrações.',
  empty: {
    text: (account: string) =>
      `Falta a extração: em “O que extrair”, escolha “Seguindo”, com ${account} como usuário alvo. A lista aparece aqui quando terminar.`,
    create: 'Criar uma extração',
  },
  collecting: (account: string, count: string) =>
    `A lista de quem ${account} segue ainda está sendo coletada: ${people(count)} até agora. Ela aparece aqui quando terminar.`,
  legend: 'Qual lista',
  list: (count: string, date: string) => `${people(count)} · ${date}`,
  /** A list that ended before everybody was read. */
  shortList: (count: string, total: string, date: string) => `${count} de ${people(total)} · ${date}`,
  button: 'Proteger todos desta lista',
  working: 'Lendo a lista. Com milhares de pessoas, leva alguns segundos.',
  /** @param count people in the keep list afterwards */
  done: (count: string) => (count === '1' ? '1 pessoa protegida' : `${count} pessoas protegidas`),
  failed: 'Não foi possível proteger esta lista. Quem já estava protegido continua; tente novamente.',
};
