/** Sentences of the building blocks of every page. The landing page loads this file too, so it stays small. */

export const stateTexts = {
  loading: 'Carregando...',
  retry: 'Tentar novamente',
};

/** Shown when the page's own code or configuration cannot be loaded. */
export const startTexts = {
  failed: 'Não foi possível abrir a página. Verifique sua conexão.',
};

export const dialogTexts = {
  close: 'Fechar',
};

export const passwordFieldTexts = {
  hide: 'Ocultar o que foi digitado',
  show: 'Mostrar o que foi digitado',
};

export const toasterTexts = {
  region: 'Mensagens',
  close: 'Fechar',
};
