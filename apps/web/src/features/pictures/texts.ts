/** Proposals for the owner: the picture of a failure. */
export const pictureTexts = {
  button: 'Ver imagem',
  buttonOf: (what: string) => `Ver imagem: ${what}`,
  title: 'O que o Instagram mostrou',
  description: 'Fotos, nomes e textos de outras pessoas ficam desfocados. A imagem é apagada depois de 30 dias.',
  alt: 'Página do Instagram no momento da falha, com o conteúdo de outras pessoas desfocado',
  altOf: (what: string) => `Página do Instagram no momento da falha (${what}), com o conteúdo de outras pessoas desfocado`,
  loading: 'Carregando a imagem...',
  failed: 'Não foi possível carregar a imagem. Verifique sua conexão.',
  expired: 'A imagem foi apagada depois de 30 dias.',
};
