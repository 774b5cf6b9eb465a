/** Sentences of the wizard's pages. Titles of tools and steps, options and validation messages come from `@decola/contracts`. */

const backToDashboard = 'Voltar ao Dashboard';
const saveFailed = 'Erro ao salvar automação';

export const wizardPageTexts = {
  back: backToDashboard,
  editTitle: (tool: string) => `Editar ${tool}`,
  editing: 'Editando automação',
  noSlots: 'Sem slots disponíveis',
  freeSlots: (free: number) => (free === 1 ? '1 slot disponível' : `${free} slots disponíveis`),
  full: 'Seus slots estão todos em uso. Você pode salvar um rascunho, excluir uma automação ou escolher um plano maior.',
  seePlans: 'Ver planos',
  next: 'Próximo',
  previous: 'Anterior',
  save: 'Salvar Alterações',
  create: 'Criar Automação',
  saveDraft: 'Salvar Rascunho',
};

export const unknownToolTexts = {
  title: 'Automação não encontrada',
  text: 'Este endereço não leva a nenhuma ferramenta.',
  back: backToDashboard,
};

export const editTexts = {
  loadFailed: 'Erro ao carregar dados da automação',
};

export const saveTexts = {
  draft: { created: 'Rascunho salvo com sucesso!', edited: 'Rascunho atualizado!' },
  publish: { created: 'Automação criada com sucesso!', edited: 'Automação atualizada com sucesso!' },
  failed: saveFailed,
};

export const stepsTexts = {
  label: 'Passos',
  done: 'Feito',
  incomplete: '(falta algo)',
};

export const leaveTexts = {
  title: 'Sair sem salvar?',
  description: 'O que você preencheu se perde.',
  stay: 'Continuar editando',
  leave: 'Sair sem salvar',
};

export const cookieStepTexts = {
  signIn: 'No computador, entre no Instagram pelo navegador com a conta que vai usar.',
  export: 'Abra uma extensão de cookies, como Cookie-Editor, e escolha Exportar.',
  paste: (formats: number) => `Cole aqui o que foi copiado. Reconhecemos ${formats} formatos.`,
  stored: (account: string) => `Já temos uma sessão guardada para ${account}. Deixe vazio para continuar com ela.`,
  cookie: 'Cookie do Instagram',
  hint: 'Guardamos a sessão cifrada e nunca a mostramos de novo. Nos primeiros dias a automação anda devagar, para proteger sua conta.',
  recognised: (format: string, accountNumber: string) => `Reconhecido: ${format}. Conta nº ${accountNumber}.`,
};

/** Words in the small pictures of the cookie step. */
export const cookiePictureTexts = {
  network: 'instagram.com',
  account: 'sua.conta',
  export: 'Exportar',
  here: 'decole por aqui',
};

/** Fields that several tools share. Those of one tool are in `tools/texts.ts`. */
export const configurationTexts = {
  hashtag: { label: 'Hashtag', placeholder: '#cafeteria', hint: 'Uma ou mais, separadas por vírgula.' },
  profile: { label: 'Usuário alvo', placeholder: '@nome.do.perfil' },
  post: { label: 'URL do post', placeholder: 'https://www.instagram.com/p/CODIGO/' },
  /** Proposal for the owner. */
  characters: (count: string, most: string) => `${count} de ${most}`,
};

export const frequencyTexts = {
  frequency: 'Frequência de execução',
  actions: 'Ações por execução',
  actionsHint: 'De 1 a 5. Vazio, processamos 3 por execução. Recomendamos no máximo 1 ação por hora.',
  limits:
    'Acima da frequência valem os limites de segurança da sua conta, somando todas as automações. Ao primeiro sinal do Instagram, paramos e avisamos.',
};

export const extractedListTexts = {
  label: 'Slot de dados extraídos',
  loading: 'Carregando slots...',
  loadFailed: 'Não foi possível carregar os slots.',
  empty: {
    title: 'Nenhum slot com dados extraídos encontrado',
    text: 'Execute primeiro uma automação de extração para criar dados',
    create: 'Criar uma extração',
  },
  /** Proposals for the owner: likes and comments. */
  /** Rows of a list, by its kind. Proposals for the owner: likes and comments. */
  dataTypes: {
    followers: { one: 'seguidor', many: 'seguidores' },
    following: { one: 'seguindo', many: 'seguindo' },
    likes: { one: 'curtida', many: 'curtidas' },
    comments: { one: 'comentário', many: 'comentários' },
    leads: { one: 'lead', many: 'leads' },
  },
  /** Proposals for the owner: older lists, after the same automation has collected a newer one. */
  older: (automation: string) => `${automation} · lista anterior`,
  showOlder: (count: number) => (count === 1 ? 'Mostrar 1 lista anterior' : `Mostrar ${count} listas anteriores`),
  description: (count: string, { one, many }: { one: string; many: string }, date: string) =>
    `${count} ${count === '1' ? one : many} · ${date}`,
};

/** Proposals for the owner. */
export const stepProposals = {
  /** Shown below the title of a step that is not answered yet. */
  questions: { account: 'Quem age', configuration: 'O quê e onde', frequency: 'Quanto e quando' },
  kept: 'Guardado nesta aba',
};

/** Proposals for the owner. */
export const sentenceTexts = {
  more: (count: number) => `mais ${count}`,
  gaps: {
    hashtag: 'uma hashtag',
    profile: 'um perfil',
    source: 'de onde você escolher',
    pace: 'no ritmo',
  },
  /** Follows `gaps.pace` in the sentence. */
  toBeChosen: 'que você escolher',
};

/** Proposals for the owner. */
export const planTexts = {
  title: 'Plano de voo',
  account: 'Conta',
  noAccount: 'falta escolher',
  uses: 'Usa',
  slots: (cost: number, left: number | null) =>
    `${cost} ${cost === 1 ? 'slot' : 'slots'}${left === null ? '' : left === 1 ? ', sobra 1' : `, sobram ${left}`}`,
  draft: 'nenhum slot, como rascunho',
  starts: 'Começa',
  startsNow: 'logo depois de criar',
  startsLater: 'quando a ferramenta entrar em operação',
  todayOf: (account: string) => `Hoje em ${account}`,
  /** Proposal for the owner: over the preview, where the tool has a heading for its next targets already. */
  preview: 'Prévia',
};

/** Proposals for the owner. */
export const accountStepTexts = {
  lede: 'Escolha uma conta ou cole uma nova sessão.',
  legend: 'Conta do Instagram',
  another: 'Outra conta',
  anotherHint: 'Colar uma nova sessão',
  checked: (when: string) => `Sessão conferida ${when}`,
  stored: 'Sessão guardada',
  pasted: 'Sessão colada',
  thisAutomation: 'esta automação',
};

/** Proposals for the owner. */
export const computerTexts = {
  title: 'Continue no computador',
  text: 'O cookie só aparece no navegador do computador. Cole lá uma vez: a conta aparece aqui para escolher, em qualquer automação.',
  type: 'Digite no computador',
  qr: 'Código QR com o endereço desta página',
  copy: 'Copiar link',
  copied: 'Link copiado',
  copyFailed: 'Não foi possível copiar. Digite o endereço acima.',
  mail: 'Enviar para o meu e-mail',
  subject: (tool: string) => `Continue no computador: ${tool}`,
  pasteHere: 'Já tenho o cookie aqui no celular',
};

/** Proposals for the owner. */
export const frequencyProposals = {
  fewer: 'Uma a menos',
  more: 'Uma a mais',
  ofMost: (actions: number, most: number) => `${actions} de ${most}, no máximo`,
  review: 'Antes de publicar',
  missing: 'Falta responder',
  change: 'Mudar',
};

/** Proposals for the owner. */
export const dayTexts = {
  title: 'Um dia com este ritmo',
  total: (most: string, unit: string) => `de ${most} ${unit}`,
  spoken: (from: number, to: number, total: string, unit: string, most: string) =>
    `Das ${from}h às ${to}h, ${total} ${unit} em um dia; o limite de segurança é ${most}`,
  rests: (from: number, to: number) => `Das ${from}h às ${to}h a conta descansa.`,
  /** The setting asks for more than the account's ceiling allows. */
  exceeds: (asked: string, total: string, unit: string) =>
    `Este ritmo pede ${asked} ${unit} por dia, e a conta faz até ${total}: quem decide é o limite de segurança, não a frequência.`,
  newAccount: (first: string, days: number, later: string, laterDays: number) =>
    `Conta nova: até ${first} por dia nos primeiros ${days} dias. Depois de ${laterDays} dias, até ${later}.`,
};

/** Proposals for the owner: storing a pasted session before the automation is saved. */
export const storeSessionTexts = {
  button: 'Guardar e conferir agora',
  hint: 'A conta fica guardada, com ou sem esta automação, e a conferência corre enquanto você continua.',
  stored: 'Sessão guardada. Conferindo a conta.',
  failed: 'Não foi possível guardar a sessão. O que você colou continua aqui.',
};
