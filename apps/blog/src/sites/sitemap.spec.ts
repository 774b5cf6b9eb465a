import { entriesOfSitemap, titleOfSlug } from './sitemap.js';

describe('a sitemap', () => {
  it('lists addresses', () => {
    const xml =
      '<?xml version="1.0"?><urlset><url><loc>https://loja.com.br/a/</loc></url><url><loc> https://loja.com.br/?p=1&amp;x=2 </loc></url><url><loc>nada</loc></url></urlset>';
    expect(entriesOfSitemap(xml)).toEqual({ isIndex: false, locations: ['https://loja.com.br/a/', 'https://loja.com.br/?p=1&x=2'] });
  });
  it('may be an index of others', () =>
    expect(
      entriesOfSitemap('<sitemapindex xmlns="x"><sitemap><loc><![CDATA[https://loja.com.br/s-1.xml]]></loc></sitemap></sitemapindex>'),
    ).toEqual({
      isIndex: true,
      locations: ['https://loja.com.br/s-1.xml'],
    }));
  it('gives titles by addresses', () => expect(titleOfSlug('como-vender_mais.html')).toBe('Como vender mais'));
});
