import { articleStepTexts } from '../../lib/article-texts';

/**
 * Sentences of the page of a customer's articles. Those of the states are the sheet's (docs of the blog, runs and deliveries); the others are proposals for
 * the owner.
 */

/** @param when "hoje, 09:04", "ontem, 09:04", "05/12/2026, 09:04" */
const at = (when: string) => (when.startsWith('hoje, ') ? `às ${when.slice('hoje, '.length)}` : /^\d/.test(when) ? `em ${when}` : when);

export const pageTexts = {
  title: 'Artigos',
  lede: 'Cada artigo, da ideia à página pública do seu site.',
  loading: 'Carregando os artigos',
  loadFailed: 'Não foi possível carregar seus artigos. Nada se perdeu.',
  all: 'Todos',
  automations: 'Automações',
  edit: 'Editar',
  create: 'Criar artigos automáticos',
  another: 'Nova automação',
  none: {
    title: 'Nenhum artigo ainda',
    text: 'Ligue o seu site uma vez, diga o tema e os dias. Escolhemos os assuntos, escrevemos, publicamos e conferimos a página.',
  },
  draft: 'Esta automação é um rascunho. Publique para ver as próximas datas.',
};

export const needTexts = {
  waiting: (count: number) => (count === 1 ? 'Um artigo espera sua decisão' : `${count} artigos esperam sua decisão`),
  waitingUntil: (date: string) => `Um artigo espera sua decisão até ${date}`,
  read: 'Ler e decidir',
};

/** States of an article that is being written. */
export const runTexts = {
  ...articleStepTexts,
  paused: (when: string) => `Pausado do nosso lado; nova tentativa ${at(when)}`,
  pausedOpen: 'Pausado do nosso lado; tentamos de novo sozinhos',
  needsReview: (rule: string) => (rule.startsWith('Precisa de você') ? rule : `Precisa de você: ${rule}`),
  needsReviewOpen: 'Precisa de você',
  waiting: (date: string) => `Aguardando sua aprovação até ${date}`,
  waitingOpen: 'Aguardando sua aprovação',
  rewriting: 'Reescrevendo como você pediu',
  approved: 'Pronto para enviar',
  published: 'Publicado',
  rejected: 'Recusado',
  expired: 'Venceu sem decisão',
  skipped: 'Pulado',
  failed: 'Não foi escrito',
};

/** States of a delivery. */
export const deliveryTexts = {
  sending: (site: string) => `Enviando para ${site}`,
  withdrawing: (site: string) => `Retirando de ${site}`,
  accepted: 'Rascunho no seu WordPress',
  published: 'Publicado',
  seen: (when: string) => `Publicado e conferido ${at(when)}`,
  notSeen: (reason: string) => `Publicado, mas não está visível: ${reason}`,
  notSeenOpen: 'Publicado, mas não está visível',
  retrying: (when: string, attempt: number, of: number) => `Nova tentativa ${at(when)} (${attempt} de ${of})`,
  waitingPickup: 'O site busca o artigo sozinho',
  blocked: 'O site barrou o envio',
  edited: 'Você editou este artigo; não mexemos nele',
  withdrawn: 'Retirado',
  gone: 'Seu site recusou novos artigos',
  givenUp: 'Sem sucesso em 3 dias',
};

export const diaryTexts = {
  title: 'Diário',
  filters: 'Situação',
  filter: { all: 'Todos', published: 'Publicados', waiting: 'Esperam você', failed: 'Não saíram' },
  /** In the address. */
  parameters: { published: 'publicados', waiting: 'esperam', failed: 'nao-sairam' },
  search: 'Buscar artigo',
  now: 'Agora',
  shown: (count: string) => (count === '1' ? '1 artigo' : `${count} artigos`),
  more: 'Ver mais',
  nothing: { title: 'Nenhum artigo encontrado', text: 'Procuramos no título e na palavra-chave.', clear: 'Mostrar todos' },
  empty: {
    title: 'O primeiro artigo ainda não foi escrito',
    text: (when: string) => `Ele começa ${when}.`,
    off: 'Ligue a automação para receber artigos.',
  },
  untitled: (keyword: string) => `Sobre ${keyword}`,
  journey: 'O caminho do artigo',
};

/** The journey of an article, step by step. */
export const wayTexts = {
  topic: 'Assunto escolhido',
  topicLater: 'Assunto',
  written: 'Escrito e revisado',
  writing: 'Texto e revisão',
  decision: 'Sua decisão',
  waiting: 'Espera por você',
  approved: 'Aprovado',
  delivered: 'Entregue ao site',
  delivery: 'Entrega ao site',
  seen: 'Visto na página pública',
  look: 'Página pública',
  attempts: (count: number) => (count === 1 ? '1 tentativa' : `${count} tentativas`),
  words: (count: string) => `${count} palavras`,
};

export const actionTexts = {
  read: 'Ler aqui',
  decide: 'Ler e decidir',
  edit: 'Editar título e texto',
  onSite: 'Ver no site',
  inWordPress: 'Abrir no WordPress',
  withdraw: 'Retirar do site',
  retryRun: 'Tentar de novo',
  retryDelivery: 'Tentar agora',
  replace: 'Substituir mesmo assim',
  /** Names what a button acts on. */
  of: (action: string, title: string) => `${action}: ${title}`,
  runRetried: 'O artigo está de volta',
  deliveryRetried: 'Nova tentativa a caminho',
  withdrawn: 'O artigo sai do site em instantes',
  retryFailed: 'Erro ao tentar de novo',
  withdrawFailed: 'Erro ao retirar o artigo',
  cancel: 'Cancelar',
  withdrawTitle: 'Retirar este artigo do site?',
  withdrawText: (title: string) => `“${title}” vira rascunho no WordPress. Nada é apagado, e ele não volta sozinho.`,
  replaceTitle: 'Substituir o que você editou?',
  replaceText: (title: string) => `O texto que está no site em “${title}” dá lugar ao nosso. O WordPress guarda o seu nas revisões.`,
};

export const readTexts = {
  loadFailed: 'Não foi possível carregar o texto. O artigo continua guardado.',
  loading: 'Carregando o texto',
  text: 'Texto do artigo',
  claims: (count: number) => (count === 1 ? 'Confira este trecho' : `Confira estes ${count} trechos`),
  claim: 'Trecho',
  verdicts: { doubtful: 'Não conseguimos apontar a fonte.', invented: 'Não está nos fatos que você nos deu.' } as Readonly<
    Record<string, string>
  >,
  approve: 'Aprovar e publicar',
  approveDraft: 'Aprovar e enviar',
  change: 'Pedir uma mudança',
  reject: 'Recusar',
  back: 'Voltar',
  whatToChange: 'O que mudar?',
  changeHint: 'Uma reescrita por artigo. O texto novo chega em alguns minutos.',
  noteMissing: 'Diga o que mudar',
  sendChange: 'Pedir mudança',
  why: 'Por que recusar?',
  reasons: ['O assunto não combina', 'O texto não está bom', 'Já tenho um parecido'],
  rejectHint: 'Usamos o motivo para escolher melhor os próximos. Este assunto não volta.',
  sendReject: 'Recusar artigo',
  done: { approve: 'Artigo aprovado!', change: 'Mudança pedida!', reject: 'Artigo recusado!' },
  failed: 'Erro ao decidir sobre o artigo',
};

export const editTexts = {
  title: 'Editar artigo',
  name: 'Título',
  nameMissing: 'Digite um título',
  text: 'Texto',
  textHint: 'Escreva direto no texto. O que está publicado é atualizado no site.',
  textMissing: 'O texto está vazio',
  save: 'Salvar',
  cancel: 'Cancelar',
  saved: 'Artigo atualizado!',
  failed: 'Erro ao salvar o artigo',
};

export const topicTexts = {
  title: 'Próximos cinco assuntos',
  lede: 'Nada foi escrito ainda. Mude um título, a ordem, ou pule um assunto.',
  loadFailed: 'Não foi possível carregar os próximos assuntos.',
  none: 'Ainda não há assuntos escolhidos. Escolhemos na hora de escrever, ou agora.',
  suggest: 'Escolher assuntos agora',
  suggestOf: (keyword: string) => `Escolher assuntos agora: ${keyword}`,
  suggested: (count: number) => (count === 1 ? '1 assunto escolhido' : `${count} assuntos escolhidos`),
  replace: 'Trocar sugestões',
  replaceOf: (keyword: string) => `Trocar sugestões: ${keyword}`,
  replaced: 'Sugestões trocadas!',
  suggestFailed: 'Erro ao escolher assuntos',
  of: (keyword: string) => `Artigos: ${keyword}`,
  locked: 'Fica neste lugar',
  retitle: (title: string) => `Mudar o título de ${title}`,
  titleField: 'Título do assunto',
  save: 'Salvar',
  cancel: 'Cancelar',
  retitled: 'Título alterado!',
  titleMissing: 'Digite um título',
  earlier: (title: string) => `Antecipar ${title}`,
  later: (title: string) => `Adiar ${title}`,
  moved: 'Ordem alterada!',
  lock: (title: string) => `Manter neste lugar ${title}`,
  lockedDone: 'Assunto mantido!',
  unlock: (title: string) => `Liberar ${title}`,
  unlockedDone: 'Assunto liberado!',
  skip: (title: string) => `Pular ${title}`,
  skipped: 'Assunto pulado!',
};

/** The diary as a file. */
export const csvTexts = {
  columns: [
    ...['Data', 'Hora', 'Título', 'Palavra-chave', 'Situação', 'Site', 'Endereço público', 'Enviado em', 'Conferido em'],
    ...['Tentativas', 'Motivo'],
  ],
  all: 'todos',
  file: (name: string, day: string) => `artigos-${name}-${day}.csv`,
  download: 'Baixar CSV',
  progress: (count: string) => (count === '1' ? '1 artigo lido' : `${count} artigos lidos`),
  cancel: 'Cancelar',
  started: 'Download iniciado',
  lines: (count: string) => (count === '1' ? '1 artigo' : `${count} artigos`),
  cut: (count: string) => `Os ${count} mais recentes`,
  failed: 'Erro no download',
  failedText: 'Tente novamente em alguns instantes.',
};

/** Articles on the site that should be written anew. */
export const refreshTexts = {
  title: 'Vale atualizar',
  lede: 'Artigos no seu site que envelheceram. Escrevemos de novo e atualizamos o mesmo post, no mesmo endereço.',
  loadFailed: 'Não foi possível carregar os artigos a atualizar.',
  accept: 'Atualizar artigo',
  dismiss: 'Dispensar',
  more: (count: string) => (count === '1' ? 'Mostrar mais 1' : `Mostrar mais ${count}`),
  reasons: {
    age: (months: number) => `Sem mudanças há ${months} meses.`,
    deadLinks: (count: number, hosts: string) =>
      count === 1 ? `Um link não abre mais: ${hosts}.` : `${count} links não abrem mais: ${hosts}.`,
    staleYear: (year: number, quote: string) =>
      quote === '' ? `Fala de ${year}, que já passou.` : `Fala de ${year}, que já passou: “${quote}”`,
  },
  writing: 'Texto novo na fila',
  waiting: 'Texto novo pronto: espera a sua decisão',
  failed: 'O texto novo não foi escrito',
  newTitle: 'Título novo:',
  publish: 'Atualizar no site',
  discard: 'Ficar com o texto de antes',
  publishHint: 'Até você decidir, o artigo fica como está. O texto de antes continua guardado.',
  done: {
    accept: 'Texto novo a caminho',
    dismiss: 'Sugestão dispensada',
    publish: 'O artigo é atualizado em instantes',
    discard: 'O artigo fica como está',
  },
  decideFailed: 'Erro ao atualizar o artigo',
};

export const siteTexts = {
  title: 'Seu site',
  many: 'Seus sites',
  loadFailed: 'Não foi possível carregar o estado do site.',
  none: 'O site aparece aqui depois do primeiro teste.',
  states: { well: (when: string) => `No ar, conferido ${when}`, unknown: 'Ainda não conferido', wrong: 'Precisa de você' },
  plugin: 'Plugin',
  otherReceiver: 'outro sistema',
  seo: 'SEO',
  categories: 'Categorias',
  google: 'Aparece no Google',
  allowed: 'permitido',
  forbidden: 'não: o site pede para ficar fora',
  checked: 'Última conferência',
};

export const monthTexts = {
  unknown: '–',
  figures: (month: string) => `Em ${month}`,
  days: 'Cada dia',
  hint: 'cada marca é um artigo',
  published: 'publicados',
  waiting: 'esperam você',
  failed: 'não saíram',
  due: 'por vir',
  weekdays: ['seg', 'ter', 'qua', 'qui', 'sex', 'sáb', 'dom'],
  legend: { on: 'publicado', wait: 'espera você', bad: 'não saiu', due: 'por vir' },
  spoken: (month: string, published: number, waiting: number, failed: number, due: number) =>
    `${month}: ${published} publicados, ${waiting} esperando você, ${failed} que não saíram, ${due} por vir`,
};
