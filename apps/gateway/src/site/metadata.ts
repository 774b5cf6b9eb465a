import type { Graph, Organization, SearchAction, WebSite } from 'schema-dts';
import { defaultPageDescription, pageTexts, previewImageText } from '../texts/texts.js';

/** Metadata that crawlers and link previews read without running scripts. */
export interface PageMetadata {
  title: string;
  description: string;
  /** Null for pages that search engines must not index. */
  canonicalPath: string | null;
  /** What search engines may do with a page that has a canonical path. Default: everything */
  robots?: 'noindex, follow';
  /** Default: `website` */
  type?: 'article';
  /** Picture of link previews; default: the site's. */
  previewImage?: { url: string; width: number; height: number; alt: string };
  /** Further tags of the head, as HTML. */
  tags?: readonly string[];
}

export interface Site {
  /** Public URL without a trailing slash. */
  url: string;
  productName: string;
}

/** Pages that crawlers have no reason to visit. */
const privatePaths = [
  '/adm',
  '/minha-conta',
  '/avisos-por-e-mail',
  '/assinatura-cancelada',
  '/automation/',
  '/prize-wheel/',
  '/teste-roleta',
  '/comprovante/',
  '/auditoria',
  '/aprovar/',
];
/** What search engines and link previews may read of the APIs: the pictures of the blog. */
const allowedPaths = ['/storage/v1/object/public/blog-images/'];
const apis = ['/auth/v1/', '/rest/v1/', '/functions/v1/', '/storage/v1/', '/webhooks/'];

/** The picture of link previews, drawn by `tools/draw-site-images.mjs`. */
const previewImage = { path: '/preview.png', width: 1200, height: 630 };

/** @param pathname path of the request, decoded */
export function metadataOf(pathname: string, { productName }: Site): PageMetadata {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname;
  const page = Object.hasOwn(pageTexts, path) ? pageTexts[path] : undefined;
  if (page) return { title: `${page.title} · ${productName}`, description: page.description, canonicalPath: path };
  return { title: productName, description: defaultPageDescription, canonicalPath: null };
}

export const escapeHtml = (text: string) => text.replace(/[<>&'"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Replaces the metadata of the built page by those of one path. */
export function withMetadata(html: string, metadata: PageMetadata, site: Site): string {
  const { title, description, canonicalPath } = metadata;
  const url = canonicalPath === null ? null : site.url + canonicalPath;
  const image = metadata.previewImage ?? { ...previewImage, url: site.url + previewImage.path, alt: previewImageText };
  const tags = [
    `<title>${escapeHtml(title)}</title>`,
    `<meta name="description" content="${escapeHtml(description)}">`,
    ...(url === null
      ? ['<meta name="robots" content="noindex">']
      : [
          `<link rel="canonical" href="${escapeHtml(url)}">`,
          ...(metadata.robots ? [`<meta name="robots" content="${metadata.robots}">`] : []),
          `<meta property="og:type" content="${metadata.type ?? 'website'}">`,
          `<meta property="og:locale" content="pt_BR">`,
          `<meta property="og:site_name" content="${escapeHtml(site.productName)}">`,
          `<meta property="og:title" content="${escapeHtml(title)}">`,
          `<meta property="og:description" content="${escapeHtml(description)}">`,
          `<meta property="og:url" content="${escapeHtml(url)}">`,
          `<meta property="og:image" content="${escapeHtml(image.url)}">`,
          `<meta property="og:image:width" content="${image.width}">`,
          `<meta property="og:image:height" content="${image.height}">`,
          `<meta property="og:image:alt" content="${escapeHtml(image.alt)}">`,
          `<meta name="twitter:card" content="summary_large_image">`,
        ]),
    ...(canonicalPath === '/' ? [structuredData(site)] : []),
    ...(metadata.tags ?? []),
  ];
  const bare = html.replace(/<title>[^<]*<\/title>\s*/i, '').replace(/<meta\s+name="description"[^>]*>\s*/i, '');
  // A function, because `replace` would expand `$&` in a replacement string.
  return bare.replace(/<\/head>|(?=<body)|$/i, (end) => `${tags.join('\n')}\n${end}`);
}

/** Who publishes the site, for search engines. */
export const organizationOf = ({ url, productName }: Site): Organization => ({
  '@type': 'Organization',
  '@id': `${url}/#organization`,
  name: productName,
  url,
  logo: `${url}/icon-512.png`,
});

/** The site and the URL of the blog's search, for search engines. */
export const webSiteOf = ({ url, productName }: Site): WebSite => ({
  '@type': 'WebSite',
  '@id': `${url}/#website`,
  name: productName,
  url,
  inLanguage: 'pt-BR',
  publisher: { '@id': `${url}/#organization` },
  potentialAction: {
    '@type': 'SearchAction',
    target: `${url}/blog?search={search_term_string}`,
    'query-input': 'required name=search_term_string',
  } as SearchAction,
});

/** JSON-LD of a page. */
export function structuredDataTag(things: Graph['@graph']): string {
  const graph: Graph = { '@context': 'https://schema.org', '@graph': things };
  return `<script type="application/ld+json">${JSON.stringify(graph).replaceAll('<', '\\u003c')}</script>`;
}

const structuredData = (site: Site) => structuredDataTag([organizationOf(site), webSiteOf(site)]);

export function robots({ url }: Site): string {
  const disallowed = [...privatePaths, ...apis].map((path) => `Disallow: ${path}`);
  const allowed = allowedPaths.map((path) => `Allow: ${path}`);
  return `User-agent: *\n${[...allowed, ...disallowed].join('\n')}\n\nSitemap: ${url}/sitemap.xml\n`;
}
