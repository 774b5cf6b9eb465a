/*
 * Proposals for the owner: the specification has no sentences for these.
 */

/** Answers of `generate-article-image`. */
export const articleImageTexts = {
  unknownArticle: 'Artigo não encontrado. Atualize a página.',
  notGenerated: 'Não foi possível gerar a imagem agora. A anterior foi mantida. Tente novamente em instantes.',
  takesLonger: 'A imagem continua sendo gerada e aparece na lista em instantes.',
} as const;

/** Answers of `migrate-blog-images`. */
export const imageMigrationTexts = {
  isRunning: 'Uma migração de imagens já está em andamento. Aguarde ela terminar.',
  /** Name of a picture that is inside an article's text and has no address. */
  inText: 'imagem dentro do texto',
} as const;

/** Why a file is not taken as a picture. Pictures of articles stay where they are then. */
export const pictureRefusalTexts = {
  type: 'o arquivo não é JPEG, PNG, GIF, WebP nem AVIF',
  broken: 'o arquivo está danificado',
  too_large: 'a imagem é grande demais',
  too_small: 'a imagem é pequena demais',
  gone: 'a imagem não existe mais neste endereço',
  unreachable: 'o site de origem não responde',
  elsewhere: 'o endereço leva a outro site',
  address: 'o endereço não pode ser aberto daqui',
} as const;
export type PictureRefusal = keyof typeof pictureRefusalTexts;
