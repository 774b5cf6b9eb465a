import { z } from 'zod';
import type { SitePicture } from './site-answers.js';

/*
 * Pictures of the product's own articles. Each is stored in several sizes under names that follow from its content, so a name never gets another content and
 * everything about the sizes follows from one address: `<hash>-<width>.webp` in the widths below and in its own, and `<hash>-share.jpg`.
 */

/** Public bucket of storage/v1. */
export const blogImagesBucket = 'blog-images';
/** Public bucket with the covers of customers' articles, for their sites. */
export const articleImagesBucket = 'article-images';
const bucketPath = `/storage/v1/object/public/${blogImagesBucket}/`;

/** In pixels. A picture has those that are smaller than itself, and its own width. */
const smallerWidths = [480, 800] as const;

/** A larger picture is scaled down to fit into this, in pixels. */
export const largestArticlePicture = { width: 1200, height: 2400 } as const;

/** Size of the JPEG for link previews. */
export const sharePicture = { width: 1200, height: 630 } as const;

/** Widths in which a picture is stored, ascending. @param width its own */
export const widthsOf = (width: number): number[] => [...smallerWidths.filter((smaller) => smaller < width), width];

const hashPattern = '[0-9a-f]{32}';
const widthPattern = '[1-9]\\d{0,3}';
/** Names of the files in the bucket. */
export const pictureFilePattern = new RegExp(`^${hashPattern}-(?:${widthPattern}\\.webp|share\\.jpg)$`);
const addressPattern = new RegExp(`^${bucketPath}(${hashPattern})-(${widthPattern})\\.webp$`);

export const pictureFile = (hash: string, width: number): string => `${hash}-${width}.webp`;
export const shareFile = (hash: string): string => `${hash}-share.jpg`;

/** Address of a picture in one of its widths: a path of the site. */
export const pictureAddress = (hash: string, width: number): string => bucketPath + pictureFile(hash, width);

/** Reads the address of one of our pictures in its own width; null for every other address. */
export function pictureOf(address: string): { hash: string; width: number } | null {
  const [, hash, width] = addressPattern.exec(address) ?? [];
  return hash !== undefined && width !== undefined ? { hash, width: Number(width) } : null;
}

/** The attribute `srcset` for an address in the picture's own width; null when it is not ours or has one size only. */
export function srcsetOf(address: string): string | null {
  const picture = pictureOf(address);
  if (!picture) return null;
  const widths = widthsOf(picture.width);
  return widths.length > 1 ? widths.map((width) => `${pictureAddress(picture.hash, width)} ${width}w`).join(', ') : null;
}

/** Address of the JPEG for link previews; null for an address that is not ours. */
export function shareAddressOf(address: string): string | null {
  const picture = pictureOf(address);
  return picture && bucketPath + shareFile(picture.hash);
}

/** The column `image` of an article: facts of its `featured_image`. They hold only while `src` is that address, which can be replaced without them. */
export const articleImage = z.object({
  src: z.string(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  alt: z.string(),
  /** `drawn`: a pattern of ours; `generated`: by a model; `stored`: a picture that somebody chose. */
  origin: z.enum(['drawn', 'generated', 'stored']),
});
export type ArticleImage = z.infer<typeof articleImage>;

interface PicturedArticle {
  title: string;
  featured_image: string | null;
  image: unknown;
}

/** An article's picture for a page, and the address of its JPEG for link previews. A picture inside the row (`data:`) is too large for pages, so it is left out. */
export function sitePictureOf({ title, featured_image: src, image }: PicturedArticle): {
  picture: SitePicture | null;
  preview: string | null;
} {
  if (src === null || src === '' || /^data:/i.test(src)) return { picture: null, preview: null };
  const facts = articleImage.safeParse(image);
  const own = facts.success && facts.data.src === src ? facts.data : null;
  return {
    picture: { src, srcset: srcsetOf(src), width: own?.width ?? null, height: own?.height ?? null, alt: own?.alt ?? title },
    preview: shareAddressOf(src),
  };
}

/** Body of `generate-article-image`. */
export const generateArticleImageBody = z.object({ articleId: z.uuid(), title: z.string().max(2_000).optional() });
export type GenerateArticleImageBody = z.infer<typeof generateArticleImageBody>;
export type GenerateArticleImageAnswer = { success: true; imageUrl: string } | { success: false; error: string };

/** A picture that stays as it was, and why. */
export interface PictureLeft {
  articleId: string;
  title: string;
  /** The last part of the picture's address, or what stands for a picture inside the text. */
  name: string;
  /** A sentence for the administrator. */
  reason: string;
}

/** Answer of `migrate-blog-images`. `total` counts the pictures that had to be migrated; those beyond `migrated` and `errors` wait for the next call. */
export type MigrateBlogImagesAnswer =
  | {
      success: true;
      migrated: number;
      errors: number;
      total: number;
      /** The pictures that could not be had, at most 100. */
      left: PictureLeft[];
    }
  | { success: false; error: string };
