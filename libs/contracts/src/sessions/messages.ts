/** What the customer reads about a text that holds no usable session. No message repeats any of the pasted text. */
export const messages = {
  empty: 'Cookie do Instagram é obrigatório',
  tooLong: 'O texto colado é grande demais. Copie só os cookies do Instagram e cole aqui.',
  harTooLong:
    'O arquivo HAR é grande demais: aceitamos até 100 mil caracteres. Grave só a abertura do Instagram, ou copie só os cookies, e cole aqui.',
  harWithoutCookies:
    'O arquivo HAR veio sem os cookies. Ao exportar no navegador, escolha a opção com dados sensíveis, ou copie só os cookies, e cole aqui.',
  nothing:
    'Não encontramos o sessionid no texto colado. Entre no Instagram pelo navegador, copie o cookie sessionid (ou todos os cookies do site) e cole aqui.',
  brokenJson: 'O texto parece um JSON, mas está incompleto ou foi alterado na cópia. Exporte os cookies de novo e cole o texto inteiro.',
  otherSite: 'Os cookies colados são de outro site. Abra o Instagram no navegador, exporte os cookies dessa página e cole aqui.',
  noSession: 'Há cookies do Instagram no texto, mas falta o sessionid. Entre na sua conta pelo navegador e copie os cookies de novo.',
  emptySession: 'O sessionid está vazio. Entre na sua conta do Instagram pelo navegador e copie os cookies de novo.',
  shortSession: 'O sessionid está incompleto: ele tem mais de 30 caracteres. Copie o valor inteiro e cole de novo.',
  noAccount:
    'O sessionid não começa com o número da conta seguido de dois-pontos (ou %3A). Copie o valor exatamente como aparece no navegador.',
  wrongAccountId: 'O ds_user_id deve ter só números. Copie os cookies de novo.',
  otherAccount: 'O sessionid e o ds_user_id são de contas diferentes. Entre na conta certa e copie os dois de uma vez.',
  twoAccounts: 'Há sessões de duas contas do Instagram no texto colado. Entre só na conta que vai usar e copie os cookies de novo.',
  expired: 'A sessão colada já expirou. Entre na sua conta do Instagram pelo navegador e copie os cookies de novo.',
} as const;
