/** How many rows of a kind one customer may keep: far above normal use, but low enough that a free account cannot fill the disks. */
export const quotas = { drafts: 500, blogDrafts: 500, keywords: 500, tokens: 20, emptyLists: 500 } as const;

/** Maximum length of texts that customers write, in characters, and maximum size of a configuration, in bytes as JSON. */
export const maxLengths = { name: 120, keyword: 200, theme: 200, address: 2_000, configurationBytes: 256 * 1024 } as const;

const figure = (value: number) => value.toLocaleString('pt-BR');

/** What a customer reads when a quota is reached. The page shows it before it sends the request, and the server refuses with it. */
export const quotaTexts = {
  drafts: `Você já tem ${figure(quotas.drafts)} rascunhos, o máximo. Publique ou exclua algum para criar outro.`,
  blogDrafts: `Você já tem ${figure(quotas.blogDrafts)} automações de blog desligadas, o máximo. Exclua alguma para criar outra.`,
  keywords: `Você já tem ${figure(quotas.keywords)} palavras-chave, o máximo. Exclua alguma para adicionar outra.`,
  tokens: `Você já tem ${figure(quotas.tokens)} tokens, o máximo.`,
  emptyLists: `Você já tem ${figure(quotas.emptyLists)} listas vazias, o máximo. Exclua alguma para criar outra.`,
  name: `O nome pode ter no máximo ${maxLengths.name} caracteres.`,
  keyword: `A palavra-chave pode ter no máximo ${maxLengths.keyword} caracteres.`,
  theme: `O tema pode ter no máximo ${maxLengths.theme} caracteres.`,
  address: `O endereço pode ter no máximo ${figure(maxLengths.address)} caracteres.`,
  configuration: `A configuração é grande demais: o máximo é ${maxLengths.configurationBytes / 1024} KB. Encurte os textos ou as listas.`,
} as const;
