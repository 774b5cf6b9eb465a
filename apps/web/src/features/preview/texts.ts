import type { AutomationType } from '@decola/contracts';

/** Proposals for the owner: the preview of an automation's next targets. */
export const previewTexts = {
  titles: {
    'auto-follow-unfollow': 'Próximas pessoas',
    'auto-like': 'Próximos posts',
    'auto-comment': 'Próximos comentários',
    'auto-dm-sender': 'Próximos directs',
    'mass-story-viewer': 'Próximos stories',
    'followers-following-extractor': 'O que vem no arquivo',
    'post-interactions-extractor': 'O que vem no arquivo',
    'prize-extractor': 'Próximos passos',
  } satisfies Record<AutomationType, string>,
  lede: 'Veja quem vem a seguir e quem ficaria de fora. É só um ensaio: nada é feito no Instagram.',
  ledeOfList: 'Veja de quem é a lista e o que o arquivo vai trazer. É só um ensaio: nada é lido da lista ainda.',
  ask: 'Ver prévia',
  askAgain: 'Atualizar prévia',
  unsaved: 'A prévia mostra o que está salvo. Salve as mudanças para ver a nova.',
  loading: 'Carregando a prévia...',
  waiting: 'Na fila: o navegador da prévia abre em instantes.',
  reading: (found: number, most: number) =>
    found === 0 ? 'Abrindo o Instagram. Leva um ou dois minutos.' : `${found} de ${most} até agora. Leva um ou dois minutos.`,
  readingList: 'Abrindo o Instagram. Leva um ou dois minutos.',
  more: (count: number) => (count === 1 ? 'Ver mais 1' : `Ver mais ${count}`),
  passedOver: (count: number) => (count === 1 ? '1 ficaria de fora' : `${count} ficariam de fora`),
  gets: 'Recebe',
  post: 'ver post',
  openProfile: (name: string) => `Abrir ${name} no Instagram`,
  openPost: (name: string) => `ver post de ${name} no Instagram`,
  seen: (when: string) => `Vista ${when}. Na hora, tudo é conferido de novo.`,
  loadFailed: 'Não foi possível carregar a prévia. Verifique sua conexão.',
  askFailed: 'Não foi possível pedir a prévia. Verifique sua conexão e tente novamente.',
};
