import { articleAddress, articleListAddress, readArticleListQuery, writeArticleListQuery } from './site-pages.js';

const read = (query: string) => readArticleListQuery(new URLSearchParams(query));

describe('the address of the list of articles', () => {
  it('asks for the first page of everything by default, whatever else is in it', () => {
    expect(read('utm_source=carta&page=zwei')).toEqual({ search: '', category: '', tag: '', page: 1 });
    expect(articleListAddress(read('page=1&search=+'))).toBe('/blog');
  });

  it('is written in one way, so that the same list has one address', () => {
    const query = read('page=2&tag=seo&search=%20a%20%20%C3%A7%26&categoria=Dados');
    expect(query).toEqual({ search: 'a ç&', category: 'Dados', tag: 'seo', page: 2 });
    expect(articleListAddress(query)).toBe('/blog?search=a+%C3%A7%26&categoria=Dados&tag=seo&page=2');
    expect(read(writeArticleListQuery(query))).toEqual(query);
  });

  it('cuts what is too long, without cutting a character in two', () => {
    expect(Array.from(read(`search=${encodeURIComponent('😀'.repeat(300))}`).search)).toHaveLength(100);
    expect(read('page=99999').page).toBe(10_000);
    expect(read('page=0').page).toBe(1);
    expect(read('page=-1').page).toBe(1);
  });

  it('of an article holds its slug, encoded', () => {
    expect(articleAddress('um-artigo')).toBe('/blog/um-artigo');
    expect(articleAddress('a/b?')).toBe('/blog/a%2Fb%3F');
  });
});
