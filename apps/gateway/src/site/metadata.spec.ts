import { metadataOf, robots, withMetadata } from './metadata.js';

const site = { url: 'https://decola.example', productName: 'Decola & "Cia"' };
const built = `<!doctype html><html><head><meta charset="utf-8" />
<meta
  name="description"
  content="built" />
<title>Built</title></head><body><div id="root"></div></body></html>`;
const pageOf = (path: string) => withMetadata(built, metadataOf(path, site), site);

describe('page metadata', () => {
  it.each([
    ['/', 'Automação de Instagram e artigos para blog'],
    ['/auth', 'Entrar ou criar conta'],
    ['/blog', 'Blog'],
    ['/blog/', 'Blog'],
    ['/planos', 'Planos'],
    ['/politica-de-privacidade', 'Política de Privacidade'],
    ['/termos-de-uso', 'Termos de Uso'],
  ])('of %s has its title and canonical URL', (path, title) => {
    const page = pageOf(path);
    const address = `https://decola.example${path.length > 1 ? path.replace(/\/$/, '') : path}`;
    expect(page).toContain(`<title>${title} · Decola &#38; &#34;Cia&#34;</title>`);
    expect(page).toContain(`<link rel="canonical" href="${address}">`);
    expect(page).toContain(`<meta property="og:url" content="${address}">`);
    expect(page).not.toContain('noindex');
    expect(page).toContain('<meta property="og:image" content="https://decola.example/preview.png">');
    // Each tag is there once: those of the built page are removed.
    for (const tag of ['<title>', 'name="description"', 'og:title', 'rel="canonical"']) expect(page.split(tag)).toHaveLength(2);
    expect(page).not.toContain('built');
  });

  it('excludes private, unknown and hostile paths from indexing', () => {
    for (const path of ['/adm', '/automation/auto-like', '/prize-wheel/1', '/nada', '/constructor', '/<script>', '/blog/a/b']) {
      const page = pageOf(path);
      expect(page).toContain('<meta name="robots" content="noindex">');
      expect(page).not.toContain('canonical');
      expect(page).not.toContain('<script>');
    }
  });

  it('describes the blog’s search to search engines, only on the home page', () => {
    const text = /<script type="application\/ld\+json">(.*)<\/script>/.exec(pageOf('/'))?.[1] ?? '';
    expect(JSON.parse(text)).toMatchObject({ '@graph': [{ '@type': 'Organization' }, { potentialAction: { '@type': 'SearchAction' } }] });
    expect(pageOf('/blog')).not.toContain('ld+json');
  });

  it('names the sitemap and excludes paths that are no pages', () => {
    expect(robots(site)).toMatch(
      /^User-agent: \*\nAllow: \/storage\/v1\/object\/public\/blog-images\/\n(Disallow: \/\S+\n)+\nSitemap: https:\/\/decola\.example\/sitemap\.xml\n$/,
    );
    for (const path of ['/adm', '/rest/v1/', '/functions/v1/']) expect(robots(site)).toContain(`Disallow: ${path}\n`);
  });
});
