import { createHash } from 'node:crypto';
import { articleImagesBucket, blogImagesBucket, shareAddressOf } from '@decola/contracts';
import type { DeliveryRow, SentArticle } from './delivery-row.js';

/** Usual limit of firewalls is 128 KiB. */
export const maxBodyBytes = 100_000;

/** What a message is about; `data` follows from the same facts for every try, so that a repeat is recognised. */
export interface Message {
  type: string;
  data: Record<string, unknown>;
}

const html = (text: string) => Buffer.from(text, 'utf8').toString('base64');

/** The picture that is sent: the JPEG, which every WordPress can scale. */
export function sentPicture({ image }: SentArticle, siteUrl: string): { url: string; alt: string } | null {
  const address = image ? shareAddressOf(image.src) : null;
  if (!image || !address) return null;
  return { url: new URL(address.replace(`/${blogImagesBucket}/`, `/${articleImagesBucket}/`), siteUrl).href, alt: image.alt };
}

/** The post as a draft. */
export function prepareMessage(host: string, article: SentArticle, { is_forced: force }: DeliveryRow): Message {
  return {
    type: 'article.prepare',
    data: {
      ...{ host, article_id: article.id, revision: article.revision, title: article.title, slug: article.slug, excerpt: article.excerpt },
      // Firewalls take HTML in JSON for an attack.
      content_base64: html(article.content_html),
      ...{ category: article.category, tags: article.tags, meta_title: article.meta.metaTitle ?? null },
      ...{ meta_description: article.meta.metaDescription ?? null, focus_keyword: article.meta.focusKeyword ?? null },
      ...(force ? { force: true } : {}),
    },
  };
}

/** @param picture its address is left out when the bytes come along */
export function mediaMessage(
  host: string,
  article: SentArticle,
  { is_forced: force }: DeliveryRow,
  { url, alt, bytes }: { url: string | null; alt: string; bytes: Buffer },
): Message {
  return {
    type: 'article.media',
    data: {
      ...{ host, article_id: article.id, revision: article.revision },
      ...(url === null ? {} : { download_url: url }),
      ...{ sha256: createHash('sha256').update(bytes).digest('hex'), alt: alt === '' ? article.title : alt, mime: 'image/jpeg' },
      ...(force ? { force: true } : {}),
    },
  };
}

export function publishMessage(host: string, article: SentArticle, { is_forced: force }: DeliveryRow, isImageMissing: boolean): Message {
  return {
    type: 'article.publish',
    data: {
      ...{ host, article_id: article.id, revision: article.revision, status: article.publish_mode },
      ...(isImageMissing ? { image_missing: true, has_image: false } : {}),
      ...(force ? { force: true } : {}),
    },
  };
}

export const withdrawMessage = (host: string, articleId: string): Message => ({
  type: 'article.withdraw',
  data: { host, article_id: articleId },
});

/** One event for receivers that are not our plugin. */
export function articleMessage(host: string, article: SentArticle, delivery: DeliveryRow, siteUrl: string): Message {
  return {
    type: delivery.delivered_revision === null ? 'article.published' : 'article.updated',
    data: {
      ...{
        host,
        article_id: article.id,
        revision: article.revision,
        status: article.publish_mode,
        title: article.title,
        slug: article.slug,
      },
      ...{ excerpt: article.excerpt, content_html: article.content_html, category: article.category, tags: article.tags },
      ...{ meta_title: article.meta.metaTitle ?? null, meta_description: article.meta.metaDescription ?? null },
      ...{ image: sentPicture(article, siteUrl), site: host },
    },
  };
}

export const withdrawnMessage = (host: string, articleId: string): Message => ({
  type: 'article.withdrawn',
  data: { host, article_id: articleId, site: host },
});
