/** Addresses of a sitemap, or of an index of sitemaps. */
export function entriesOfSitemap(xml: string): { isIndex: boolean; locations: string[] } {
  const locations = [...xml.matchAll(/<loc>\s*(?:<!\[CDATA\[)?\s*([^<\]\s]+)\s*(?:\]\]>)?\s*<\/loc>/g)]
    .map(([, location = '']) => location.replaceAll('&amp;', '&'))
    .filter((location) => URL.canParse(location));
  return { isIndex: /<sitemapindex[\s>]/.test(xml), locations };
}

/** A title for a page of which only the address is known. */
export function titleOfSlug(slug: string): string {
  const words = slug
    .replace(/\.\w+$/, '')
    .replace(/[-_]+/g, ' ')
    .trim();
  return words.charAt(0).toLocaleUpperCase('pt-BR') + words.slice(1);
}
