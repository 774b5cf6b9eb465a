import type { GatewayConfig } from './config.js';

export interface ExportNote {
  name: string;
  about: string;
}

/** Longest line of the letter; editors of every system show it without a scroll bar. */
const width = 92;

function wrapped(text: string, indent = ''): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    if (line.length > indent.length && line.length + 1 + word.length > width) {
      lines.push(line);
      line = indent;
    }
    line += line.length > indent.length ? ` ${word}` : word;
  }
  return [...lines, line];
}

/** What lies in the archive, for the person it belongs to. Windows' line ends: its editor needed them for long, the others do not mind. */
export function readMe(
  {
    PRODUCT_NAME: product,
    PRIVACY_EMAIL: privacy,
    DPO_EMAIL: officer,
  }: Pick<GatewayConfig, 'PRODUCT_NAME' | 'PRIVACY_EMAIL' | 'DPO_EMAIL'>,
  email: string,
  at: Date,
  notes: readonly ExportNote[],
): string {
  const date = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'long', timeStyle: 'short', timeZone: 'America/Sao_Paulo' }).format(at);
  const title = `Seus dados no ${product}`;
  // Files of one kind are explained once.
  const byAbout = Map.groupBy(notes, ({ about }) => about);
  const lines = [
    title,
    '='.repeat(title.length),
    '',
    ...(email === '' ? [] : [`Conta: ${email}`]),
    `Feito em: ${date} (horário de Brasília)`,
    '',
    ...wrapped(
      `Este arquivo reúne tudo o que o ${product} guarda sobre você, como garante a Lei Geral de Proteção de Dados (Lei nº 13.709/2018, art. 18). Guarde-o em um lugar seguro: quem o tiver conhece a sua conta.`,
    ),
    '',
    'O que há em cada arquivo',
    '------------------------',
    ...[...byAbout].flatMap(([about, files]) => ['', ...files.map(({ name }) => name), ...wrapped(about, '    ')]),
    '',
    'O que não está aqui, e por quê',
    '------------------------------',
    '',
    ...wrapped(
      'Senhas, sessões do Instagram, tokens e chaves de segurança: são segredos, guardados cifrados ou só como resumo, e não saem daqui nem para você, porque quem os tivesse entraria nas suas contas.',
    ),
    ...wrapped('Os números do seu cartão: ficam só com o meio de pagamento (Stripe); nós nunca os vemos.'),
    '',
    'Como ler',
    '--------',
    '',
    ...wrapped(
      'Arquivos .json abrem em qualquer editor de texto; arquivos .csv abrem em planilhas. Datas e horas estão em UTC (horário de Brasília mais três horas).',
    ),
    '',
    'Seus direitos',
    '-------------',
    '',
    ...wrapped(
      `Você pode corrigir seu nome e seu e-mail e excluir sua conta em "Minha conta". Para qualquer outro pedido, escreva para ${privacy} ou para o encarregado de dados: ${officer}.`,
    ),
    '',
  ];
  return `\uFEFF${lines.join('\r\n')}`;
}
