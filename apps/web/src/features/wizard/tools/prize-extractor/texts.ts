/** Sentences of the wheel's steps. Validation messages, and what visitors consent to, come from `@decola/contracts`. */

/** What a prize is won with when its owner wrote nothing. The public page shows the same. */
const usualMessages = {
  physical: 'Entraremos em contato para combinar o envio.',
  digital: 'Você receberá as instruções.',
} as const;

const counted = (count: number, shown: string, one: string, many: string) => `${shown} ${count === 1 ? one : many}`;
const units = (count: number, shown: string) => counted(count, shown, 'unidade', 'unidades');
const prizes = (count: number, shown = String(count)) => counted(count, shown, 'prêmio', 'prêmios');

export const trialTexts = {
  title: 'Teste da Roleta',
  won: (prize: string) => `Parabéns! Você ganhou: ${prize}`,
  nothingLeft: 'Nenhum prêmio disponível para sorteio!',
  /** Proposals for the owner. */
  proposals: {
    text: 'Gira só aqui: nada sai do estoque.',
    spin: 'Girar',
    spinAgain: 'Girar de novo',
    spinning: 'Girando…',
    youWon: 'Você ganhou',
    refill: 'Repor o estoque do teste',
    left: (left: string, total: string) => `${left} de ${total}, no teste`,
    leftSpoken: (name: string, drawn: string, total: string) => `${name}: ${drawn} de ${total} sorteados no teste`,
    more: (count: number) => `e mais ${prizes(count)}`,
  },
};

export const shareTexts = {
  link: 'Link da roleta',
  copied: 'Link copiado para a área de transferência!',
  embedCopied: 'Código embed copiado!',
  copyFailed: { title: 'Erro ao copiar', text: 'O navegador não deixou copiar. Tente novamente ou use outro navegador.' },
  started: 'Download iniciado!',
  nothing: 'Nenhum dado disponível para download',
  failed: 'Erro ao baixar dados',
  /** Proposals for the owner. */
  proposals: {
    states: {
      onAir: {
        lamp: 'No ar',
        title: 'Sua roleta está no ar',
        lede: 'Compartilhe o link, mostre o QR no balcão ou coloque a roleta no seu site.',
      },
      off: {
        lamp: 'Desligada',
        title: 'Sua roleta está desligada',
        lede: 'Quem abre o link lê que ela está inativa. Ligue a roleta no Dashboard para receber participações.',
      },
      draft: {
        lamp: 'Rascunho',
        title: 'Sua roleta está guardada como rascunho',
        lede: 'O teste já funciona. O link, o QR e o código para o site aparecem quando você publicar.',
      },
    },
    copy: 'Copiar link',
    counter: 'Para o balcão',
    counterText: 'Imprima o QR ou deixe um tablet aberto na roleta.',
    qr: 'Código QR com o endereço da roleta',
    open: 'Abrir roleta',
    newTab: '(nova aba)',
    saveQr: 'Baixar QR',
    qrFile: 'qr-da-roleta.svg',
    download: 'Baixar dados',
    xlsx: 'Baixar XLSX',
    embed: 'Código para o site',
    embedHint: 'Cole em um bloco de HTML. O quadro se ajusta à largura da página.',
    copyEmbed: 'Copiar código',
    edit: 'Continuar editando',
    back: 'Voltar ao Dashboard',
    checkLaw: 'Você ainda vai verificar se esta promoção precisa de autorização. Quando souber, responda em “Promoção”.',
  },
};

/** Proposals for the owner. */
export const wheelSentenceTexts = {
  draw: 'Sortear ',
  of: ' de ',
  units,
  prizes,
  noPrizes: 'prêmios',
  inExchange: ' em troca de ',
  noFields: 'dados do lead',
  and: ' e ',
  comma: ', ',
  more: (count: number) => `mais ${count}`,
  until: ', até ',
  end: '.',
  questions: ['O que sai', 'Quem gira'],
};

/** Proposals for the owner: the first step. */
export const prizeTexts = {
  lede: 'Cada unidade tem a mesma chance: o dobro de unidades sai o dobro de vezes. O tamanho da fatia não muda nada.',
  onAir: 'A roleta está no ar. O que já foi sorteado não muda: aumentar soma unidades, diminuir só tira as que restam.',
  seePublished: 'Ver link e teste',
  list: 'Prêmios',
  scene: (count: number) => (count === 0 ? 'Roleta ainda sem prêmios' : `Prévia da roleta com ${prizes(count)}`),
  columns: { name: 'Prêmio', quantity: 'Unidades', type: 'Tipo' },
  nameOf: (number: number) => `Nome do prêmio ${number}`,
  unnamed: (number: number) => `prêmio ${number}`,
  namePlaceholder: 'Nome do prêmio',
  quantityOf: (name: string) => `Unidades de ${name}`,
  unit: 'un.',
  typeOf: (name: string) => `Tipo de ${name}`,
  types: { physical: 'Físico', digital: 'Digital' },
  remove: (name: string) => `Remover ${name}`,
  moveUp: (name: string) => `Mover ${name} para cima`,
  moveDown: (name: string) => `Mover ${name} para baixo`,
  moved: (name: string, place: number, of: number) => `${name}: ${place}º de ${of}`,
  message: 'Mensagem a quem ganhar',
  messageOf: (name: string) => `Mensagem a quem ganhar ${name}`,
  /** Of the button that shows the field. */
  messageButton: (name: string) => `Mensagem a quem ganhar: ${name}`,
  messagePlaceholder: (type: keyof typeof usualMessages) => `Vazia: “${usualMessages[type]}”`,
  add: 'Adicionar prêmio',
  most: (count: number) => `${count} prêmios, o máximo`,
  /** With the units before them, which are set in bold. */
  unitsIn: (unitCount: number, prizeCount: number) => ` ${unitCount === 1 ? 'unidade' : 'unidades'} em ${prizes(prizeCount)}`,
  stock: (total: string, given: [number, string], remaining: [number, string]) =>
    `${total} no total · ${counted(...given, 'sorteado', 'sorteados')} · ${counted(...remaining, 'restante', 'restantes')}`,
  /** Without what remains: 'Esgotado' follows. */
  stockGone: (total: string, given: [number, string]) => `${total} no total · ${counted(...given, 'sorteado', 'sorteados')} · `,
  gone: 'Esgotado',
  stockSpoken: (name: string, said: string) => `${name}: ${said}`,
  stockFailed: 'Não foi possível ler o estoque agora. O que você mudar aqui vale do mesmo jeito.',
  facts: {
    units: 'Unidades',
    chance: (name: string) => `Chance de ${name}`,
    outOf: (units: string, all: string) => `${units} em ${all}`,
    given: 'Sorteados',
    givenOf: (given: string, total: string) => `${given} de ${total}`,
    remaining: 'Restantes',
  },
};

/** Proposals for the owner: prizes that the decree of promotions excludes, or that need care. */
export const warningTexts = {
  money: (name: string) => `“${name}” parece dinheiro. Prêmio em dinheiro, ou que se troca por dinheiro, é proibido.`,
  medicine: (name: string) => `“${name}” parece medicamento, que o Decreto 70.951/1972 não permite como prêmio.`,
  weapons: (name: string) =>
    `“${name}” parece arma, munição, explosivo ou fogo de artifício, que o Decreto 70.951/1972 não permite como prêmio.`,
  alcohol: (name: string) => `“${name}” parece bebida alcoólica, que o Decreto 70.951/1972 não permite como prêmio.`,
  tobacco: (name: string) => `“${name}” parece fumo ou derivado, que o Decreto 70.951/1972 não permite como prêmio.`,
  advice: 'Isto é informação: confirme com o seu advogado.',
} as const;

/** Proposals for the owner: coupons of a digital prize. */
export const couponTexts = {
  title: 'Cupons únicos',
  titleOf: (name: string) => `Cupons únicos de ${name}`,
  hint: 'Um por linha. Cada pessoa recebe o seu, na ordem da lista. Ficam cifrados, e o prêmio passa a ter tantas unidades quantos cupons.',
  later: 'Salve a roleta primeiro; depois, volte aqui e cole os cupons.',
  field: 'Colar cupons',
  store: 'Guardar cupons',
  stored: (count: number, shown: string) => counted(count, shown, 'cupom guardado', 'cupons guardados'),
  noneNew: 'Todos estes cupons já estavam guardados.',
  tooMany: (shown: string) => `Cole até ${shown} cupons de cada vez.`,
  tooLong: (shown: string) => `Um cupom pode ter até ${shown} caracteres.`,
  of: (total: number, totalShown: string, free: number, freeShown: string) =>
    `${counted(total, totalShown, 'cupom', 'cupons')} · ${counted(free, freeShown, 'livre', 'livres')}`,
  none: 'Nenhum cupom: o prêmio tem as unidades do cadastro.',
  loading: 'Carregando cupons…',
  failed: 'Não foi possível ler os cupons.',
  storeFailed: 'Não foi possível guardar os cupons. O que você colou continua aqui.',
  removeFree: 'Tirar os cupons livres',
  removed: (count: number, shown: string) => counted(count, shown, 'cupom tirado', 'cupons tirados'),
  removeFailed: 'Não foi possível tirar os cupons. Tente novamente.',
  quantity: 'Tantas quantos cupons',
};

/** Proposals for the owner: the second step. */
export const formTexts = {
  required: 'Obrigatório',
  requiredShort: 'Obrig.',
  requiredOf: (label: string) => `${label} é obrigatório`,
  always: 'Sempre',
  onceEach: 'Cada @ gira uma vez',
  addressHint: 'Só se for enviar o prêmio',
  rename: (label: string) => `Mudar o nome do campo ${label}`,
  labelOf: (label: string) => `Nome do campo ${label} na página`,
  hint: 'Peça só o que vai usar. Cada campo a mais afasta gente.',
  fields: 'Campos',
  optional: (label: string) => `${label} (opcional)`,
  folds: {
    leadFields: 'Dados do lead',
    appearance: 'Aparência',
    promotion: 'Promoção',
    consent: 'Aceite',
    options: 'Limites e avisos',
  },
  and: ' e ',
  list: ', ',
  nothing: 'nenhum campo',
  missing: '(falta algo)',
};

/** Proposals for the owner. */
export const appearanceTexts = {
  logo: 'Logo',
  upload: 'Enviar logo',
  change: 'Trocar logo',
  removeLogo: 'Tirar logo',
  logoHint: 'PNG, WebP ou JPEG. Reduzimos a imagem para até 40 KB aqui no navegador.',
  logoShown: 'Logo da roleta',
  logoRead: 'Logo pronto.',
  notPicture: 'Este arquivo não é uma imagem PNG, WebP ou JPEG.',
  tooLarge: 'Não foi possível reduzir esta imagem para 40 KB. Use outra, mais simples.',
  title: 'Título da roleta',
  titleHint: 'Aparece no alto da página e no seu painel.',
  colours: 'Cores das fatias',
  twelve: 'Doze cores',
  gold: 'Dourado',
  blue: 'Azul',
  own: 'Sua cor',
  ownField: 'Sua cor',
  ownHint: 'As fatias alternam tons desta cor, com letra sempre legível.',
  pick: 'Escolher a cor',
  domains: 'Sites onde a roleta pode aparecer (opcional)',
  domainsHint: 'Um por linha, como sualoja.com.br. Vazio, pode aparecer em qualquer site.',
  said: { logo: 'com logo', twelve: 'doze cores', gold: 'dourado', blue: 'azul', own: (colour: string) => `cor ${colour}` },
  shown: 'Na página',
  titleFact: 'Título',
  slices: 'Fatias',
  readable: (count: string) => `${count}, com nome na fatia`,
  numbered: (count: string) => `${count}, com número e lista`,
};

export const promotionTexts = {
  /** Sheet of the wheel, section 6; information, not advice. */
  law: 'Prêmios que dependem de sorte costumam precisar de autorização prévia da Secretaria de Prêmios e Apostas do Ministério da Fazenda (Lei 5.768/1971, Decreto 70.951/1972, Portaria SEAE/ME 7.638/2022). Só empresas podem pedir; prêmio em dinheiro é proibido; sem autorização, a multa pode chegar ao valor dos prêmios. Em geral não se aplica quando todos recebem o mesmo benefício, sem sorte. Isto é informação: confirme com o seu advogado.',
  same: 'Todos ganham o mesmo',
  authorised: 'Tenho autorização nº',
  later: 'Ainda vou verificar',
  /** Proposals for the owner. */
  proposals: {
    company: 'Empresa que promove',
    contact: 'Contato para os participantes',
    contactHint: 'E-mail, WhatsApp ou telefone.',
    starts: 'Abre em',
    ends: 'Termina em',
    zone: 'Horário de Brasília. Vazio, sem prazo.',
    rules: 'Endereço do regulamento (opcional)',
    rulesHint: 'Vazio, a página mostra um regulamento simples com o que você respondeu aqui.',
    question: 'Esta promoção',
    sameHint: 'Só vale com um prêmio cadastrado',
    authorisedHint: 'O número aparece na página e no comprovante',
    laterHint: 'Publica assim mesmo; o lembrete fica',
    number: 'Número da autorização',
    until: (date: string) => `até ${date}`,
    noEnd: 'sem prazo',
    noCompany: 'falta a empresa',
    /** Stands in the preview until the company has a name. */
    yourCompany: 'sua empresa',
  },
};

/** Proposals for the owner. */
export const consentTexts = {
  ask: 'Pedir o aceite do regulamento',
  askHint: 'Sem ele a página não pede que se aceite nada, e guardamos que nada foi pedido.',
  minAge: 'Idade mínima',
  retention: 'Apagar os dados após (dias)',
  retentionHint: (min: number, max: number) => `De ${min} a ${max} dias.`,
  channels: 'Pedir licença para enviar novidades por',
  channelNames: { whatsapp: 'WhatsApp', email: 'E-mail', telefone: 'Telefone' },
  channelsHint: 'Fica desmarcado na página: a pessoa é quem marca. Nenhum prêmio depende disso, e cada aceite guarda o texto e a hora.',
  age: (years: number) => (years > 0 ? `${years} anos` : 'qualquer idade'),
  news: (channels: string) => `novidades por ${channels}`,
  noNews: 'sem novidades',
  days: (days: number) => (days === 1 ? '1 dia' : `${days} dias`),
  notAsked: 'não pede aceite',
};

/** Proposals for the owner. */
export const limitTexts = {
  repeats: 'Contra repetições',
  oncePerEmail: 'Uma vez por e-mail',
  oncePerPhone: 'Uma vez por número',
  noThrowaway: 'Recusar e-mails descartáveis',
  codeByEmail: 'Mandar o código do prêmio só por e-mail',
  codeByEmailHint: 'Quem digita um e-mail que não existe fica sem o código.',
  event: 'Evento presencial: várias pessoas na mesma rede',
  eventHint: 'Nestas horas os limites por rede ficam dez vezes maiores, e nada da pessoa fica no aparelho.',
  from: 'Do evento: começo',
  until: 'Do evento: fim',
  valid: 'Prazo para retirar o prêmio, em dias (opcional)',
  validHint: 'Vazio, o prêmio não vence.',
  notices: 'Avisos de novos leads por e-mail',
  noticeChoices: { each: 'A cada lead', daily: 'Um resumo por dia', none: 'Nenhum' },
  audit: 'Qualquer pessoa pode baixar a auditoria depois que a rodada fecha',
  auditHint: 'O arquivo mostra o estoque de cada prêmio.',
  said: {
    oncePerEmail: 'uma vez por e-mail',
    oncePerPhone: 'uma vez por número',
    noThrowaway: 'sem e-mails descartáveis',
    codeByEmail: 'código por e-mail',
    event: 'evento presencial',
    valid: (days: number) => (days === 1 ? 'vence em 1 dia' : `vence em ${days} dias`),
    each: 'aviso a cada lead',
    daily: 'resumo diário',
    none: 'sem avisos',
    audit: 'auditoria pública',
  },
};

/** Proposals for the owner: the form as visitors see it. The public page has the same title and button. */
export const formPreviewTexts = {
  heading: 'Como a pessoa vê',
  picture: 'Prévia do formulário da roleta',
  title: 'Seus Dados',
  button: 'Continuar',
};
