// Facts and words alone: the dashboard shows them, and must not load the schemas for it.

/** Types of `automations` rows; blog automations have a table of their own. */
export const automationTypes = [
  'auto-follow-unfollow',
  'auto-like',
  'auto-comment',
  'auto-dm-sender',
  'prize-extractor',
  'followers-following-extractor',
  'post-interactions-extractor',
  'mass-story-viewer',
] as const;
export type AutomationType = (typeof automationTypes)[number];
export type ToolType = AutomationType | 'blog-automation';

/** Slots that one published automation uses, on or off. A draft uses none. */
export function slotCost(type: ToolType): 1 | 2 {
  return type === 'blog-automation' || type === 'auto-dm-sender' ? 2 : 1;
}

export interface WizardChoice {
  value: string;
  label: string;
}

export interface WizardEntry {
  title: string;
  description: string;
  /** Titles of the steps, in order; step 1 is the first. */
  steps: readonly string[];
  slotCost: 1 | 2;
  /** What the tool does; more than one only where the customer chooses. */
  actions: readonly WizardChoice[];
  methods: readonly WizardChoice[];
  /** Runs again and again by a frequency, with a number of actions each time. */
  scheduled: boolean;
}

const cookieStep = 'Cookie do Instagram';
const standardSteps = [cookieStep, 'Configuração', 'Frequência'] as const;
const shortSteps = [cookieStep, 'Configuração'] as const;
const slotMethod = { value: 'slot', label: 'Slot de dados extraídos' } as const;

/** Every tool as the dashboard and the wizard show it. */
export const wizardCatalogue: Record<ToolType, WizardEntry> = {
  'auto-follow-unfollow': {
    title: 'Seguir e Desseguir',
    description: 'Siga pessoas do seu nicho e desfaça depois, no seu ritmo.',
    steps: standardSteps,
    slotCost: slotCost('auto-follow-unfollow'),
    actions: [
      { value: 'follow', label: 'Seguir' },
      { value: 'unfollow', label: 'Desseguir' },
    ],
    methods: [{ value: 'hashtag', label: 'Por hashtag' }, { value: 'list', label: 'Seguidores de um perfil' }, slotMethod],
    scheduled: true,
  },
  'auto-like': {
    title: 'Curtidas Automáticas',
    description: 'Curta posts de quem importa para o seu perfil.',
    steps: standardSteps,
    slotCost: slotCost('auto-like'),
    actions: [{ value: 'like', label: 'Curtir' }],
    methods: [{ value: 'hashtag', label: 'Por hashtag' }, { value: 'feed', label: 'Do seu feed' }, slotMethod],
    scheduled: true,
  },
  'auto-comment': {
    title: 'Comentários Automáticos',
    description: 'Comente em posts do seu nicho, alternando os seus textos.',
    steps: standardSteps,
    slotCost: slotCost('auto-comment'),
    actions: [{ value: 'comment', label: 'Comentar' }],
    methods: [{ value: 'hashtag', label: 'Por hashtag' }, slotMethod],
    scheduled: true,
  },
  'prize-extractor': {
    title: 'Roleta de Prêmios',
    description: 'Publique uma roleta, entregue prêmios e receba os dados dos leads.',
    steps: ['Cadastro de Prêmios', 'Campos do Lead'],
    slotCost: slotCost('prize-extractor'),
    actions: [{ value: 'extract_leads', label: 'Captar leads' }],
    methods: [{ value: 'prize_wheel', label: 'Roleta de prêmios' }],
    scheduled: false,
  },
  'followers-following-extractor': {
    title: 'Extrator de Seguidores e Seguindo',
    description: 'Baixe em CSV a lista de seguidores ou de quem um perfil segue.',
    steps: shortSteps,
    slotCost: slotCost('followers-following-extractor'),
    actions: [{ value: 'extract', label: 'Extrair' }],
    methods: [{ value: 'user', label: 'Perfil' }],
    scheduled: false,
  },
  'post-interactions-extractor': {
    title: 'Extrator de Interações',
    description: 'Baixe em CSV quem curtiu ou comentou um post.',
    steps: shortSteps,
    slotCost: slotCost('post-interactions-extractor'),
    actions: [{ value: 'extract', label: 'Extrair' }],
    methods: [{ value: 'post', label: 'Post' }],
    scheduled: false,
  },
  'mass-story-viewer': {
    title: 'Visualizador de Stories',
    description: 'Veja os stories do seu público e apareça para ele.',
    steps: standardSteps,
    slotCost: slotCost('mass-story-viewer'),
    actions: [{ value: 'story', label: 'Ver stories' }],
    methods: [{ value: 'feed', label: 'Do seu feed' }, { value: 'hashtag', label: 'Por hashtag' }, slotMethod],
    scheduled: true,
  },
  'auto-dm-sender': {
    title: 'Direct Automático',
    description: 'Envie um direct a quem comentar a palavra-chave no seu post.',
    steps: shortSteps,
    slotCost: slotCost('auto-dm-sender'),
    actions: [{ value: 'send_dm', label: 'Enviar direct' }],
    methods: [{ value: 'comments', label: 'Comentários do post' }],
    scheduled: false,
  },
  'blog-automation': {
    title: 'Artigos Automáticos para Blog',
    description: 'Publique artigos no seu WordPress toda semana, sem escrever.',
    steps: ['Webhook', 'Configuração do blog', 'Frequência'],
    slotCost: slotCost('blog-automation'),
    actions: [],
    methods: [],
    scheduled: false,
  },
};

/** The seven tools of the dashboard, in its order; the story viewer has a wizard but no card. */
export const dashboardTools: readonly ToolType[] = [
  'auto-follow-unfollow',
  'auto-like',
  'auto-comment',
  'prize-extractor',
  'followers-following-extractor',
  'post-interactions-extractor',
  'auto-dm-sender',
];

/** The tool's title, followed by ` - {action}` where the customer chose one (follow or unfollow). */
export function defaultAutomationName(type: AutomationType, configuration: Record<string, unknown>): string {
  const { title, actions } = wizardCatalogue[type];
  const action = actions.length > 1 ? actions.find(({ value }) => value === configuration['action']) : undefined;
  return action ? `${title} - ${action.label}` : title;
}

/** The refusal when a plan has fewer free slots than a tool costs. */
export function slotsRefusal(needed: number, available: number): string {
  return `Esta automação requer ${needed} slots, mas você tem apenas ${available} disponível(is).`;
}

export const wizardTexts = {
  loginRequired: 'Você precisa estar logado para salvar a automação',
  unknownType: 'Tipo de automação inválido',
  emptyName: 'O nome da automação não pode estar vazio.',
} as const;

export function isAutomationType(value: unknown): value is AutomationType {
  return typeof value === 'string' && (automationTypes as readonly string[]).includes(value);
}
