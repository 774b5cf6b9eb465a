/** Sentences of the wizard of articles for a customer's site. Buttons, validations and toasts are the specification's or the other wizard's. */

export const pageTexts = {
  editTitle: (title: string) => `Editar ${title}`,
  update: 'Atualizar Automação',
  saveFailed: 'Erro ao salvar a automação',
  loadFailed: 'Erro ao carregar dados da automação',
  /** Proposals for the owner. */
  fewSlots: (free: number) =>
    free <= 0 ? 'Esta automação usa 2 slots, e os seus estão todos em uso.' : 'Esta automação usa 2 slots, e você tem apenas 1 livre.',
  fewSlotsDo: 'Exclua uma automação, mude de plano ou salve como rascunho: nada do que você escreveu se perde.',
  editorial: 'Esta automação é do nosso próprio blog.',
  editorialLink: 'Abrir o painel do blog',
  questions: ['Plugin e token', 'Tema e palavras', 'Dias e hora'],
};

/** Proposals for the owner, but for the name of the address and the button. */
export const siteStepTexts = {
  title: 'Ligue o Decola ao seu site',
  lede: 'Três passos, uma vez só. Leva uns cinco minutos.',
  install: 'Instale o plugin no seu WordPress',
  installHow: 'Em Plugins, Adicionar novo, Enviar plugin. Funciona do WordPress 6.0 em diante.',
  download: 'Baixar plugin',
  pasteToken: 'Cole este token no plugin',
  address: 'Diga o endereço do site',
  url: 'URL do webhook',
  urlHint: 'O endereço do site basta; achamos o plugin nele. Outro sistema? Ele precisa responder com um objeto JSON.',
  urlPlaceholder: 'https://seusite.com.br',
};

/** Proposals for the owner, but for the names of theme, keywords and categories. */
export const contentStepTexts = {
  title: 'Sobre o que escrever?',
  theme: 'Tema/Nicho do blog',
  themeHint: 'Uma frase sobre o que o seu site ensina.',
  keywords: 'Palavras-chave',
  keywordsHint: 'Separe com vírgula ou Enter. A primeira é o texto principal; os outros apontam para ela.',
  keywordsLong: (most: number) => `As palavras-chave juntas podem ter no máximo ${most} caracteres.`,
  categories: 'Categorias (opcional)',
  categoriesHint: 'Sem nenhuma, escolhemos entre as do seu site.',
  offered: (count: number) => (count === 1 ? 'A categoria do seu site' : `As ${count} categorias do seu site`),
  ownWay: 'Do seu jeito',
  ownWayHint: 'Tudo aqui é opcional e já vem com o usual.',
  brief: 'O que só você sabe (opcional)',
  briefHint: 'Fatos e números que podemos usar. Sem eles, não citamos números.',
  length: 'Tamanho, em palavras',
  lengths: { short: 'Curto', medium: 'Médio', long: 'Longo', own: 'Como está' },
  words: (min: string, max: string) => `${min} a ${max}`,
  tone: 'Tom',
  tones: ['Próximo', 'Direto', 'Técnico'],
  usualTone: 'O usual',
  otherTone: 'Outro',
  otherToneLabel: 'Que tom?',
  otherToneHint: 'Por exemplo: bem-humorado, com frases curtas.',
  more: 'Fontes, capa e aviso',
};

/** Proposals for the owner, but for the names of days and time. */
export const scheduleStepTexts = {
  title: 'Quando publicar?',
  days: 'Dias da semana',
  time: 'Horário',
  timeHint: 'Horário de Brasília.',
  shortDays: ['dom', 'seg', 'ter', 'qua', 'qui', 'sex', 'sáb'],
  dayNames: ['Domingo', 'Segunda-feira', 'Terça-feira', 'Quarta-feira', 'Quinta-feira', 'Sexta-feira', 'Sábado'],
  nextDates: 'Próximas datas',
  noDates: 'Escolha os dias e o horário para ver as próximas datas.',
  approval: 'Antes de publicar',
  approvals: [
    {
      value: 'in_doubt',
      label: 'Perguntar quando houver dúvida',
      description: 'Só os artigos com algo a conferir esperam por você',
    },
    { value: 'always', label: 'Perguntar sempre', description: 'Cada artigo chega por e-mail' },
    { value: 'never', label: 'Publicar direto', description: 'Você lê depois, no site' },
  ],
  mode: 'Como chega ao seu site',
  modes: [
    { value: 'publish', label: 'Publicado', description: 'Aparece para os leitores na hora' },
    { value: 'draft', label: 'Como rascunho', description: 'Você publica pelo WordPress' },
  ],
};

/** The next topics in the last step. Proposals for the owner. */
export const topicPreviewTexts = {
  title: 'Próximos cinco assuntos',
  lede: 'Nada foi escrito ainda. Estes são os assuntos dos próximos artigos, e por quê.',
  ledeOpen: 'Veja sobre o que escreveríamos, e por quê. Nada é escrito ainda.',
  ledeNew: 'Veja sobre o que escreveríamos, antes de publicar. Para isso guardamos a automação como rascunho; nada é escrito.',
  choose: 'Escolher assuntos agora',
  replace: 'Trocar sugestões',
  replaced: 'Sugestões trocadas!',
  choosing: 'Escolhendo os assuntos',
  choosingText: 'Escolhendo os assuntos. Leva até um minuto; você pode continuar respondendo.',
  failed: 'Erro ao trocar as sugestões',
  failedText: 'Não foi possível escolher os assuntos. O que você respondeu está guardado.',
  again: 'Tentar novamente',
  missing: 'Falta dizer o site e o tema; os assuntos vêm deles.',
  complete: (step: number) => `Voltar ao passo ${step}`,
};

/** Pieces of the sentence that says what the automation will do. Proposals for the owner. */
export const sentenceTexts = {
  publish: 'Publicar ',
  leave: 'Deixar como rascunho ',
  articles: 'artigos',
  oneArticle: 'um artigo',
  about: ' sobre ',
  in: ' em ',
  site: 'seu site',
  on: ', ',
  at: ', às ',
};

/** The flight plan beside the steps. Proposals for the owner. */
export const planTexts = {
  title: 'Plano de voo',
  site: 'Seu site',
  states: { unknown: 'Não conferido', checking: 'Conferindo', right: 'No ar', unproved: 'Responde, sem prova', wrong: 'Ainda não' },
  address: 'Endereço',
  noAddress: 'por dizer',
  plugin: 'Plugin',
  checked: 'Conferido',
  week: 'Uma semana',
  perWeek: (count: number) => (count === 1 ? '1 artigo por semana' : `${count} artigos por semana`),
  first: 'Primeiro artigo',
  next: 'Próximo artigo',
  perMonth: 'Por mês',
  about: (count: number) => `cerca de ${count}`,
};
