import type { RefreshDetail, RefreshReason } from '@decola/contracts';

/** Proposals for the owner: what is said about new texts of articles that are on a customer's site. */
export const refreshTexts = {
  notProposed: 'Este artigo não precisa ser atualizado agora.',
  notOnSite: 'Este artigo não está no seu site.',
  edited: 'Você editou este artigo no seu site; não mexemos nele.',
  changed: 'O artigo mudou enquanto o texto novo era escrito. O seu texto ficou.',
  decided: 'Este texto novo já foi decidido.',
  expired: 'Ninguém decidiu sobre o texto novo em 7 dias. O artigo ficou como estava.',
  perDay: (most: number) => `Você já pediu ${most} atualizações hoje. Tente de novo amanhã.`,
  /** @param date `31/12/2026` */
  waiting: (date: string) => `Texto novo pronto. Decida até ${date}; até lá o artigo fica como está.`,
  staleYear: (year: number) => `Precisa de você: o texto novo ainda fala de ${year}`,
} as const;

/** Proposals for the owner: the mail that tells that a new text waits. */
export const refreshMailTexts = {
  subject: (title: string) => `Texto novo para “${title}”`,
  sign: 'Precisa de você',
  /** @param date `31/12/2026` */
  lead: (site: string, date: string) =>
    `O texto novo de um artigo de ${site} está pronto. Leia e decida até ${date}; sem a sua aprovação o artigo fica como está.`,
  button: 'Ler e decidir',
  footer: 'Este e-mail não aprova nada: você decide na página dos seus artigos, depois de entrar.',
} as const;

/** What the model is told to mend, for each reason. */
export const refreshTasks: Readonly<Record<RefreshReason, (detail: RefreshDetail) => string>> = {
  age: () => 'O texto tem mais de seis meses: confirme que cada conselho ainda vale, tire o que envelheceu e complete o que falta.',
  dead_links: () => 'Páginas citadas saíram do ar: elas não estão mais em "links". Reescreva esses trechos sem depender delas.',
  stale_year: ({ year = 0 }) =>
    `O texto fala de ${year} como se fosse o ano presente. Tire esse ano do título, dos subtítulos e do texto, ou escreva de modo que não envelheça.`,
};
