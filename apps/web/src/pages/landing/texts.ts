import { halvedDaysAfterBlock, type PlanKey, planFeatures, planTerms } from '@decola/contracts';

/** Sentences of the landing page. Prices, slots and promises of plans are not here: they come from the plan catalogue of `@decola/contracts`. */

export const landingTexts = {
  title: (productName: string) => `${productName} · Decole seu Instagram`,
  skipToContent: 'Ir para o conteúdo',
};

export const headerTexts = {
  navigation: 'Principal',
  signIn: 'Entrar',
  signUp: 'Criar conta',
  openMenu: 'Abrir menu',
  closeMenu: 'Fechar menu',
};

export const heroTexts = {
  title: 'Decole',
  start: 'Começar grátis',
  seeTools: 'Ver ferramentas',
};

/** Typed one after another behind the title. */
export const heroWords = ['seu Instagram', 'seu marketing', 'seu engajamento'] as const;

export const claims = [
  { value: '10k+', label: 'usuários' },
  { value: '4.9/5', label: 'de avaliação' },
  { value: '100%', label: 'seguro' },
] as const;

export const anchors = [
  { id: 'inicio', label: 'Início' },
  { id: 'ferramentas', label: 'Ferramentas' },
  { id: 'planos', label: 'Planos' },
  { id: 'depoimentos', label: 'Depoimentos' },
] as const;

export const toolsTexts = {
  label: 'Ferramentas',
  title: 'Cinco ferramentas, um só painel',
  lead: 'Você diz o quê, onde e com que frequência. O resto acontece, e fica tudo anotado.',
  follow: {
    title: 'Seguir e deixar de seguir',
    text: 'Por hashtag, pelos seguidores de um perfil ou pela sua lista. Só desfazemos o que fizemos por aqui.',
  },
  like: { title: 'Curtidas automáticas', text: 'Nos posts do seu nicho ou do seu feed, poucas por vez, no seu horário.' },
  comment: { title: 'Comentários automáticos', text: 'De três a dez textos seus, alternados, para nunca parecer repetido.' },
  extract: {
    title: 'Extratores com CSV',
    text: 'Os seguidores de um perfil e quem curtiu ou comentou um post, com a conta honesta: obtidos X de Y.',
  },
  blog: { title: 'Artigos SEO automáticos', text: 'Artigos para o seu blog toda semana, publicados no seu WordPress.' },
};

export const wheelTexts = {
  title: 'Transforme visitas em contatos com a roleta de prêmios',
  lead: 'Cadastre os prêmios, publique o link ou coloque no seu site. Cada pessoa gira uma vez, o estoque é respeitado e os dados chegam a você.',
  spin: 'Girar a roleta',
  spinning: 'Girando...',
  spinAgain: 'Girar de novo',
  result: (prize: string) => `Parou em "${prize}". É só uma demonstração.`,
};

/** Prizes of the demonstration wheel, with their stock. */
export const examplePrizes = [
  { id: '1', name: 'Café grátis', quantity: 20 },
  { id: '2', name: '10% off', quantity: 50 },
  { id: '3', name: 'Caneca', quantity: 5 },
  { id: '4', name: 'Brownie', quantity: 12 },
  { id: '5', name: 'Ecobag', quantity: 0 },
  { id: '6', name: '20% off', quantity: 30 },
  { id: '7', name: 'Cappuccino', quantity: 15 },
  { id: '8', name: 'Cookie', quantity: 25 },
] as const;

export const plansTexts = {
  label: 'Planos',
  title: 'Um plano para cada fase',
  lead: 'Todas as ferramentas em todos. Um slot é uma automação publicada; exclua uma e ele volta.',
  popular: 'Mais Popular',
  trial: (days: number) => `${days} dias grátis`,
  afterTrial: { before: 'depois, ', after: ' por mês' },
  perMonth: 'por mês',
  startTrial: 'Testar Grátis',
  choose: (plan: string) => `Escolher ${plan}`,
  freedom: 'Sem fidelidade. Troque ou cancele quando quiser, pelo próprio painel.',
};

const planNames: Record<PlanKey, string> = { starter: 'Gratuito', pro: 'Básico', premium: 'Pro' };

export const landingPlans = (Object.keys(planTerms) as PlanKey[]).map((key) => ({
  key,
  name: planNames[key],
  ...planTerms[key],
  items: planFeatures(key),
}));

export const testimonialsTexts = {
  title: 'Depoimentos',
  lead: 'Palavras de clientes, publicadas com autorização.',
};

/** In place of testimonials while there are none. */
export const promisesTexts = {
  title: 'Antes dos depoimentos, os compromissos',
  lead: 'Só publicamos palavras de clientes de verdade, com autorização. Enquanto elas chegam, isto vale para todos.',
  stop: {
    title: 'Paramos ao primeiro sinal',
    text: 'Se o Instagram reclamar, sua conta descansa e você lê o porquê e o que fazer.',
  },
  record: {
    title: 'Nada é feito às escondidas',
    text: 'Cada pessoa seguida fica registrada, com o resultado visto na página. “Feito” só quando foi feito.',
  },
  data: { title: 'O que é seu sai com você', text: 'Baixe suas listas e tudo o que guardamos sobre você. Apague quando quiser.' },
  invitation: (productName: string) => `Já usa o ${productName}?`,
  tellUs: 'Conte como foi',
};

export const closingTexts = {
  title: 'Pronto para decolar?',
  lead: 'Sete dias grátis, com todas as ferramentas. Em cinco minutos a primeira automação está no ar.',
  signUp: 'Criar minha conta',
};

export interface Testimonial {
  /** As the customer wrote them. */
  words: string;
  name: string;
  /** What they do, and their profile when they want it shown. */
  role: string;
}

/** Words of real customers who allowed them to be shown. Empty until there are some: the page then says what we promise instead. */
export const testimonials: readonly Testimonial[] = [];

/* Proposals for the owner: what follows is in neither the specification nor a ruling. */

export const heroProposals = {
  outcome: 'Seu Instagram cresce enquanto você trabalha, e você vê cada passo.',
  lead: 'Automações que agem pela sua própria sessão, no ritmo certo, e param ao primeiro sinal do Instagram.',
  example: 'O painel, com dados de exemplo.',
  pause: 'Pausar',
  resume: 'Continuar',
};

/** Invented people and figures of the pictures. */
export const exampleTexts = {
  label: 'O painel: limites de hoje, seguidores da semana, três automações e cada ação feita',
  account: '@estudio.da.ana',
  accountState: 'No ar',
  today: 'Hoje',
  ceiling: 'limite de segurança',
  almost: 'quase lá',
  of: 'de',
  limits: [
    { tool: 'follow', name: 'Seguir', value: 34, most: 60 },
    { tool: 'like', name: 'Curtir', value: 104, most: 120 },
    { tool: 'comment', name: 'Comentar', value: 6, most: 15 },
    { tool: 'direct', name: 'Direct', value: 11, most: 30 },
  ],
  followers: { title: 'Seguidores', count: '12.847', grown: '+212 em 7 dias' },
  days: ['dom', 'seg', 'ter', 'qua', 'qui', 'sex', 'hoje'],
  states: { running: 'Executando agora', done: 'Concluído' },
  automations: {
    like: { name: 'Curtir #cafeespecial', what: '3 por hora' },
    followers: { name: 'Seguidores de @torra.fresca', what: 'obtidos 4.870 de 12.400' },
    comments: { name: 'Quem comentou no Dia do Café', what: 'obtidos 318 de 318' },
  },
  diary: 'Cada passo, anotado',
  steps: [
    ['15:02', 'curtiu', 'um post de @bia.roma'],
    ['15:01', 'curtiu', 'um post de @lu.serrana'],
    ['14:20', 'seguiu', '@joaopassacafe'],
    ['14:20', 'seguiu', '@marina.torra'],
    ['14:19', 'seguiu', '@cafedogil'],
    ['14:02', 'respondeu', '@rafa.coa no direct'],
    ['14:01', 'curtiu', 'um post de @torra.fresca'],
    ['14:00', 'curtiu', 'um post de @moka.br'],
    ['13:20', 'seguiu', '@ana.prensa'],
  ],
} as const;

/** Pictures on the cards of the tools. In a sentence, every second part is emphasised. */
export const sceneTexts = {
  follow: {
    sentence: ['Seguir ', '3 pessoas', ' a cada ', '1 hora', ' entre quem usa ', '#cafe'],
    people: ['@marina.torra', '@joaopassacafe', '@bia.roma', '@cafedogil'],
    done: 'seguindo',
    now: 'agora',
    next: '15:20',
  },
  like: { count: '22', today: 'curtidas hoje', pace: '3 por hora', hours: ['0h', '6h', '12h', '18h', '24h'] },
  comment: ['Que torra linda!', 'Salvei para testar', 'Onde encontro?'],
  extract: {
    collected: ['obtidos ', '4.870', ' de 5.000'],
    columns: ['usuario', 'nome', 'seguidores'],
    rows: [
      ['marina.torra', 'Marina Couto', '2.310'],
      ['joaopassacafe', 'João Prado', '874'],
      ['bia.roma', 'Bia Roma', '5.102'],
    ],
  },
  blog: {
    days: ['dom', 'seg', 'ter', 'qua', 'qui', 'sex', 'sáb'],
    article: 'Moedor manual ou elétrico: qual escolher',
    state: 'Publicado',
    date: 'qua, 09:00',
  },
} as const;

export const wheelProposals = {
  people: 'Cada giro é um contato na sua lista',
  examples: [
    { initials: 'BR', name: 'Bia Roma', prize: 'Café grátis', tool: 'direct' },
    { initials: 'JP', name: 'João Prado', prize: '10% off', tool: 'list' },
    { initials: 'MC', name: 'Marina Couto', prize: 'Cookie', tool: 'like' },
  ],
  you: { initials: 'EU', name: 'Você' },
} as const;

export const stepsTexts = {
  title: 'Três passos até o ar',
  connect: {
    title: 'Conecte a sua sessão',
    text: 'Entre no Instagram no seu navegador e cole a sessão aqui. A senha fica com você.',
    pasted: 'colado',
    checked: 'Sessão conferida: @estudio.da.ana',
  },
  say: {
    title: 'Diga o quê, onde e quanto',
    text: '“3 curtidas a cada hora em #cafe.” Você lê a frase antes de publicar.',
    sentence: ['Até ', '3 curtidas', ' em ', '#cafe', ', a cada ', '1 hora'],
  },
  watch: {
    title: 'Acompanhe cada passo',
    text: 'O que foi feito, o que está parado e por quê, e quando roda de novo.',
  },
} as const;

export const protectionTexts = {
  title: 'O que protege a sua conta',
  lead: 'O Instagram não publica os limites dele. Os nossos são cautelosos e crescem com a sua conta.',
  towers: 'Pessoas seguidas por dia, no máximo',
  firstDays: (days: number) => `Primeiros ${days} dias`,
  untilDay: (day: number) => `Até o dia ${day}`,
  afterwards: 'Depois',
  mark: 'Cada marca é uma pessoa.',
  password: { title: 'Sua senha não é pedida', text: 'Só a sessão do navegador, colada uma vez e nunca mais mostrada.' },
  stop: {
    title: 'Um sinal do Instagram, e tudo para',
    text: `A conta descansa, e os limites ficam pela metade por ${halvedDaysAfterBlock} dias.`,
  },
  undo: { title: 'Só desfaz o que fez', text: 'Desseguir vale apenas para quem foi seguido por aqui.' },
};

export const plansProposals = {
  oneTrial: { before: 'O teste grátis vale uma vez por pessoa; quem já testou assina por ', after: ' por mês.' },
};

export const questionsTexts = {
  title: 'Perguntas antes de decolar',
  questions: (productName: string): readonly { question: string; answer: string }[] => [
    {
      question: 'É seguro para a minha conta?',
      answer:
        'Nenhuma automação é sem risco: o Instagram não publica os limites dele e pode restringir uma conta. Por isso os nossos são cautelosos, crescem com a sua conta, e tudo para ao primeiro sinal.',
    },
    {
      question: 'Vocês pedem a minha senha?',
      answer: `Não. O ${productName} usa a sessão do seu navegador, que você cola uma vez. Ela fica cifrada e não é mostrada de novo. Para encerrar, basta sair do Instagram naquele navegador.`,
    },
    {
      question: 'E se o Instagram reclamar?',
      answer: `Tudo naquela conta para na hora. Você lê o que aconteceu e o que fazer. Depois de um bloqueio, os limites ficam pela metade por ${halvedDaysAfterBlock} dias.`,
    },
    {
      question: 'Preciso deixar o computador ligado?',
      answer: 'Não. Depois de publicada, a automação roda no horário que você escolheu, com o celular e o computador desligados.',
    },
    {
      question: 'O que é um slot?',
      answer: 'O espaço de uma automação publicada. Rascunhos não ocupam. Excluiu, o slot volta. Direct Automático e Artigos usam dois.',
    },
    {
      question: 'Como eu cancelo?',
      answer: 'No menu da sua conta, em Minha Assinatura, sem falar com ninguém. O acesso vale até o fim do período pago.',
    },
    {
      question: 'De quem são as listas e os contatos?',
      answer: 'Seus. Baixe quando quiser, apague quando quiser.',
    },
  ],
};
