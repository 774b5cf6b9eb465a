/** Sentences about the daily number of articles of a site: the first is the specification's, the second for a later day. */
export const limitTexts = {
  tomorrow: (count: number, time: string) => `Este site já recebeu ${count} artigos hoje. Envio amanhã às ${time}.`,
  later: (count: number, date: string, time: string) => `Este site já recebeu ${count} artigos hoje. Envio em ${date} às ${time}.`,
} as const;

/** Facts that the sentence about a problem names. */
export interface ProblemFacts {
  /** Where the site redirects to. */
  location?: string;
  /** The security plugin that answered, when it can be told. */
  guard?: string;
  /** How far the site's clock is behind ours, in minutes; negative: ahead. */
  minutesBehind?: number;
  /** HTTP status. */
  status?: number;
  /** Words of the plugin about it. */
  message?: string;
  /** The path that was asked for. */
  path?: string;
}

const minutes = (count: number) => (count === 1 ? '1 minuto' : `${count} min`);

/** Proposals for the owner, except the quoted ones of the sheet: what went wrong between us and a customer's site, and what to do. `time`: `HH:MM` in Brasília. */
export const siteProblemTexts = {
  dns: () => 'Não encontramos o endereço do site. Confira se ele está escrito certo e se o domínio está ativo.',
  address: () => 'Este endereço não pode ser chamado: use um endereço público que começa com https://.',
  tls: () => 'O certificado de segurança (https) do site não é válido. Peça à hospedagem para renová-lo.',
  timeout: () => 'O site não respondeu em 10 segundos.',
  connection: () => 'O site fechou a conexão antes de responder.',
  plugin_missing: () => 'O plugin não está instalado ou ativo',
  token: () => 'O token do site não é o mesmo daqui. Copie o token de novo e cole nas configurações do plugin.',
  clock: ({ minutesBehind = 0 }: ProblemFacts) =>
    minutesBehind < 0
      ? `O relógio do seu servidor está ${minutes(-minutesBehind)} adiantado. Peça à hospedagem para acertá-lo.`
      : `O relógio do seu servidor está ${minutes(minutesBehind)} atrasado. Peça à hospedagem para acertá-lo.`,
  wrong_site: () => 'O plugin respondeu por outro site. Confira o endereço em Configurações > Geral do WordPress e o endereço colado aqui.',
  login: () => 'O site pede uma senha antes de abrir. Retire a proteção por senha do site inteiro.',
  rest_blocked: ({ guard }: ProblemFacts) =>
    guard
      ? `Um plugin de segurança fechou a API (${guard}). Libere o endereço do plugin nas configurações dele.`
      : 'Um plugin de segurança fechou a API. Libere o endereço do plugin nas configurações dele.',
  cloudflare: ({ path = '/' }: ProblemFacts) =>
    `O Cloudflare do seu site barrou o envio. No painel do Cloudflare, em Segurança > WAF, crie uma regra “Ignorar” para o caminho ${path} com User-Agent “Decola-Webhook/1”.`,
  waf: ({ path = '/' }: ProblemFacts, time: string) =>
    `O firewall da hospedagem barrou o envio. Mande ao suporte dela: “Liberem POST em ${path} com User-Agent Decola-Webhook/1; o bloqueio foi às ${time}, horário de Brasília.”`,
  not_plugin: () => 'O endereço abriu uma página, não o plugin',
  redirect: ({ location }: ProblemFacts) =>
    location === undefined ? 'Seu site redireciona para outro endereço.' : `Seu site redireciona para ${location}. Usar este endereço`,
  refused: ({ status, message }: ProblemFacts) =>
    message ? `O site recusou o artigo: ${message}` : `O site recusou o artigo${status === undefined ? '' : ` (resposta ${status})`}.`,
  too_many: () => 'O site pediu para esperar.',
  site_down: () => 'Fora do ar',
  gone: () => 'Seu site recusou novos artigos',
  edited_by_owner: () => 'Você editou este artigo; não mexemos nele',
  trashed: () => 'O artigo está na lixeira do seu WordPress.',
  unknown_article: () => 'O rascunho não está mais no site; enviamos de novo.',
  busy: () => 'O site ainda trabalha no envio anterior.',
  picture: () => 'O site não aceitou a imagem do artigo.',
} as const satisfies Record<string, (facts: ProblemFacts, time: string) => string>;

/** Sentences of deliveries besides those of problems. Proposals for the owner, except the quoted ones of the sheet. */
export const deliveryTexts = {
  /** @param sentence of the problem @param time `HH:MM` in Brasília */
  retryAt: (sentence: string, time: string) => `${sentence.replace(/\.$/, '')}; nova tentativa às ${time}`,
  /** @param time `HH:MM` in Brasília */
  waitsForPickup: (time: string) => `O site busca o artigo sozinho; próxima busca até ${time}`,
  /** The plugin did not ask when it should have: WordPress works when somebody visits the site. */
  pickupIsLate: 'O site busca o artigo sozinho, na próxima visita ao painel do WordPress ou ao site',
  pickupSilent: 'O plugin buscou o artigo várias vezes e não disse o que fez. Veja o Diário dele no WordPress.',
  givenUp: 'Sem sucesso em 3 dias',
  noToken: 'Falta o token: gere um novo e cole nas configurações do plugin.',
  tooLarge: 'O artigo é grande demais para o site receber (limite de 100 kB). Encurte o texto.',
  fiveFailures: (host: string) => `Cinco artigos seguidos não chegaram a ${host}. Teste a conexão e ligue a automação de novo.`,
  gonePause: (host: string) => `${host} recusou novos artigos. Teste a conexão e ligue a automação de novo.`,
  notFound: 'Entrega não encontrada.',
  articleNotFound: 'Artigo não encontrado.',
  underWay: 'Este envio já está em andamento.',
} as const;

/** Why an article is not seen at its public address: the reason after “Publicado, mas não está visível: ”. Proposals for the owner, except `cache`. */
export const notSeenTexts = {
  permalinks: 'o endereço do artigo responde “não encontrado”; salve de novo Configurações > Links permanentes',
  login: 'o site pede login para ser visto',
  soon: 'o site mostra a página “em breve”',
  canonical: 'a página aponta outro endereço como o original',
  noindex: 'a página pede aos buscadores que não a mostrem',
  title: 'a página mostra outro título',
  cache: 'o cache do site ainda mostra a versão antiga',
  elsewhere: 'a página leva a outro endereço',
  unreachable: 'a página não abriu',
} as const;

/** Proposals for the owner, except `tooMany`, `short` and those of the sheet: answers of `test-webhook`. */
export const webhookTestTexts = {
  tooMany: (seconds: number) => `Muitas tentativas. Aguarde ${seconds} segundos.`,
  urlMissing: 'URL do webhook é obrigatória',
  tokenMissing: 'Falta o token: gere um novo.',
  short: 'Token curto: gere um novo',
  notVerified:
    'O endereço respondeu, mas não provou que conhece o token. Se o site usa o nosso plugin, confira o token nas configurações dele.',
  needsJson: 'O endereço respondeu, mas não com um objeto JSON.',
  notice: (text: string) => `O PHP do site mostra avisos antes da resposta: ${text}`,
  siteOf: 'Resposta inválida do WordPress',
} as const;

/** The mail when a site lets no article in. Proposals for the owner. */
export const blockedMailTexts = {
  subject: (host: string) => `Seu site ${host} não recebeu o artigo`,
  sign: 'Precisa de você',
  lead: (reason: string) => `${reason.replace(/\.$/, '')}. O artigo está guardado e será enviado quando a conexão voltar.`,
  button: 'Ver e tentar agora',
  footer: 'Você recebe este e-mail porque tem uma automação de blog ligada.',
} as const;

/** Words of pages that stand in for a site which is not open yet; read, not shown. */
export const comingSoonWords = /em breve|em constru|manuten[cç][aã]o|coming soon|under construction|maintenance/i;
