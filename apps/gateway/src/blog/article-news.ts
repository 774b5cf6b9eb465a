import { articlePublished, articleUpdated, articleWithdrawn } from '@decola/contracts';
import { type Broadcast, subscribeToBroadcast } from '@decola/messaging';
import type { Logger } from '@decola/service-kit';
import type { GatewayConfig } from '../config/config.js';
import type { IndexNow } from './index-now.js';
import { everyList, type PageCache } from './page-cache.js';

/** Lets pages expire when their articles change, and tells search engines. An event that is lost costs at most the time for which a page is valid. */
export function followArticles({ RABBITMQ_URL }: GatewayConfig, cache: PageCache, indexNow: IndexNow, logger: Logger): Broadcast {
  return subscribeToBroadcast({
    url: RABBITMQ_URL,
    name: 'gateway articles',
    event: [articlePublished, articleUpdated, articleWithdrawn],
    onEvent: (news) => {
      const { articleId, slug, previousSlug } = news;
      cache.expire([everyList, articleId, slug, ...(previousSlug ? [previousSlug] : [])]);
      indexNow.tell(news);
    },
    // Events may have been missed until now.
    onSubscribed: () => cache.expireAll(),
    onLost: () => undefined,
    logger,
  });
}
