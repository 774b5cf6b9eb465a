import { type Database, rowsOf } from '@decola/database';
import slugify from '@sindresorhus/slugify';

/** In characters: about as many as search engines show of an address. */
const longestSlug = 75;
/** Slug of a title without any letter or digit of ours. */
const namelessSlug = 'artigo';
const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** In characters, of a slug that somebody chose. */
const longestChosenSlug = 200;

/** The slug of a title, cut between two words: `Automações & bots` → `automacoes-e-bots`. */
export function slugOf(title: string): string {
  const whole = slugify(title, { decamelize: false, customReplacements: [['&', ' e ']] });
  if (whole === '') return namelessSlug;
  if (whole.length <= longestSlug) return whole;
  const cut = whole.slice(0, longestSlug + 1);
  const end = cut.lastIndexOf('-');
  return end > 0 ? cut.slice(0, end) : whole.slice(0, longestSlug);
}

/** A slug that somebody chose, as it is when it is one, else made into one. */
export function chosenSlug(text: string): string {
  const trimmed = text.trim();
  return trimmed.length <= longestChosenSlug && slugPattern.test(trimmed) ? trimmed : slugOf(trimmed);
}

/**
 * The slug itself, or with the first number from 2 that makes it free. An address that led to another article before is not free: links to it are redirected.
 * Locks the slug until the transaction ends, so that two articles of the same title get two slugs.
 * @param articleId of the article that gets the slug, when it exists already
 */
export async function freeSlug(db: Database, slug: string, articleId: string | null = null): Promise<string> {
  await db.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`slug of an article: ${slug}`]);
  const taken = await rowsOf<{ slug: string }>(
    db,
    `select slug from blog_articles where (slug = $1 or slug like $1 || '-%') and id is distinct from $2::uuid
     union all select slug from article_slugs where (slug = $1 or slug like $1 || '-%') and article_id is distinct from $2::uuid`,
    [slug, articleId],
  );
  const names = new Set(taken.map((row) => row.slug));
  if (!names.has(slug)) return slug;
  for (let number = 2; ; number += 1) if (!names.has(`${slug}-${number}`)) return `${slug}-${number}`;
}
