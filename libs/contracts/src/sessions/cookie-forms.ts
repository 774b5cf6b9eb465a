/** The forms in which customers paste a session. */
export const cookieForms = [
  'header',
  'json-list',
  'json-object',
  'json-map',
  'netscape',
  'bare',
  'devtools-row',
  'devtools-table',
  'encoded-twice',
  'windows-curl',
  'har',
  'named-values',
  'set-cookie',
] as const;
export type CookieForm = (typeof cookieForms)[number];

/** What the page calls the form that was recognised. */
export const cookieFormLabels: Record<CookieForm, string> = {
  header: 'Cabeçalho Cookie',
  'json-list': 'Lista em JSON',
  'json-object': 'Arquivo JSON de cookies',
  'json-map': 'Nomes e valores em JSON',
  netscape: 'Arquivo cookies.txt',
  bare: 'Só o sessionid',
  'devtools-row': 'Linha da tabela de cookies do navegador',
  'devtools-table': 'Tabela de cookies do navegador',
  'encoded-twice': 'Sessão codificada duas vezes',
  'windows-curl': 'Comando cURL do Windows',
  har: 'Arquivo HAR',
  'named-values': 'Nome e valor, como sessionid: …',
  'set-cookie': 'Linhas Set-Cookie',
};
