import { judgePage } from './judge-page.js';

const url = 'https://loja.com.br/como-vender-paes/';
const title = 'Como vender pães - e "lucrar"';
const page = ({ head = '', body = '<h1>Como vender pães &#8211; e &#8220;lucrar&#8221;</h1>', heading = 'Loja' } = {}) =>
  `<!doctype html><html><head><title>${heading}</title>${head}</head><body>${body}</body></html>`;
const look = (
  body: string,
  { status = 200, headers = {}, at = url }: { status?: number; headers?: Record<string, string>; at?: string } = {},
) => judgePage({ status, headers, body, url: at }, { title, url });

describe('the public page of an article', () => {
  it('shows it in a heading, or in the page’s title, with the signs that WordPress makes of quotes and hyphens', () => {
    expect(look(page())).toBeNull();
    expect(look(page({ body: '', heading: 'Como vender pães – e “lucrar” | Loja' }))).toBeNull();
  });

  it.each([
    `<link rel="canonical" href="${url}">`,
    '<link rel="canonical" href="https://www.loja.com.br/como-vender-paes">',
    '<link rel="canonical" href="/como-vender-paes/">',
  ])('may name itself the original: %s', (head) => expect(look(page({ head }))).toBeNull());

  it.each([
    ['permalinks', page({ heading: 'Página não encontrada', body: '' }), { status: 404 }],
    ['login', page(), { status: 401 }],
    ['login', '', { status: 302, headers: { location: 'https://loja.com.br/wp-login.php?redirect_to=x' } }],
    ['login', page({ heading: 'Acessar', body: '<form id="loginform"></form>' }), { at: 'https://loja.com.br/wp-login.php' }],
    ['elsewhere', '', { status: 302, headers: { location: 'https://outra.com.br/' } }],
    ['soon', page({ heading: 'Em breve', body: '<h1>Em breve</h1>' }), {}],
    ['soon', page({ heading: 'Manutenção', body: '' }), { status: 503 }],
    ['unreachable', page(), { status: 500 }],
    ['canonical', page({ head: '<link rel="canonical" href="https://loja.com.br/outro/">' }), {}],
    ['canonical', page({ head: '<link rel="canonical" href="https://outra.com.br/como-vender-paes/">' }), {}],
    ['noindex', page({ head: '<meta name="robots" content="max-image-preview:large, NOINDEX, nofollow">' }), {}],
    ['noindex', page(), { headers: { 'x-robots-tag': 'noindex' } }],
    ['title', page({ body: '<h1>Outro artigo</h1>' }), {}],
    ['title', '', {}],
  ])('%s', (reason, body, more) => expect(look(body, more)).toBe(reason));

  it('did not open', () => expect(judgePage({ failure: 'timeout' }, { title, url })).toBe('unreachable'));

  it('is the same one when it is read around the page’s cache', () =>
    expect(look(page({ head: `<link rel="canonical" href="${url}?decola=2">` }), { at: `${url}?decola=2` })).toBeNull());
});
