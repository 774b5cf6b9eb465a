import { formatCount as figure, formatPrice as price } from '../../lib/format';
import { articleStepTexts } from '../../lib/article-texts';

/** Sentences of the panel with which admin_master runs the blog, grouped by where they are shown. */

const weekdays = ['domingo', 'segunda', 'terça', 'quarta', 'quinta', 'sexta', 'sábado'] as const;

export const panelTexts = {
  // Proposals for the owner.
  title: 'Painel do blog',
  badge: 'admin_master',
  lead: 'Só você vê. Abaixo, a lista como o público a vê.',
  tabsLabel: 'Ferramentas do blog',
  tabs: { generate: 'Gerar artigo', automations: 'Automações', calendar: 'Calendário', care: 'Imagens e conteúdo' },
  partFailed: 'Não foi possível abrir esta parte do painel.',
};

export const listTexts = {
  loadFailed: 'Erro ao carregar artigos',
};

export const generateTexts = {
  empty: 'Por favor, insira uma palavra-chave antes de gerar o artigo',
  starting: 'Iniciando geração...',
  connecting: 'Conectando à IA...',
  done: 'Artigo gerado com sucesso!',
  error: (message: string) => `Erro: ${message}`,
  noData: 'Nenhum dado retornado da function',
  // Proposals for the owner.
  title: 'Gerar artigo com IA',
  lead: 'Um artigo por palavra-chave. O que passa na revisão sai publicado; o resto fica em rascunho, com o motivo.',
  keyword: 'Palavra-chave',
  placeholder: 'hashtag local',
  hint: 'Marketing digital, Instagram, tecnologia ou negócios.',
  generate: 'Gerar artigo',
  save: 'Salvar',
  saveEmpty: 'Por favor, insira uma palavra-chave antes de salvar',
  timedOut: 'A geração levou mais de 2 minutos. Se o artigo ficar pronto, ele aparece na lista.',
  unknown: 'não foi possível gerar o artigo. Tente novamente.',
  mayLeave: 'Pode sair desta página: o artigo continua e aparece na lista.',
  published: (title: string) => `“${title}” está publicado.`,
  draft: (title: string, reason: string) => `“${title}” ficou em rascunho. ${reason}`.trim(),
  open: 'Abrir artigo',
  seeDraft: 'Ver rascunho',
};

/** States of a run (design, section 1.5). */
export const runTexts = {
  ...articleStepTexts,
  /** @param when "hoje, 15:00" */
  pausedUntil: (when: string) => `Pausado do nosso lado; nova tentativa às ${when.replace(/^hoje, /, '')}`,
  // Proposals for the owner.
  publishing: 'Publicando',
  waitingProvider: 'Pausado do nosso lado; tentamos de novo sozinhos',
  steps: 'assunto, roteiro, texto, revisão, imagem, publicação',
  about: (title: string, rest: string) => `“${title}”. ${rest}`,
  stepOf: (step: number, of: number) => `Etapa ${step} de ${of}`,
  published: 'Publicado',
  held: 'Espera revisão',
  failed: 'Falhou',
  skipped: 'Pulado',
  rejected: 'Recusado',
  expired: 'Venceu',
  outcome: (word: string, reason: string | null) => (reason ? `${word}: ${reason}` : word),
  outcomeAt: (word: string, day: string) => `${word} em ${day}`,
};

export const keywordTexts = {
  saved: 'Palavra-chave salva!',
  duplicate: 'Esta palavra-chave já foi salva',
  saveFailed: 'Erro ao salvar palavra-chave',
  removed: 'Palavra-chave removida!',
  removeFailed: 'Erro ao remover palavra-chave',
  // Proposals for the owner.
  title: 'Palavras salvas',
  lead: 'Toque em uma para pôr no campo.',
  loadFailed: 'Não foi possível carregar as palavras salvas.',
  none: 'Nenhuma palavra salva ainda. Digite uma e toque em Salvar.',
  remove: (keyword: string) => `Remover ${keyword}`,
};

/** What is missing in the form is said by `editorialAutomationTexts` of `libs/contracts`, as by the server. */
export const automationTexts = {
  created: 'Automação criada com sucesso!',
  createFailed: 'Erro ao criar automação',
  removed: 'Automação removida!',
  removeFailed: 'Erro ao remover automação',
  switchedOn: 'Automação ativada',
  switchedOff: 'Automação desativada',
  switchFailed: 'Erro ao atualizar automação',
  active: 'Ativa',
  inactive: 'Inativa',
  // Proposals for the owner.
  title: 'Nova automação',
  zone: 'Horário de Brasília.',
  keyword: 'Palavra-chave',
  keywordHint: 'Separe várias por vírgula: elas se revezam.',
  when: 'Quando',
  types: { daily: 'Todo dia', weekly: 'Toda semana', monthly: 'Todo mês' },
  weekdays: 'Dias da semana',
  weekdayNames: weekdays,
  shortWeekdays: ['dom', 'seg', 'ter', 'qua', 'qui', 'sex', 'sáb'],
  dayOfMonth: 'Dia do mês',
  shortMonths: 'Nos meses mais curtos, o último dia.',
  time: 'Horário',
  create: 'Criar automação',
  listTitle: 'Automações do blog',
  listLead: 'Próximas datas e o último resultado.',
  none: 'Nenhuma automação ainda. Crie a primeira ao lado.',
  loadFailed: 'Não foi possível carregar as automações.',
  switch: (keyword: string) => `Ligar ou desligar ${keyword}`,
  remove: (keyword: string) => `Remover ${keyword}`,
  next: (day: string) => `próxima: ${day}`,
  writtenOn: (day: string) => `Último artigo em ${day}`,
  /** "todo dia, 09:00", "toda segunda e quinta, 09:00", "dia 1 de cada mês, 09:00" */
  schedule: {
    daily: (time: string) => `todo dia, ${time}`,
    weekly: (days: readonly number[], time: string) => `${onDays(days)}, ${time}`,
    monthly: (day: number, time: string) => `dia ${day} de cada mês, ${time}`,
  },
  removeTitle: 'Remover automação',
  removeText: (keyword: string) => `“${keyword}” não vai gerar mais artigos. Os que já saíram ficam no blog.`,
  removeConfirm: 'Remover',
  cancel: 'Cancelar',
};

/** How articles of an automation are written. Proposals for the owner. */
export const settingsTexts = {
  title: 'Como escrever',
  open: (keyword: string) => `Como escrever ${keyword}`,
  about: (keyword: string) => `Vale para os próximos artigos de “${keyword}”.`,
  words: 'Palavras por artigo',
  fewest: 'No mínimo, palavras',
  most: 'No máximo, palavras',
  wordsTo: 'a',
  wordsHint: 'O usual é de 900 a 1.400.',
  /** "900 a 1.400 palavras" */
  wordRange: (min: string, max: string) => `${min} a ${max} palavras`,
  wordsOutside: (min: number, max: number) => `Use números de ${figure(min)} a ${figure(max)}`,
  wordsReversed: 'O mínimo não pode passar do máximo',
  tone: 'Tom',
  toneHint: 'Por exemplo: próximo e direto, sem jargão.',
  withTone: 'com tom',
  brief: 'Instruções',
  briefHint: 'Para quem é, o que citar e o que evitar. Um número só entra no artigo se estiver aqui ou em uma fonte.',
  withBrief: 'com instruções',
  sources: 'Fontes',
  sourcesHint: 'O que os artigos podem afirmar, e para onde podem apontar.',
  sourceCount: (count: number) => (count === 1 ? '1 fonte' : `${figure(count)} fontes`),
  sourceNumber: (number: number) => `Fonte ${number}`,
  sourceTitle: 'Título da fonte',
  sourceUrl: 'Endereço (opcional)',
  sourceText: 'O que ela diz',
  sourceTitleMissing: 'Dê um título à fonte',
  sourceUrlWrong: 'Use um endereço que comece com https://',
  addSource: 'Acrescentar fonte',
  removeSource: (title: string) => `Remover ${title}`,
  cover: 'Criar imagem de capa',
  coverHint: 'Desligada, o artigo sai com a capa desenhada.',
  withoutCover: 'sem imagem criada',
  disclosure: 'Dizer que a IA ajudou',
  disclosureHint: 'Uma linha no fim: “Escrito com apoio de IA e revisado por…”.',
  save: 'Salvar',
  saved: 'Automação atualizada!',
};

const masculineDays = new Set([0, 6]);

/** "todo dia", "toda segunda e quarta", "todo sábado", "sexta e sábado" */
function onDays(days: readonly number[]): string {
  if (days.length === 7) return 'todo dia';
  const named = listOf(days.map((day) => weekdays[day] ?? ''));
  if (days.every((day) => masculineDays.has(day))) return `todo ${named}`;
  return days.some((day) => masculineDays.has(day)) ? named : `toda ${named}`;
}

/** "segunda, quarta e sexta" */
function listOf(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} e ${words.at(-1)}`;
}

export const calendarTexts = {
  loadArticleFailed: 'Erro ao carregar artigo',
  // Proposals for the owner.
  previous: 'Mês anterior',
  following: 'Próximo mês',
  weekdays: ['seg', 'ter', 'qua', 'qui', 'sex', 'sáb', 'dom'],
  today: 'hoje',
  counts: {
    published: (count: number) => (count === 1 ? 'publicado' : 'publicados'),
    running: (_: number) => 'em andamento',
    held: (count: number) => (count === 1 ? 'espera' : 'esperam'),
    failed: (count: number) => (count === 1 ? 'falhou' : 'falharam'),
    skipped: (count: number) => (count === 1 ? 'pulado' : 'pulados'),
    planned: (_: number) => 'por vir',
  },
  tokens: (count: number) => `${figure(count)} tokens`,
  /** "R$ 4,10" */
  cost: (cents: number) => price(cents),
  quality: 'Relatório de qualidade',
  noFindings: 'A revisão não encontrou nada a melhorar.',
  /** "1 impede, 3 a melhorar" */
  findings: (hard: number, soft: number) =>
    [hard > 0 && (hard === 1 ? '1 impede a publicação' : `${figure(hard)} impedem a publicação`), soft > 0 && `${figure(soft)} a melhorar`]
      .filter(Boolean)
      .join(', '),
  states: {
    published: 'Publicado',
    running: 'Em andamento',
    held: 'Espera revisão',
    failed: 'Falhou',
    skipped: 'Pulado',
    planned: 'Por vir',
  },
  more: (count: number) => `mais ${figure(count)}`,
  /** "mais 26 em domingo, 22 de novembro" */
  moreOn: (count: number, day: string) => `mais ${figure(count)} em ${day}`,
  empty: 'Nada neste mês.',
  loadFailed: 'Não foi possível carregar o calendário.',
  /** "Publicado: Hashtag local" */
  item: (state: string, title: string) => `${state}: ${title}`,
  planned: (keyword: string, time: string) => `Será escrito às ${time} sobre “${keyword}”.`,
  byHand: 'Pedido à mão.',
  byAutomation: (keyword: string) => `Da automação “${keyword}”.`,
  keyword: (keyword: string) => `Palavra-chave: ${keyword}.`,
  held: 'Ficou em rascunho. Leia antes de publicar.',
  open: 'Abrir artigo',
  publish: 'Publicar',
  published: 'Artigo publicado!',
  publishFailed: 'Erro ao publicar artigo',
  again: 'Pôr a palavra no campo',
  draft: 'Texto do rascunho',
};

export const topicTexts = {
  // Proposals for the owner.
  title: 'Título previsto',
  titleEmpty: 'Digite um título',
  retitle: 'Salvar título',
  retitled: 'Título alterado!',
  earlier: 'Antes',
  later: 'Depois',
  moved: 'Ordem alterada!',
  lock: 'Manter este assunto aqui',
  locked: 'Assunto mantido!',
  unlock: 'Liberar este assunto',
  unlocked: 'Assunto liberado!',
  skip: 'Pular este assunto',
  skipped: 'Assunto pulado!',
  failed: 'Erro ao alterar o assunto',
};

export const careTexts = {
  migrated: 'Migração concluída!',
  migrateFailed: { title: 'Erro na migração', text: 'Não foi possível migrar as imagens. Tente novamente.' },
  cleaned: 'Limpeza concluída!',
  cleanFailed: { title: 'Erro na limpeza', text: 'Não foi possível limpar os artigos. Tente novamente.' },
  // Proposals for the owner.
  migrateTitle: 'Migrar imagens',
  migrateText: 'Traz para cá as imagens que moram em outros endereços e as refaz em tamanhos leves. Pode repetir à vontade.',
  migrate: 'Migrar imagens',
  cleanTitle: 'Limpar conteúdo',
  cleanText: 'Tira restos de formatação, títulos repetidos e links mortos. Cada mudança guarda a versão de antes.',
  clean: 'Limpar conteúdo',
  lastTime: (when: string) => `Última vez, ${when}`,
  /** After the number of migrated images. */
  of: (total: string) => `de ${total}`,
  imageCount: (migrated: number, total: number) =>
    total === 0 ? careTexts.noImages : `${figure(migrated)} de ${figure(total)} ${total === 1 ? 'imagem migrada' : 'imagens migradas'}`,
  noImages: 'Nenhuma imagem precisava de migração.',
  imageErrors: (count: number) =>
    count === 1
      ? '1 imagem não pôde ser buscada e ficou como estava.'
      : `${figure(count)} imagens não puderam ser buscadas e ficaram como estavam.`,
  leftLabel: 'Imagens que ficaram como estavam',
  couldNot: (name: string, title: string, reason: string) => `Não deu para buscar “${name}” de “${title}”: ${reason}`,
  remaining: (count: number) =>
    `${count === 1 ? 'Falta 1 imagem' : `Faltam ${figure(count)} imagens`}. Toque em Migrar imagens para continuar.`,
  articleCount: (changed: number, unchanged: number) =>
    [
      changed === 0 ? 'Nenhum artigo mudou' : changed === 1 ? '1 artigo mudou' : `${figure(changed)} artigos mudaram`,
      ...(unchanged > 0 ? [unchanged === 1 ? '1 já estava certo' : `${figure(unchanged)} já estavam certos`] : []),
    ].join(', ') + '.',
  cleanErrors: (count: number) => (count === 1 ? '1 artigo não pôde ser limpo.' : `${figure(count)} artigos não puderam ser limpos.`),
  cleanRemaining: 'Ainda há artigos por ver. Toque em Limpar conteúdo para continuar.',
  undo: 'Desfazer limpeza',
  undone: 'Limpeza desfeita!',
  undoFailed: 'Erro ao desfazer a limpeza',
};

export const cardTexts = {
  loginNeeded: 'Você precisa estar logado para gerar imagens',
  imageDone: 'Imagem gerada com sucesso!',
  error: (message: string) => `Erro: ${message}`,
  removed: 'Artigo removido!',
  removeFailed: 'Erro ao remover artigo',
  // Proposals for the owner.
  image: 'Gerar imagem',
  imageOf: (title: string) => `Gerar imagem de ${title}`,
  imageUnknown: 'não foi possível gerar a imagem. Tente novamente.',
  remove: 'Excluir',
  removeOf: (title: string) => `Excluir ${title}`,
  removeTitle: 'Excluir artigo',
  removeText: (title: string) => `“${title}” sai do blog e não volta. O endereço dele passa a responder que o artigo saiu.`,
  cancel: 'Cancelar',
};
