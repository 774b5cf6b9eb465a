import type { CustomerArticle, DeliveryState } from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';

/** What the steps of an attempt brought. A step that is here is not made again for the same revision. */
export interface DeliverySteps {
  /** The draft is on the site. */
  prepared?: true;
  media?: { done?: true; failures?: number };
}

export interface DeliveryRow {
  id: string;
  user_id: string;
  blog_automation_id: string | null;
  article_id: string;
  site_id: string;
  revision: number;
  state: DeliveryState;
  operation: 'deliver' | 'withdraw';
  code: string | null;
  attempt: number;
  refusals: number;
  round: number;
  is_forced: boolean;
  steps: DeliverySteps;
  delivered_revision: number | null;
  content_hash: string | null;
  post_id: string | null;
  public_url: string | null;
  published_at: Date | null;
  looks: number;
  seen_at: Date | null;
}

const deliveryColumns = [
  ...['id', 'user_id', 'blog_automation_id', 'article_id', 'site_id', 'revision', 'state', 'operation', 'code', 'attempt', 'refusals'],
  ...['round', 'is_forced', 'steps', 'delivered_revision', 'content_hash', 'post_id', 'public_url', 'published_at', 'looks', 'seen_at'],
].join(', ');

/** A customer's article, as far as it is sent. */
export interface SentArticle extends Pick<
  CustomerArticle,
  'id' | 'revision' | 'title' | 'slug' | 'content_html' | 'excerpt' | 'category' | 'tags' | 'image' | 'publish_mode'
> {
  meta: Partial<CustomerArticle['meta']>;
  /** When it was due; null when it was asked for by hand. */
  occurrence_at: Date | null;
}

export const findDelivery = (db: Database, id: string): Promise<DeliveryRow | undefined> =>
  rowOf<DeliveryRow>(db, `select ${deliveryColumns} from deliveries where id = $1`, [id]);

export const findSentArticle = (db: Database, id: string): Promise<SentArticle | undefined> =>
  rowOf<SentArticle>(
    db,
    `select a.id, a.revision, a.title, a.slug, a.content_html, a.excerpt, a.category, a.tags, a.meta, a.image, a.publish_mode, r.occurrence_at
     from customer_articles a left join article_runs r on r.id = a.run_id where a.id = $1`,
    [id],
  );
