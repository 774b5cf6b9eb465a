import '@testing-library/jest-dom';
import {
  type ArticleListQuery,
  articlesPerPage,
  type BlogPage,
  foundMarks,
  type SiteArticle,
  type SiteArticleCard,
} from '@decola/contracts';
import { screen, within } from '@testing-library/react';
import { gzipSync } from 'node:zlib';
import { renderPage } from './server';

const configuration = { publishableKey: 'key', productName: 'Decola', supportEmail: 'oi@decola.example', privacyEmail: '', dpoEmail: '' };
const show = (page: BlogPage) => {
  const markup = renderPage(page, configuration);
  document.body.innerHTML = markup;
  return markup;
};

const card = (number: number, changes: Partial<SiteArticleCard> = {}): SiteArticleCard => ({
  id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  slug: `artigo-${number}`,
  title: `Artigo ${number}`,
  excerpt: `Resumo do artigo ${number}.`,
  category: 'Conversas',
  tags: ['um', 'dois', 'três', 'quatro'],
  author: 'Equipe Decola',
  readTime: 6,
  publishedAt: '2026-11-18T01:30:00.000Z',
  updatedAt: '2026-11-18T01:30:00.000Z',
  picture: null,
  ...changes,
});
const articleOf = (changes: Partial<SiteArticle> = {}): SiteArticle => ({
  ...card(1),
  content: '<p>O começo.</p><h2>Primeira parte</h2><p>Texto.</p><h2>Segunda parte</h2><p>Fim.</p>',
  metaTitle: null,
  metaDescription: null,
  viewCount: 1_204,
  wordCount: 1_000,
  preview: null,
  ...changes,
});
const showList = (
  articles: SiteArticleCard[],
  { total = articles.length, ...query }: Partial<ArticleListQuery> & { total?: number } = {},
) =>
  show({
    kind: 'list',
    query: { search: '', category: '', tag: '', page: 1, ...query },
    list: { articles, total, categories: ['Conversas', 'SEO'] },
  });
const showArticle = (changes: Partial<SiteArticle> = {}, related: SiteArticleCard[] = []) =>
  show({ kind: 'article', article: articleOf(changes), related });

describe('the list of articles', () => {
  it('shows picture, category, read time, title, excerpt, author, date, three tags and the address of each', () => {
    showList([
      card(1),
      card(2, { picture: { src: '/p-1200.webp', srcset: '/p-480.webp 480w', width: 1200, height: 675, alt: 'Um café' } }),
    ]);
    const [first, second] = screen.getAllByRole('article') as [HTMLElement, HTMLElement];
    expect(first).toHaveTextContent('Conversas');
    expect(first).toHaveTextContent('6 min de leitura');
    expect(within(first).getByRole('heading', { level: 2, name: 'Artigo 1' })).toBeInTheDocument();
    expect(first).toHaveTextContent('Resumo do artigo 1.');
    expect(first).toHaveTextContent('Equipe Decola · 17 de novembro de 2026');
    expect(
      within(first)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['um', 'dois', 'três']);
    expect(within(first).getByRole('link')).toHaveAttribute('href', '/blog/artigo-1');
    expect(first.querySelector('svg.cover')).not.toBeNull();
    const picture = within(second).getByRole('img', { name: 'Um café' });
    expect(picture).toHaveAttribute('srcset', '/p-480.webp 480w');
    expect(picture).toHaveAttribute('loading', 'lazy');
  });

  it('loads the first picture before all others', () => {
    showList([card(1, { picture: { src: '/p.webp', srcset: null, width: null, height: null, alt: 'a' } })]);
    expect(screen.getByRole('img', { name: 'a' })).toHaveAttribute('fetchpriority', 'high');
    expect(screen.getByRole('img', { name: 'a' })).not.toHaveAttribute('loading');
  });

  it('searches by a plain form, and highlights what was found without trusting it', () => {
    const { start, end } = foundMarks;
    showList([card(1, { title: `A ${start}roleta${end} <b>`, excerpt: `${start}<script>${end}` })], { search: 'roleta' });
    const form = screen.getByRole('search');
    expect(form).toHaveAttribute('action', '/blog');
    expect(screen.getByRole('searchbox', { name: 'Buscar artigos' })).toHaveValue('roleta');
    expect(screen.getByText('1 artigo para “roleta”')).toBeInTheDocument();
    const shown = screen.getByRole('article');
    expect([...shown.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual(['roleta', '<script>']);
    expect(shown).toHaveAttribute('data-article-title', 'A roleta <b>');
    expect(shown.querySelector('script, b')).toBeNull();
  });

  it.each([
    [{ search: 'zebra' }, 'Nada sobre “zebra”. Tente outra palavra ou veja tudo.', true],
    [{ page: 9, total: 3 }, 'Esta página da lista está vazia.', true],
    [{}, 'Os primeiros artigos chegam em breve.', false],
  ])('says what is missing when it is empty: %j', (query, text, hasLink) => {
    showList([], { total: 0, ...query });
    expect(screen.getByRole('heading', { name: 'Nenhum artigo encontrado' })).toBeInTheDocument();
    expect(screen.getByText(text)).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Ver todos os artigos' }) !== null).toBe(hasLink);
  });

  it('has pages whose addresses keep the search', () => {
    showList([card(1)], { search: 'a b', page: 2, total: 4 * articlesPerPage });
    const pager = screen.getByRole('navigation', { name: 'Páginas' });
    expect(within(pager).getByRole('link', { name: 'Anterior' })).toHaveAttribute('href', '/blog?search=a+b');
    expect(within(pager).getByRole('link', { name: 'Próxima' })).toHaveAttribute('href', '/blog?search=a+b&page=3');
    expect(within(pager).getByRole('link', { current: 'page' })).toHaveTextContent('2');
  });

  it('marks the category that is shown', () => {
    showList([card(1)], { category: 'SEO' });
    const categories = within(screen.getByRole('navigation', { name: 'Categorias' }));
    expect(categories.getByRole('link', { current: true })).toHaveTextContent('SEO');
    expect(categories.getByRole('link', { name: 'Conversas' })).toHaveAttribute('href', '/blog?categoria=Conversas');
  });

  it('has the places in which the panel of administrators is shown', () => {
    showList([card(7)]);
    expect(document.querySelector('#blog-admin')).toBeEmptyDOMElement();
    expect(document.querySelector('#blog-list [data-article-id$="07"] [data-article-tools]')).toBeEmptyDOMElement();
  });
});

describe('the page of an article', () => {
  it('shows breadcrumb, way back, category, author, date, read time, views, tags, text and where to go on', () => {
    showArticle({}, [card(2)]);
    const crumbs = within(screen.getByRole('navigation', { name: 'Você está em' }));
    expect(crumbs.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Início', 'Blog', 'Artigo']);
    expect(screen.getByRole('link', { name: 'Voltar ao blog' })).toHaveAttribute('href', '/blog');
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Artigo 1');
    expect(screen.getByText(/17 de novembro de 2026/, { selector: '.byline time' })).toBeInTheDocument();
    expect(document.querySelector('.byline')).toHaveTextContent('6 min de leitura · 1.204 leituras');
    expect(screen.getByRole('link', { name: 'quatro' })).toHaveAttribute('href', '/blog?tag=quatro');
    expect(screen.getByRole('link', { name: 'Ver planos' })).toHaveAttribute('href', '/planos');
    expect(screen.getByRole('link', { name: 'Mais artigos' })).toHaveAttribute('href', '/blog');
    expect(screen.getByRole('heading', { level: 3, name: 'Artigo 2' })).toBeInTheDocument();
  });

  it('lists its parts, and none when there is only one', () => {
    showArticle();
    const contents = within(screen.getByRole('navigation', { name: 'Neste artigo' }));
    expect(contents.getByRole('link', { name: 'Segunda parte' })).toHaveAttribute('href', '#parte-2');
    expect(document.querySelector('#parte-2')).toHaveTextContent('Segunda parte');
    showArticle({ content: '<h2>Só uma</h2>' });
    expect(screen.queryByRole('navigation', { name: 'Neste artigo' })).toBeNull();
  });

  it('offers nothing that needs the script before the script is there', () => {
    showArticle();
    expect(screen.queryByRole('button')).toBeNull();
    const hidden = screen.getAllByRole('button', { hidden: true });
    expect(hidden.map(({ textContent }) => textContent.trim())).toEqual(['Compartilhar', 'Compartilhar', 'Copiar link']);
  });

  it('shows the product’s name for an administrator’s mail address', () => {
    expect(showArticle({ author: 'ana@decola.example' })).not.toContain('ana@');
    expect(document.querySelector('.byline b')).toHaveTextContent('Decola');
  });

  it('counts one view in the singular', () => {
    showArticle({ viewCount: 1 });
    expect(document.querySelector('.byline')).toHaveTextContent('1 leitura');
    expect(document.querySelector('.byline')).not.toHaveTextContent('leituras');
  });
});

describe('the other pages', () => {
  it('leads from a missing article to the list', () => {
    show({ kind: 'missing' });
    expect(screen.getByRole('link', { name: 'Ver todos os artigos' })).toHaveAttribute('href', '/blog');
  });

  it.each([
    ['list', 'Erro ao carregar artigos', '/blog?page=2'],
    ['article', 'Erro ao carregar artigo', '/blog/um'],
  ] as const)('says that the %s could not be loaded, and offers to try again', (what, text, address) => {
    show({ kind: 'failed', what, address });
    expect(screen.getByRole('alert')).toHaveTextContent(text);
    expect(screen.getByRole('link', { name: 'Tentar novamente' })).toHaveAttribute('href', address);
  });

  it('shows the sitemap, and lets people download it', () => {
    show({ kind: 'sitemap', xml: '<urlset>&</urlset>', articleCount: 700, shownCount: 500 });
    expect(screen.getByRole('heading', { name: 'Mapa do site' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Baixar sitemap.xml' })).toHaveAttribute('href', '/sitemap.xml?download');
    expect(screen.getByRole('region', { name: 'Conteúdo do sitemap.xml' })).toHaveTextContent('<urlset>&</urlset>');
    expect(screen.getByText('O arquivo tem 700 artigos; aqui aparecem os 500 mais recentes.')).toBeInTheDocument();
  });

  it('says that there were too many visits', () => {
    show({ kind: 'too-many', address: '/blog' });
    expect(screen.getByRole('alert')).toHaveTextContent('Muitas tentativas. Aguarde um instante e tente novamente.');
  });
});

/** Words that do not compress better than Portuguese. */
function words(count: number): string {
  let seed = 7;
  const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const word = () => Array.from({ length: 3 + next(7) }, () => 'aeiourstlnmdcpgvãéçb'[next(20)]).join('');
  return Array.from({ length: count }, word).join(' ');
}

it('keeps the compressed markup of full pages below 25 kB', () => {
  const cards = Array.from({ length: articlesPerPage }, (_, index) =>
    card(index, { title: words(12), excerpt: words(28), tags: words(4).split(' ') }),
  );
  const paragraphs = Array.from({ length: 14 }, (_, index) => `<h2>${words(6)}</h2><p>${words(100 + index)}</p>`).join('');
  expect(gzipSync(showList(cards, { total: 500 })).length).toBeLessThan(22_000);
  expect(gzipSync(showArticle({ content: paragraphs }, cards.slice(0, 3))).length).toBeLessThan(22_000);
});
