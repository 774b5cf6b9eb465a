/** What crawlers and link previews read of a page, before any script runs. */
export interface PageMetadata {
  title: string;
  description: string;
  /** Path that the page is known by; null for pages that belong in no index. */
  canonicalPath: string | null;
}

export interface Site {
  /** Public address, without a slash at its end. */
  url: string;
  productName: string;
}

const general = 'Automação de Instagram e artigos para blog que agem pelo seu próprio navegador, com limites que protegem a sua conta.';

const publicPages: Readonly<Record<string, { title: string; description: string }>> = {
  '/': { title: 'Automação de Instagram e artigos para blog', description: general },
  '/auth': { title: 'Entrar ou criar conta', description: 'Entre na sua conta ou crie uma e teste por 7 dias grátis.' },
  '/blog': {
    title: 'Blog',
    description: 'Artigos sobre Instagram, marketing digital e crescimento de audiência, escritos para quem vende pela internet.',
  },
  '/planos': { title: 'Planos', description: 'Escolha o plano com o número de automações de que você precisa. Cancele quando quiser.' },
  '/politica-de-privacidade': {
    title: 'Política de Privacidade',
    description: 'Quais dados coletamos, como os protegemos e os seus direitos pela Lei Geral de Proteção de Dados.',
  },
};

/** Parts of the site that nobody needs to find. */
const privatePaths = ['/adm', '/minha-conta', '/assinatura-cancelada', '/automation/', '/prize-wheel/', '/teste-roleta'];
const apis = ['/auth/v1/', '/rest/v1/', '/functions/v1/', '/storage/v1/', '/webhooks/'];

/** @param pathname decoded path of the request */
export function metadataOf(pathname: string, { productName }: Site): PageMetadata {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname;
  const page = Object.hasOwn(publicPages, path) ? publicPages[path] : undefined;
  if (page) return { title: `${page.title} · ${productName}`, description: page.description, canonicalPath: path };
  // An article's own words come with the blog; its address is its own already.
  const slug = /^\/blog\/([^/]+)$/.exec(path)?.[1];
  if (slug) return { title: `Blog · ${productName}`, description: general, canonicalPath: `/blog/${encodeURIComponent(slug)}` };
  return { title: productName, description: general, canonicalPath: null };
}

const escaped = (text: string) => text.replace(/[<>&'"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** The built page with the metadata of one address in place of its own. */
export function withMetadata(html: string, { title, description, canonicalPath }: PageMetadata, site: Site): string {
  const url = canonicalPath === null ? null : site.url + canonicalPath;
  const tags = [
    `<title>${escaped(title)}</title>`,
    `<meta name="description" content="${escaped(description)}">`,
    ...(url === null
      ? ['<meta name="robots" content="noindex">']
      : [
          `<link rel="canonical" href="${escaped(url)}">`,
          `<meta property="og:type" content="website">`,
          `<meta property="og:locale" content="pt_BR">`,
          `<meta property="og:site_name" content="${escaped(site.productName)}">`,
          `<meta property="og:title" content="${escaped(title)}">`,
          `<meta property="og:description" content="${escaped(description)}">`,
          `<meta property="og:url" content="${escaped(url)}">`,
          `<meta name="twitter:card" content="summary">`,
        ]),
    ...(canonicalPath === '/' ? [structuredData(site)] : []),
  ];
  const bare = html.replace(/<title>[^<]*<\/title>\s*/i, '').replace(/<meta\s+name="description"[^>]*>\s*/i, '');
  // As a function: a text with `$&` in it stays a text.
  return bare.replace(/<\/head>|(?=<body)|$/i, (end) => `${tags.join('\n')}\n${end}`);
}

/** Who runs the site, and that its blog can be searched. */
function structuredData({ url, productName }: Site): string {
  const data = {
    '@context': 'https://schema.org',
    '@graph': [
      { '@type': 'Organization', '@id': `${url}/#organization`, name: productName, url },
      {
        '@type': 'WebSite',
        name: productName,
        url,
        inLanguage: 'pt-BR',
        publisher: { '@id': `${url}/#organization` },
        potentialAction: {
          '@type': 'SearchAction',
          target: `${url}/blog?search={search_term_string}`,
          'query-input': 'required name=search_term_string',
        },
      },
    ],
  };
  return `<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;
}

export function robots({ url }: Site): string {
  const closed = [...privatePaths, ...apis].map((path) => `Disallow: ${path}`);
  return `User-agent: *\n${closed.join('\n')}\n\nSitemap: ${url}/sitemap.xml\n`;
}
