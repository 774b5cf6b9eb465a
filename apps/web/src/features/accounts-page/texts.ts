/** Sentences of the page of Instagram accounts. All are proposals for the owner. */

const people = (count: string) => (count === '1' ? '1 pessoa' : `${count} pessoas`);
const minimum = 'O mínimo são 6 horas seguidas.';

export const accountsPageTexts = {
  title: 'Contas do Instagram',
  lead: 'A sessão, os limites e as pausas são da conta. As automações dela seguem junto.',
  accounts: 'Contas',
  loading: 'Carregando suas contas',
  add: 'Adicionar conta',
  connect: 'Conectar conta',
  connecting: {
    title: 'Conectar uma conta',
    text: 'No computador, entre no Instagram com a conta e copie a sessão do navegador. A senha fica com você.',
  },
};

export const accountHeaderTexts = {
  checked: (ago: string) => `Sessão conferida ${ago}`,
  unchecked: 'Sessão ainda não conferida',
  back: (when: string) => `Volta sozinha ${when}`,
  warmUp: (day: number, days: number) => `Aquecendo, dia ${day} de ${days}`,
  replace: 'Trocar sessão',
  replacing: {
    title: 'Nova sessão',
    text: (automations: number) =>
      automations === 0
        ? 'Vale para todas as automações que esta conta tiver.'
        : automations === 1
          ? 'Vale para a automação desta conta, sem editá-la.'
          : `Vale de uma vez para as ${automations} automações desta conta, sem editar nenhuma.`,
  },
};

export const ownPauseTexts = {
  open: 'Pausar conta',
  resume: 'Retomar agora',
  title: 'Pausar a conta',
  text: 'Nada roda com esta conta até lá. Depois as automações continuam sozinhas.',
  legend: 'Por quanto tempo',
  lengths: { '3': '3 horas', '24': '1 dia', '72': '3 dias', '168': '7 dias', until: 'Até uma data' },
  until: 'Pausar até',
  missing: 'Escolha o dia e a hora em que a conta volta.',
  save: 'Pausar',
  cancel: 'Cancelar',
  paused: { title: 'Conta pausada', text: (when: string) => `As automações voltam sozinhas ${when}.` },
  resumed: { title: 'Conta retomada', text: 'As automações seguem nos próximos horários.' },
  failed: 'Não foi possível pausar a conta. Tente novamente em alguns instantes.',
  resumeFailed: { title: 'Não foi possível retomar a conta', text: 'Ela continua pausada. Tente novamente em alguns instantes.' },
};

export const limitTexts = {
  title: 'Limites de hoje',
  hint: 'somam todas as automações desta conta',
  day: 'hoje',
  hour: 'na hora',
  of: (most: string) => `de ${most}`,
  spokenDay: (action: string, used: string, most: string) => `${action} hoje: ${used} de ${most}`,
  spokenHour: (action: string, used: string, most: string) => `${action} nesta hora: ${used} de ${most}`,
  unproven: 'Os limites aparecem quando a primeira sessão desta conta for conferida.',
  loadFailed: 'Não foi possível carregar os limites. Eles continuam valendo.',
};

export const warmUpTexts = {
  title: 'Aquecimento',
  day: (day: number, days: number) => `dia ${day} de ${days}`,
  over: 'ritmo cheio',
  notBegun: 'começa com a primeira sessão conferida',
  until: (from: number, to: number) => (from === 1 ? `dias 1 a ${to}` : `até o dia ${to}`),
  after: 'depois',
  why: 'Pessoas seguidas por dia, no máximo. Cada marca é um dia.',
  spoken: (stages: string, today: string) => `Pessoas seguidas por dia, no máximo: ${stages}. ${today}`,
  stage: (name: string, most: number) => `${most} (${name})`,
  today: (day: number) => `Hoje é o dia ${day}.`,
  isOver: 'O aquecimento terminou.',
  isNotBegun: 'Ainda não começou.',
  none: 'Os limites são os mesmos desde o primeiro dia.',
  halved: (until: string) => `Metade do ritmo até ${until}, porque o Instagram bloqueou ações desta conta.`,
};

export const quietTexts = {
  title: 'Horas de silêncio',
  usual: 'horário padrão',
  range: (from: string, to: string) => `${from} às ${to}`,
  text: 'Nada roda nesse tempo. O que vencer espera o fim do silêncio.',
  spoken: (from: string, to: string, now: string) => `Silêncio das ${from} às ${to}; agora são ${now}`,
  change: 'Mudar',
  from: 'Das',
  to: 'Às',
  length: (hours: number, minutes: number) => `${hours} h${minutes > 0 ? ` ${minutes} min` : ''} de silêncio. ${minimum}`,
  minimum,
  save: 'Salvar',
  cancel: 'Cancelar',
  useUsual: (from: string, to: string) => `Usar o padrão (${from} às ${to})`,
  saved: 'Horas de silêncio salvas',
  failed: 'Não foi possível salvar o horário. Ele continua aqui; tente novamente.',
};

export const timeZoneTexts = {
  label: 'Fuso horário',
  hint: 'Vale para todas as suas contas.',
  automatic: (zone: string) => `Automático: o deste navegador (${zone})`,
  brazil: 'Brasil',
  others: 'Outros países',
  time: (place: string) => `horário de ${place}`,
  failed: 'Não foi possível salvar o fuso horário. Tente novamente.',
  /** Places that Brazilians know their zone by. */
  names: {
    'America/Sao_Paulo': 'Brasília',
    'America/Noronha': 'Fernando de Noronha',
    'America/Bahia': 'Salvador',
    'America/Fortaleza': 'Fortaleza',
    'America/Recife': 'Recife',
    'America/Maceio': 'Maceió',
    'America/Belem': 'Belém',
    'America/Araguaina': 'Palmas',
    'America/Santarem': 'Santarém',
    'America/Cuiaba': 'Cuiabá',
    'America/Campo_Grande': 'Campo Grande',
    'America/Manaus': 'Manaus',
    'America/Porto_Velho': 'Porto Velho',
    'America/Boa_Vista': 'Boa Vista',
    'America/Rio_Branco': 'Rio Branco',
    'America/Eirunepe': 'Eirunepé',
  } as Readonly<Record<string, string>>,
};

export const pauseTexts = {
  title: 'Pausas',
  hint: 'últimos 90 dias',
  since: (when: string) => `Desde ${when}`,
  back: (when: string) => `volta ${when}`,
  lasted: (when: string, length: string) => `${when}, por ${length}`,
  minutes: (count: number) => (count === 1 ? '1 minuto' : `${count} minutos`),
  hours: (count: number) => (count === 1 ? '1 hora' : `${count} horas`),
  days: (count: number) => (count === 1 ? '1 dia' : `${count} dias`),
  part: (action: string) => `Só ${action.toLowerCase()}`,
  lists: 'Só o que lê listas de pessoas',
  /** What happened, of a pause that is over. */
  causes: {
    action_blocked: 'O Instagram bloqueou ações da conta.',
    action_blocked_long: 'O Instagram bloqueou a conta por mais tempo.',
    unrecognised: 'O Instagram fez uma objeção que ainda não sabemos explicar.',
    challenge: 'O Instagram pediu uma confirmação de segurança.',
    suspended: 'O Instagram suspendeu a conta.',
    session_ended: 'A sessão terminou.',
    wrong_account: 'O cookie abriu outra conta.',
    limited: 'O Instagram pediu para esperar.',
    rate_limited: 'O Instagram recebeu acessos demais.',
    site_trouble: 'O Instagram estava com problemas.',
    silent_block: 'O Instagram deixou de aceitar esta ação sem avisar.',
    refused: 'O Instagram recusou esta ação duas vezes seguidas.',
    list_withheld: 'O Instagram deixou de mostrar listas de pessoas.',
    site_changed: 'O Instagram mostrou uma página que não conhecíamos.',
    customer: 'Você pausou a conta.',
  } as Readonly<Record<string, string>>,
  none: 'Nenhuma pausa nos últimos 90 dias.',
  more: (count: string) => `Mostrar mais ${count}`,
  loadFailed: 'Não foi possível carregar as pausas.',
};

export const keptPeopleTexts = {
  title: 'Quem nunca deixar de seguir',
  count: people,
  add: 'Adicionar pessoas',
  addHint: 'Uma ou muitas: separe por espaço, vírgula ou linha.',
  addButton: 'Adicionar',
  empty: 'Digite pelo menos uma pessoa.',
  added: (count: string) => (count === '1' ? '1 pessoa adicionada' : `${count} pessoas adicionadas`),
  alreadyThere: 'Já estavam na lista',
  search: 'Buscar na lista',
  found: people,
  notFound: (sought: string) => `Ninguém com “${sought}” nesta lista.`,
  none: 'Ninguém ainda. Quem estiver aqui nenhuma automação desta conta deixa de seguir.',
  list: 'Pessoas protegidas',
  remove: (name: string) => `Tirar @${name}`,
  removed: (name: string) => `@${name} saiu da lista`,
  removeFailed: { title: 'Não foi possível tirar da lista', text: 'A pessoa continua protegida. Tente novamente.' },
};

export const growthBlockTexts = {
  title: 'Crescimento',
  period: 'Período',
  periods: { '7': '7 dias', '30': '30 dias', '90': '90 dias' },
  metric: 'O que mostrar',
  loadFailed: 'Não foi possível carregar o crescimento.',
};

export const activityTexts = {
  title: 'Ações por dia',
  none: 'As barras aparecem com a primeira execução desta conta.',
  noneInPeriod: 'Nenhuma ação neste período.',
  table: 'Ações confirmadas por dia',
  total: 'Total',
  confirmed: (count: string) => `${count} ${count === '1' ? 'confirmada' : 'confirmadas'}`,
  skipped: (count: string) => `${count} ${count === '1' ? 'pulada' : 'puladas'}`,
  refused: (count: string) => `${count} ${count === '1' ? 'recusada' : 'recusadas'}`,
  unconfirmed: (count: string) => `${count}\u00a0sem confirmação`,
};

export const followBackTexts = {
  title: 'Seguiram de volta',
  after: (days: number) => `Depois de ${days} dias`,
  share: (count: string, seen: string) => `${count} de ${seen} seguem você`,
  seen: (seen: string, followed: string) => `vimos de novo ${seen} das ${followed} pessoas seguidas`,
  spoken: (days: number, count: string, seen: string, followed: string) =>
    `Depois de ${days} dias: das ${followed} pessoas seguidas vimos ${seen} de novo, e ${count} seguem você`,
  notSeen: (followed: string) => `Ainda não vimos de novo nenhuma das ${people(followed)} seguidas.`,
  nobody: (days: number) => `Ninguém foi seguido há ${days} dias ou mais.`,
  why: 'Contamos só quem reapareceu de passagem: nenhuma página é aberta para descobrir.',
};
