import { siteProblemTexts } from '../texts/delivery-texts.js';
import { judgeReply, siteProblems } from './judge-reply.js';
import { readBody } from './site-answer.js';

const at = new Date('2026-11-23T12:00:00Z');
const url = 'https://loja.com.br/wp-json/decola/v1/events';
const page = (text: string) => `<!doctype html><html><body>${text}</body></html>`;
const answer = (status: number, body: string | object = '', headers: Record<string, string> = {}) => ({
  ...{ status, headers, url },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const judged = (...facts: Parameters<typeof answer>) => judgeReply(answer(...facts), at);
const sentence = (...facts: Parameters<typeof answer>) => {
  const judgement = judged(...facts);
  if (judgement.ok) throw new Error('it is no problem');
  return { code: judgement.code, reads: siteProblemTexts[judgement.code](judgement.facts, '09:00') };
};

describe('what a site’s answer means', () => {
  it.each(['dns', 'address', 'tls', 'timeout', 'connection'] as const)('no answer: %s has its own sentence', (failure) => {
    expect(judgeReply({ failure }, at)).toMatchObject({ ok: false, code: failure });
    expect(siteProblemTexts[failure]()).toMatch(/\.$/);
  });

  it('every problem has a sentence of its own', () => {
    const sentences = siteProblems.map((code) => siteProblemTexts[code]({}, '09:00'));
    expect(new Set(sentences).size).toBe(siteProblems.length);
  });

  it.each([
    ['404 of a site without the plugin', 404, { code: 'rest_no_route', message: 'Nenhuma rota', data: { status: 404 } }],
    ['404 page', 404, page('Não encontrado')],
  ])('%s: the plugin is missing', (_, status, body) =>
    expect(sentence(status, body)).toEqual({ code: 'plugin_missing', reads: 'O plugin não está instalado ou ativo' }),
  );

  it.each([
    ['token', {}, 'O token do site não é o mesmo daqui. Copie o token de novo e cole nas configurações do plugin.'],
    [
      'wrong_site',
      {},
      'O plugin respondeu por outro site. Confira o endereço em Configurações > Geral do WordPress e o endereço colado aqui.',
    ],
    [
      'clock',
      { site_time: at.getTime() / 1000 - 8 * 60 },
      'O relógio do seu servidor está 8 min atrasado. Peça à hospedagem para acertá-lo.',
    ],
    [
      'clock',
      { site_time: at.getTime() / 1000 + 8 * 60 },
      'O relógio do seu servidor está 8 min adiantado. Peça à hospedagem para acertá-lo.',
    ],
  ])('401 of our plugin: %s', (code, more, reads) => expect(sentence(401, { decola: 1, code, ...more })).toEqual({ code, reads }));

  it.each([
    ['rest_forbidden', 401, { code: 'rest_forbidden', message: 'Proibido' }, null],
    ['rest_not_logged_in', 401, { code: 'rest_not_logged_in', message: 'Wordfence blocked this' }, 'Wordfence'],
    [
      'rest_cannot_access',
      403,
      { code: 'rest_cannot_access', message: 'DRA: Only authenticated users can access the REST API.' },
      'Disable REST API',
    ],
    ['itsec_rest_api_access_restricted', 401, { code: 'itsec_rest_api', message: 'iThemes Security' }, 'Solid Security'],
  ])('%s: a security plugin closed the API', (_, status, body, guard) => {
    expect(sentence(status, body)).toEqual({
      code: 'rest_blocked',
      reads: `Um plugin de segurança fechou a API${guard ? ` (${guard})` : ''}. Libere o endereço do plugin nas configurações dele.`,
    });
  });

  it.each([
    ['a challenge', 503, page('Just a moment'), { server: 'cloudflare', 'cf-mitigated': 'challenge' }],
    ['403', 403, page('Attention Required'), { server: 'cloudflare' }],
  ])('Cloudflare: %s names the rule to create', (_, status, body, headers) => {
    const { code, reads } = sentence(status, body, headers);
    expect(code).toBe('cloudflare');
    expect(reads).toContain('/wp-json/decola/v1/events');
    expect(reads).toContain('Decola-Webhook/1');
  });

  it.each([403, 406, 412])('a page with %i: the host’s firewall, with a text for its support', (status) => {
    expect(sentence(status, page('Not Acceptable! Mod_Security'))).toEqual({
      code: 'waf',
      reads:
        'O firewall da hospedagem barrou o envio. Mande ao suporte dela: “Liberem POST em /wp-json/decola/v1/events com User-Agent Decola-Webhook/1; o bloqueio foi às 09:00, horário de Brasília.”',
    });
  });

  it('a password in front of the whole site', () =>
    expect(sentence(401, page('Authorization Required'), { 'www-authenticate': 'Basic realm="x"' }).code).toBe('login'));

  it('a page with 200 is not the plugin', () =>
    expect(sentence(200, page('Bem-vindo'))).toEqual({ code: 'not_plugin', reads: 'O endereço abriu uma página, não o plugin' }));

  it.each([500, 502, 503, 521])('%i: the site is down', (status) =>
    expect(sentence(status, page('Erro'))).toEqual({ code: 'site_down', reads: 'Fora do ar' }),
  );
  it('a server behind Cloudflare that is down is not Cloudflare’s refusal', () =>
    expect(sentence(522, page('Connection timed out'), { server: 'cloudflare' }).code).toBe('site_down'));

  it('429 and 503 name how long to wait', () => {
    expect(judged(429, '', { 'retry-after': '90' })).toMatchObject({ code: 'too_many', retryAfterSeconds: 90 });
    expect(judged(503, '', { 'retry-after': 'Mon, 23 Nov 2026 12:10:00 GMT' })).toMatchObject({
      code: 'site_down',
      retryAfterSeconds: 600,
    });
    expect(judged(429, '', { 'retry-after': 'amanhã' })).toMatchObject({ code: 'too_many', retryAfterSeconds: null });
  });

  it('our plugin that still works on the article says how long to wait', () =>
    expect(judged(503, { decola: 1, code: 'busy', retry_after: 10 })).toMatchObject({ code: 'busy', retryAfterSeconds: 10 }));

  it('410 from anybody: the site wants nothing more', () => {
    expect(judged(410, '')).toMatchObject({ code: 'gone' });
    expect(judged(410, { decola: 1, code: 'gone' })).toMatchObject({ code: 'gone' });
  });

  it('409 of our plugin: the owner edited the post', () =>
    expect(sentence(409, { decola: 1, code: 'edited_by_owner' })).toEqual({
      code: 'edited_by_owner',
      reads: 'Você editou este artigo; não mexemos nele',
    }));

  it('a redirect to another place names it', () => {
    expect(sentence(301, '', { location: 'https://outra.com.br/x' })).toEqual({
      code: 'redirect',
      reads: 'Seu site redireciona para https://outra.com.br/x. Usar este endereço',
    });
  });

  it.each([
    ['an object', 200, { ok: true }],
    ['nothing', 204, ''],
    ['nothing with 200', 200, ''],
    ['plain words', 202, 'Accepted'],
  ])('2xx with %s is success', (_, status, body) => expect(judged(status, body)).toMatchObject({ ok: true, isPlugin: false }));
  it.each([{ success: false }, { error: 'não quero' }, { success: false, error: 'não quero' }])('2xx that denies is none: %j', (body) =>
    expect(judged(200, body)).toMatchObject({ ok: false, code: 'refused' }),
  );
  it('our plugin is told by its answer', () => expect(judged(200, { decola: 1 })).toMatchObject({ ok: true, isPlugin: true }));
  it('another status is a refusal with the site’s words', () =>
    expect(sentence(422, { message: 'Categoria <b>inválida</b>' })).toEqual({
      code: 'refused',
      reads: 'O site recusou o artigo: Categoria inválida',
    }));
});

describe('the body of an answer', () => {
  it('is read behind warnings of PHP, which are kept', () => {
    const { json, notice, isHtml } = readBody(
      '<br />\n<b>Deprecated</b>:  Function {x} is deprecated in <b>/wp/a.php</b><br />\n{"decola":1,"a":{"b":2}}',
    );
    expect({ json, notice, isHtml }).toEqual({
      json: { decola: 1, a: { b: 2 } },
      notice: 'Deprecated : Function {x} is deprecated in /wp/a.php',
      isHtml: false,
    });
  });

  it('of a page is a page, whatever it holds', () => {
    expect(readBody(page('<script>window.x = {"decola":1}</script>{"decola":1}'))).toMatchObject({ json: null, isHtml: true });
    expect(readBody('<html><body></body></html>{"decola":1}')).toMatchObject({ json: null, isHtml: true });
  });

  it('holds only what can be stored', () => expect(readBody(String.raw`{"a":["x\u0000y\ud800"]}`).json).toEqual({ a: ['xy\uFFFD'] }));

  it.each(['[1]', 'null', '"x"', '{"a":', 'ok'])('%s is no object', (body) => expect(readBody(body).json).toBeNull());
  it('may begin with a byte order mark', () => expect(readBody('\uFEFF{"a":1}').json).toEqual({ a: 1 }));
});
