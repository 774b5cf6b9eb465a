import type { BlogPage, SiteArticle } from '@decola/contracts';
import { withMetadata } from '../site/metadata.js';
import { blogMetadata, brasiliaTime } from './article-metadata.js';

const site = { url: 'https://decola.example', productName: 'Decola' };
const built = '<!doctype html><html><head><title>Built</title></head><body></body></html>';
const article: SiteArticle = {
  id: 'a1',
  slug: 'um-artigo',
  title: 'Um artigo "bom" <para> todos',
  excerpt: 'O resumo.',
  category: 'Conversas',
  tags: ['seo', 'café & pão'],
  author: 'Equipe Decola',
  readTime: 6,
  publishedAt: '2026-11-18T02:30:00.000Z',
  updatedAt: '2026-11-20T12:00:00.000Z',
  picture: { src: '/storage/v1/object/public/blog-images/x-1200.webp', srcset: null, width: 1200, height: 675, alt: 'Uma xícara' },
  content: '<p>Texto</p>',
  metaTitle: null,
  metaDescription: 'A descrição.',
  viewCount: 3,
  wordCount: 1_120,
  preview: '/storage/v1/object/public/blog-images/x-share.jpg',
};
const headOf = (page: BlogPage) => withMetadata(built, blogMetadata(page, site), site);
const articlePage = (changes: Partial<SiteArticle> = {}) => headOf({ kind: 'article', article: { ...article, ...changes }, related: [] });
const listPage = (query: object, categories: string[] = []) =>
  headOf({ kind: 'list', query: { search: '', category: '', tag: '', page: 1, ...query }, list: { articles: [], total: 0, categories } });
const graphOf = (head: string) => {
  const text = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(head)![1]!;
  return (JSON.parse(text) as { '@graph': Record<string, unknown>[] })['@graph'];
};
const typed = (head: string, type: string) => graphOf(head).find((each) => each['@type'] === type);

describe('the metadata of an article', () => {
  it('are its title, description, keywords, canonical address and social card', () => {
    const head = articlePage();
    for (const tag of [
      '<title>Um artigo &#34;bom&#34; &#60;para&#62; todos · Decola</title>',
      '<meta name="description" content="A descrição.">',
      '<meta name="keywords" content="seo, café &#38; pão">',
      '<link rel="canonical" href="https://decola.example/blog/um-artigo">',
      '<meta property="og:type" content="article">',
      '<meta property="og:image" content="https://decola.example/storage/v1/object/public/blog-images/x-share.jpg">',
      '<meta property="og:image:alt" content="Uma xícara">',
      '<meta property="article:published_time" content="2026-11-17T23:30:00-03:00">',
      '<meta property="article:tag" content="seo">',
      '<meta name="twitter:card" content="summary_large_image">',
      '<link rel="alternate" type="application/rss+xml" title="Blog · Decola" href="/blog/rss.xml">',
    ])
      expect(head).toContain(tag);
    expect(head).not.toContain('noindex');
    expect(head).not.toContain('<para>');
  });

  it('fall back to the title, the excerpt and the site’s picture', () => {
    const head = articlePage({ metaTitle: 'Para buscas', metaDescription: null, preview: null, picture: null });
    expect(head).toContain('<title>Para buscas · Decola</title>');
    expect(head).toContain('<meta name="description" content="O resumo.">');
    expect(head).toContain('<meta property="og:image" content="https://decola.example/preview.png">');
    expect(typed(head, 'BlogPosting')).not.toHaveProperty('image');
  });

  it('have one graph of structured data: the article, the breadcrumb, the organization and the site with its search', () => {
    const graph = graphOf(articlePage());
    expect(graph.map((each) => each['@type'])).toEqual(['BlogPosting', 'BreadcrumbList', 'Organization', 'WebSite']);
    expect(graph[0]).toMatchObject({
      headline: article.title,
      datePublished: '2026-11-17T23:30:00-03:00',
      dateModified: '2026-11-20T09:00:00-03:00',
      author: { '@type': 'Organization', name: 'Equipe Decola', url: 'https://decola.example' },
      wordCount: 1_120,
      articleSection: 'Conversas',
      mainEntityOfPage: 'https://decola.example/blog/um-artigo',
    });
    expect(graph[1]).toMatchObject({
      itemListElement: [
        { position: 1, name: 'Início', item: 'https://decola.example/' },
        { position: 2, name: 'Blog', item: 'https://decola.example/blog' },
        { position: 3, name: article.title, item: 'https://decola.example/blog/um-artigo' },
      ],
    });
    expect(graph[3]).toMatchObject({ potentialAction: { target: 'https://decola.example/blog?search={search_term_string}' } });
  });

  it('cut a long headline at 110 characters, and cannot end their block', () => {
    const head = articlePage({ title: `</script><script>alert(1)</script>${'á'.repeat(200)}` });
    const { headline } = typed(head, 'BlogPosting') as { headline: string };
    expect(Array.from(headline)).toHaveLength(110);
    expect(head.match(/<script/g)).toHaveLength(1);
  });

  it('never tell a mail address: the product’s name stands for an administrator’s', () => {
    const head = articlePage({ author: 'ana@decola.example' });
    expect(head).not.toContain('ana@');
    expect(typed(head, 'BlogPosting')).toMatchObject({ author: { name: 'Decola' } });
    expect(typed(articlePage({ author: 'SEO Specialist' }), 'BlogPosting')).toMatchObject({
      author: { '@type': 'Person', name: 'SEO Specialist', url: 'https://decola.example/blog' },
    });
  });

  it('encode the slug of an address', () => {
    expect(articlePage({ slug: 'a"><b>$&' })).toContain('href="https://decola.example/blog/a%22%3E%3Cb%3E%24%26"');
  });
});

describe('the metadata of the list', () => {
  it('name it with its categories as keywords and the search', () => {
    const head = listPage({}, ['SEO', 'Dados']);
    expect(head).toContain('<title>Blog · Decola</title>');
    expect(head).toContain('<meta name="keywords" content="SEO, Dados">');
    expect(head).toContain('<link rel="canonical" href="https://decola.example/blog">');
    expect(graphOf(head).map((each) => each['@type'])).toEqual(['BreadcrumbList', 'Organization', 'WebSite']);
  });

  it('keep search results and tags out of search engines, and let these follow their links', () => {
    for (const query of [{ search: 'roleta' }, { tag: 'seo' }]) expect(listPage(query)).toContain('content="noindex, follow"');
    for (const query of [{ category: 'SEO' }, { page: 2 }]) expect(listPage(query)).not.toContain('noindex');
    expect(listPage({ search: 'roleta' })).toContain('<title>Busca por “roleta” · Decola</title>');
    expect(listPage({ page: 2 })).toContain('<link rel="canonical" href="https://decola.example/blog?page=2">');
    expect(listPage({ page: 2 })).toContain('<title>Blog, página 2 · Decola</title>');
  });
});

it('leads people from a missing article to the list at once, and is not indexed', () => {
  const head = headOf({ kind: 'missing' });
  expect(head).toContain('<meta http-equiv="refresh" content="0;url=/blog">');
  expect(head).toContain('<meta name="robots" content="noindex">');
  expect(headOf({ kind: 'failed', what: 'list', address: '/blog' })).not.toContain('http-equiv');
});

it('writes times with Brasília’s offset', () => {
  expect(brasiliaTime('2026-01-01T01:00:00Z')).toBe('2025-12-31T22:00:00-03:00');
});
