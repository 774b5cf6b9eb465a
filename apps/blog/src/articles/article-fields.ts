import { countWords, readingMinutes } from '@decola/contracts';
import type { Row } from '@decola/table-api';
import { chosenSlug, slugOf } from './article-slug.js';
import { excerptOfText, textOfHtml } from './article-text.js';
import { cleanHtml } from './clean-html.js';

const isBlank = (value: unknown): boolean => value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Names by which readers filter the list, each written in one way. */
function tidyNames(row: Row): Row {
  const tidy: Row = {};
  if (typeof row['category'] === 'string') tidy['category'] = oneLine(row['category']) || null;
  if (Array.isArray(row['tags'])) {
    const tags = row['tags'].filter((tag) => typeof tag === 'string').map(oneLine);
    tidy['tags'] = [...new Set(tags.filter((tag) => tag !== ''))];
  }
  return tidy;
}

/** What follows from the text, unless the row says otherwise. */
function fromContent(row: Row, content: string): Row {
  const text = textOfHtml(content);
  const words = countWords(text);
  return {
    word_count: words,
    ...(isBlank(row['read_time']) ? { read_time: words === 0 ? null : readingMinutes(words) } : {}),
    ...(isBlank(row['excerpt']) ? { excerpt: excerptOfText(text) || null } : {}),
  };
}

/**
 * Completes a new article: its text without active content, whoever wrote it, person or model (pages render it as it is stored), and what can be told from
 * the text. `slug` is one to try when `isSlugChosen` is false: it may be taken.
 * @param defaultAuthor of an article without one
 */
export function completeArticle(row: Row, defaultAuthor: string): { row: Row; isSlugChosen: boolean } {
  const isSlugChosen = !isBlank(row['slug']);
  const content = cleanHtml(textOf(row['content']));
  return {
    row: {
      ...row,
      ...tidyNames(row),
      ...fromContent(row, content),
      content,
      slug: isSlugChosen ? chosenSlug(textOf(row['slug'])) : slugOf(textOf(row['title'])),
      author: isBlank(row['author']) ? defaultAuthor : row['author'],
    },
    isSlugChosen,
  };
}

/**
 * Completes a change of an article. A new text brings its own reading time, and its own excerpt while nobody has written one.
 * @param before the stored row
 */
export function completeChange(before: Row, patch: Row): Row {
  const changed: Row = { ...patch, ...tidyNames(patch) };
  delete changed['word_count'];
  if (!isBlank(patch['slug'])) changed['slug'] = chosenSlug(textOf(patch['slug']));
  const isRewritten = typeof patch['content'] === 'string';
  const losesExcerpt = 'excerpt' in patch && isBlank(patch['excerpt']);
  if (!isRewritten && !losesExcerpt) return changed;
  const content = isRewritten ? cleanHtml(textOf(patch['content'])) : textOf(before['content']);
  if (isRewritten) changed['content'] = content;
  const isExcerptOurs = isBlank(before['excerpt']) || before['excerpt'] === excerptOfText(textOfHtml(textOf(before['content'])));
  const derived = fromContent({ read_time: patch['read_time'], excerpt: patch['excerpt'] }, content);
  if (!isRewritten) return { ...changed, excerpt: derived['excerpt'] };
  // An excerpt that somebody wrote outlives a new text.
  if (!('excerpt' in patch) && !isExcerptOurs) delete derived['excerpt'];
  return { ...changed, ...derived };
}
