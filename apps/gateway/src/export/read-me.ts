import type { GatewayConfig } from '../config/config.js';
import { readMeTexts } from '../texts/texts.js';

/** One file of the archive and what it contains. */
export interface ExportedFile {
  name: string;
  about: string;
}

/** In characters. Editors of every system show lines of this length without scrolling. */
const lineWidth = 92;

function wrap(text: string, indent = ''): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    if (line.length > indent.length && line.length + 1 + word.length > lineWidth) {
      lines.push(line);
      line = indent;
    }
    line += line.length > indent.length ? ` ${word}` : word;
  }
  return [...lines, line];
}

const heading = (text: string, underline = '-') => [text, underline.repeat(text.length), ''];

/** LEIA-ME.txt, which explains the archive to its owner. It has Windows line ends, because older versions of Notepad show no others. */
export function readMe(
  {
    PRODUCT_NAME: product,
    PRIVACY_EMAIL: privacy,
    DPO_EMAIL: officer,
  }: Pick<GatewayConfig, 'PRODUCT_NAME' | 'PRIVACY_EMAIL' | 'DPO_EMAIL'>,
  email: string,
  createdAt: Date,
  files: readonly ExportedFile[],
): string {
  const date = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'long', timeStyle: 'short', timeZone: 'America/Sao_Paulo' }).format(createdAt);
  // Files with the same explanation share it.
  const byAbout = Map.groupBy(files, ({ about }) => about);
  const lines = [
    ...heading(readMeTexts.title(product), '='),
    ...(email === '' ? [] : [readMeTexts.account(email)]),
    readMeTexts.createdAt(date),
    '',
    ...wrap(readMeTexts.introduction(product)),
    '',
    ...heading(readMeTexts.filesHeading).slice(0, 2),
    ...[...byAbout].flatMap(([about, group]) => ['', ...group.map(({ name }) => name), ...wrap(about, '    ')]),
    '',
    ...heading(readMeTexts.missingHeading),
    ...wrap(readMeTexts.missingSecrets),
    ...wrap(readMeTexts.missingCards),
    '',
    ...heading(readMeTexts.formatsHeading),
    ...wrap(readMeTexts.formats),
    '',
    ...heading(readMeTexts.rightsHeading),
    ...wrap(readMeTexts.rights(privacy, officer)),
    '',
  ];
  return `\uFEFF${lines.join('\r\n')}`;
}
