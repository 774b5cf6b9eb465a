import { formatCount } from '../../lib/format';
import type { AuditFileProblem } from './audit-file';
import type { AuditFault } from './audit-report';

/** Sentences of the page that verifies the draws of a wheel. Proposals for the owner. */

const lines = (count: number) => `${formatCount(count)} ${count === 1 ? 'linha' : 'linhas'}`;
const draws = (count: number) => `${formatCount(count)} ${count === 1 ? 'sorteio' : 'sorteios'}`;
const units = (count: number) => `${formatCount(count)} ${count === 1 ? 'unidade' : 'unidades'}`;
const listed = (parts: readonly string[]) => parts.join(', ').replace(/, ([^,]+)$/, ' e $1');

export const auditTexts = {
  documentTitle: 'Auditoria da roleta',
  title: 'Auditoria da roleta',
  lead: 'Refaz a conta de cada sorteio aqui, no seu navegador. O arquivo não sai do seu aparelho.',
  fileRegion: 'Arquivo',
  resultRegion: 'Resultado',
  progress: 'Conferência',
};

export const chooseTexts = {
  title: 'Escolha o arquivo da auditoria',
  text: 'Quem publica a roleta baixa em “Baixar auditoria”. Termina em .jsonl.',
  choose: 'Escolher arquivo',
  drop: 'ou solte-o aqui',
  other: 'Outro arquivo',
  again: 'Tentar novamente',
};

export const publishedTexts = {
  fetching: 'Buscando a auditoria publicada…',
  fileName: 'auditoria publicada por quem organiza',
  notPublished: 'A auditoria desta roleta não está publicada. Peça o arquivo a quem organiza a promoção e escolha-o abaixo.',
  failed: 'Não conseguimos buscar a auditoria agora. O sorteio não muda por isso: tente de novo daqui a pouco.',
};

export const checkingTexts = {
  reading: 'Lendo o arquivo…',
  checking: (checked: number, all: number) => `Conferindo ${formatCount(checked)} de ${lines(all)}`,
};

export const fileProblemTexts: Record<AuditFileProblem, string> = {
  empty: 'O arquivo está vazio. Baixe a auditoria de novo e escolha o arquivo inteiro.',
  not_an_audit:
    'Este arquivo não é a auditoria de uma roleta. Escolha o arquivo que termina em .jsonl, sem abri-lo nem salvá-lo em outro programa.',
  too_large: 'O arquivo é grande demais para conferir no navegador.',
};
export const verifyingFailed = 'Não conseguimos conferir o arquivo neste navegador. Tente de novo ou abra esta página em outro navegador.';
export const insecurePage = 'Para conferir, abra esta página por um endereço que comece com https://.';

export const resultTexts = {
  sound: {
    state: 'Confere',
    title: (rounds: number) => (rounds === 1 ? 'Nada foi mudado nesta rodada' : 'Nada foi mudado nestas rodadas'),
  },
  open: {
    state: 'Confere até aqui',
    title: 'A corrente está inteira; o segredo ainda não apareceu',
    text: 'A rodada está aberta. Os sorteios poderão ser refeitos quando ela fechar.',
  },
  broken: { state: 'Não confere', text: 'Compare com a impressão do seu comprovante e fale com quem organiza a promoção.' },
  empty: { state: 'Sem linhas', title: 'Este arquivo ainda não tem sorteios', text: 'A corrente começa quando a primeira rodada abre.' },
  checked: (count: number, seconds: string) => `${lines(count)} ${count === 1 ? 'conferida' : 'conferidas'} em ${seconds} s`,
  wheel: (name: string) => `Roleta “${name}”, segundo o arquivo`,
  rounds: (numbers: readonly number[]) =>
    numbers.length === 1 ? `Rodada ${numbers[0]}` : numbers.length === 2 ? `Rodadas ${numbers.join(' e ')}` : `${numbers.length} rodadas`,
  period: (from: string, to: string) => (from === to ? `em ${to}` : `de ${from} a ${to}`),
};

/** The heading of a result that does not hold: which line, and what happened to it. */
export function faultTitle(fault: AuditFault): string {
  const { problem, kind, number } = fault;
  const [expected, fileLine] = [formatCount(fault.expected), formatCount(fault.fileLine)];
  const shown = number === null ? expected : formatCount(number);
  if (problem === 'cut') return `O arquivo está cortado na linha ${fileLine}`;
  if (problem === 'hash_differs') {
    if (kind !== 'draw' || number === null) return `A linha ${fileLine} do arquivo foi mudada, tirada ou posta depois`;
    if (number > fault.expected) return `Falta o sorteio ${expected}`;
    if (number < fault.expected) return `O sorteio ${shown} está fora do lugar`;
    return `O sorteio ${shown} foi mudado depois de acontecer`;
  }
  switch (problem) {
    case 'not_a_line':
      return `A linha ${fileLine} do arquivo não é uma linha da corrente`;
    case 'round_out_of_order':
      return `Na linha ${fileLine}, uma rodada abre ou fecha fora de hora`;
    case 'number_out_of_order':
      return `Na linha ${fileLine} deveria estar o sorteio ${expected}`;
    case 'stock_differs':
      return `Na linha ${fileLine}, o estoque não fecha com o que já foi ganho`;
    case 'prize_not_left':
      return `O sorteio ${shown} deu um prêmio que não havia`;
    case 'unknown_draw':
      return `Na linha ${fileLine}, foi anulado um prêmio que ninguém ganhou`;
    case 'seed_differs':
      return 'O segredo não é o prometido';
    case 'draw_differs':
      return `O sorteio ${shown} não se repete`;
  }
}

export const chainCheckTexts = {
  whole: 'A corrente está inteira',
  wholeText: (count: number) => `${lines(count)}, cada uma guarda a anterior`,
  until: (fileLine: number) => `A corrente está inteira até a linha ${formatCount(fileLine - 1)}`,
  brokenAt: (fault: AuditFault) =>
    fault.number === null
      ? `A corrente quebra na linha ${formatCount(fault.fileLine)} do arquivo`
      : `A corrente quebra no sorteio ${formatCount(fault.number)}`,
  brokenText: ({ prize, kind }: AuditFault) =>
    kind === 'draw' && prize !== null
      ? `A linha diz “${prize}”; a impressão foi feita para outra linha`
      : 'A impressão foi feita para outra linha',
  cutText: 'O resto do arquivo não pode ser lido',
  notALineText: 'O que está escrito não é abertura, estoque, sorteio, anulação nem fechamento',
};

export const secretCheckTexts = {
  kept: (rounds: readonly number[]) =>
    rounds.length === 1
      ? 'O segredo é o prometido'
      : rounds.length <= 6
        ? `Os segredos das rodadas ${listed(rounds.map(String))} são os prometidos`
        : `Os segredos das ${rounds.length} rodadas são os prometidos`,
  keptText: 'A impressão publicada antes do primeiro giro foi feita dele',
  keptTextMany: 'As impressões publicadas antes do primeiro giro foram feitas deles',
  differs: (round: number) => `O segredo da rodada ${round} não é o prometido`,
  differsText: 'A impressão publicada antes do primeiro giro foi feita de outro segredo',
  secret: 'O segredo',
  secretText: 'Aparece quando a rodada fechar',
};

export const drawCheckTexts = {
  repeated: (count: number) => (count === 1 ? 'O sorteio se repete' : `Os ${draws(count)} se repetem`),
  repeatedText: 'Mesma conta, mesmos prêmios',
  differs: (number: number) => `O sorteio ${formatCount(number)} não se repete`,
  differsText: (drawn: string) => `A conta dá “${drawn}”`,
  sealed: (count: number) => (count === 1 ? 'O sorteio da rodada aberta' : `Os ${draws(count)} da rodada aberta`),
  sealedText: 'Serão refeitos com o segredo',
  none: 'Nenhum sorteio ainda',
  rest: ({ number, fileLine }: AuditFault) =>
    number === null ? `Da linha ${formatCount(fileLine + 1)} em diante` : `Do sorteio ${formatCount(number + 1)} em diante`,
  restText: 'Não dá para conferir depois de uma quebra',
};

export const stockCheckTexts = {
  sound: 'O estoque fecha',
  text: ({ offered, won, left, returned }: { offered: number; won: number; left: number; returned: number }) =>
    `${units(offered)}: ${formatCount(won)} ${won === 1 ? 'ganha' : 'ganhas'}, ${formatCount(left)} ${left === 1 ? 'restante' : 'restantes'}` +
    (returned === 0 ? '' : `, ${formatCount(returned)} ${returned === 1 ? 'devolvida' : 'devolvidas'} por anulação`),
  differs: 'O estoque não fecha',
  differsText: 'As unidades restantes não são as oferecidas menos as ganhas',
};

/** The receipt of a visitor, compared with the file. */
export const ownCheckTexts = {
  found: (number: number) => `O seu sorteio, nº ${formatCount(number)}, está na corrente`,
  foundText: 'A impressão é a do seu comprovante',
  differs: (number: number) => `O sorteio nº ${formatCount(number)} não é o do seu comprovante`,
  differsText: 'A impressão da linha é outra. Guarde o comprovante e fale com quem organiza a promoção.',
  missing: (number: number) => `O seu sorteio, nº ${formatCount(number)}, não está neste arquivo`,
  missingText: 'O arquivo pode ser de antes do seu giro, ou de outra roleta',
};

export const chainTexts = {
  title: 'A corrente, linha por linha',
  counts: (drawCount: number, stocks: number, voids: number) =>
    [
      draws(drawCount),
      `${formatCount(stocks)} ${stocks === 1 ? 'estoque' : 'estoques'}`,
      ...(voids === 0 ? [] : [`${formatCount(voids)} ${voids === 1 ? 'anulação' : 'anulações'}`]),
    ].join(', '),
  window: (first: number, last: number, all: number) => `linhas ${formatCount(first)} a ${formatCount(last)} de ${formatCount(all)}`,
  sound: (count: number) => `Corrente de ${lines(count)}, todas conferem`,
  broken: (count: number, held: number) =>
    `Corrente de ${lines(count)}: ${formatCount(held)} conferem, a seguinte não confere, as outras não foram conferidas`,
  legend: { draw: 'sorteio', other: 'abertura, estoque, fechamento', voided: 'anulado', fault: 'não confere', unchecked: 'não conferida' },
};

export const drawTableTexts = {
  title: 'Sorteios',
  text: 'Procure o seu pelo número do comprovante.',
  aroundFault: 'Os que estão em volta da quebra.',
  filters: 'Resultado',
  all: 'Todos',
  differ: 'Não conferem',
  search: 'Buscar número',
  placeholder: 'Número do sorteio',
  columns: { number: 'Número', at: 'Instante', prize: 'Prêmio', hash: 'Impressão da linha', state: 'Conta refeita' },
  number: (number: number) => `nº ${formatCount(number)}`,
  voided: 'anulado depois',
  states: { holds: 'Confere', differs: 'Não confere', sealed: 'Falta o segredo', unchecked: 'Não conferido' },
  none: 'Nenhum sorteio com este número neste arquivo.',
  noDifference: 'Nenhum sorteio deixa de conferir.',
  more: 'Mostrar mais',
};

export const explainTexts = [
  {
    title: 'O número veio antes',
    text: 'Antes do primeiro giro publicamos a impressão de um segredo. Ele decide todos os sorteios da rodada e não pode mudar depois.',
  },
  {
    title: 'Cada linha guarda a anterior',
    text: 'Giros, mudanças de estoque e anulações formam uma corrente. Tirar, trocar ou somar uma linha quebra as seguintes.',
  },
  {
    title: 'No fim, o segredo aparece',
    text: 'Com ele, qualquer pessoa refaz a conta. Os @ não aparecem: só uma impressão de cada um.',
  },
];

export const frameTexts = {
  skipToContent: 'Ir para o conteúdo',
  navigation: 'Principal',
  home: 'Início',
  blog: 'Blog',
  signIn: 'Entrar',
  signUp: 'Criar conta',
  footer: 'Rodapé',
  privacy: 'Política de Privacidade',
};
