import { configuration } from '../lib/configuration';

/** The author as pages name them. An administrator's identity may be a mail address, which is not for everybody's eyes: the product's name stands for it. */
export const authorName = (author: string): string => (author.includes('@') ? configuration().productName : author);
