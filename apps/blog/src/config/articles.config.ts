import { z } from 'zod';
import { jsonText } from './json-text.js';

const defaultAuthors = ['Equipe Decola', 'SEO Specialist'];

const names = jsonText.pipe(z.array(z.string().trim().min(1)).min(1));

/** What the reading side of the blog reads from its environment. */
export const articlesConfig = {
  BLOG_AUTHORS: names
    .default(defaultAuthors)
    .describe('authors whose articles the public blog shows, as a JSON array of names; articles that name none get the first'),
};
