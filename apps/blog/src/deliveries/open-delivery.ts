import { productTimeZone } from '@decola/contracts';
import { type Database, rowOf, rowsOf } from '@decola/database';
import { TZDate } from '@date-fns/tz';
import { limitTexts } from '../texts/delivery-texts.js';
import { dateInBrasilia, startOfDayInBrasilia, timeInBrasilia } from '../calendar/brasilia.js';

/** Hour in Brasília at which an article is sent that a site's daily number held back. */
const heldUntilHour = 9;

export interface NewDelivery {
  articleId: string;
  userId: string;
  blogAutomationId: string | null;
  siteKey: string;
  /** As the customer typed it. */
  webhookUrl: string;
  at: Date;
  /** `ARTICLES_PER_SITE_PER_DAY`. */
  perDay: number;
}

/**
 * Opens the delivery of an article, once, in the transaction of its approval. Over the site's daily number it waits for the first day with room.
 * @returns its id
 */
export async function openDelivery(
  db: Database,
  { articleId, userId, blogAutomationId, siteKey, webhookUrl, at, perDay }: NewDelivery,
): Promise<string> {
  const address = webhookUrl.trim();
  // The row is locked either way: deliveries to one site are counted one after another. A new address is tried anew.
  const site = await rowOf<{ id: string }>(
    db,
    `insert into sites (user_id, site_key, origin_url, host, created_at, updated_at) values ($1, $2, $3, $2, $4, $4)
     on conflict on constraint sites_once do update set origin_url = excluded.origin_url,
       door = case when sites.origin_url = excluded.origin_url then sites.door end
     returning id`,
    [userId, siteKey, address, at],
  );
  const siteId = site!.id;
  const existing = await rowOf<{ id: string }>(db, 'select id from deliveries where article_id = $1 and site_id = $2', [articleId, siteId]);
  if (existing) return existing.id;
  const { day, from, isHeld, today } = await firstDayWithRoom(db, siteId, at, perDay);
  const reason = isHeld ? heldReason(today, at, from) : null;
  const made = await rowOf<{ id: string }>(
    db,
    `insert into deliveries (user_id, blog_automation_id, article_id, site_id, revision, code, reason, next_attempt_at, counted_on, created_at, updated_at)
     values ($1, $2, $3, $4, coalesce((select revision from customer_articles where id = $3), 1), $5, $6, $7, $8, $9, $9) returning id`,
    [userId, blogAutomationId, articleId, siteId, isHeld ? 'site_limit' : null, reason, from, day, at],
  );
  return made!.id;
}

/** Sends the present revision of an article to the sites that have it, or are to have it. What was withdrawn stays withdrawn. */
export async function redeliver(db: Database, articleId: string, at: Date): Promise<void> {
  await db.query(
    `update deliveries d set revision = a.revision, state = 'pending', operation = 'deliver', attempt = 0, refusals = 0, steps = '{}',
       next_attempt_at = case when d.code = 'site_limit' then d.next_attempt_at else $2 end,
       code = case when d.code = 'site_limit' then d.code end, reason = case when d.code = 'site_limit' then d.reason end,
       look_at = null, updated_at = $2
     from customer_articles a where a.id = d.article_id and d.article_id = $1 and d.state not in ('withdrawn', 'gone')
       and d.operation = 'deliver' and a.revision > d.revision`,
    [articleId, at],
  );
}

async function firstDayWithRoom(db: Database, siteId: string, at: Date, perDay: number) {
  const start = startOfDayInBrasilia(at);
  const counts = await rowsOf<{ day: string; count: number }>(
    db,
    `select counted_on::text as day, count(*)::int as count from deliveries where site_id = $1 and counted_on >= $2 group by 1`,
    [siteId, localDate(start)],
  );
  const countOf = (day: string) => counts.find((each) => each.day === day)?.count ?? 0;
  const today = countOf(localDate(start));
  for (let ahead = 0; ; ahead++) {
    const day = localDate(laterDay(at, ahead, 0));
    if (countOf(day) < perDay) return { day, from: ahead === 0 ? at : laterDay(at, ahead, heldUntilHour), isHeld: ahead > 0, today };
  }
}

function heldReason(count: number, at: Date, from: Date): string {
  const isTomorrow = localDate(from) === localDate(laterDay(at, 1, 0));
  return isTomorrow
    ? limitTexts.tomorrow(count, timeInBrasilia(from))
    : limitTexts.later(count, dateInBrasilia(from), timeInBrasilia(from));
}

function laterDay(at: Date, days: number, hour: number): Date {
  const local = new TZDate(at.getTime(), productTimeZone);
  return new Date(new TZDate(local.getFullYear(), local.getMonth(), local.getDate() + days, hour, productTimeZone).getTime());
}

/** `2026-12-31` in Brasília. */
function localDate(at: Date): string {
  const local = new TZDate(at.getTime(), productTimeZone);
  return [local.getFullYear(), local.getMonth() + 1, local.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}
