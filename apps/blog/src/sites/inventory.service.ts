import { randomUUID } from 'node:crypto';
import { pluginInventoryAnswer } from '@decola/contracts';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { z } from 'zod';
import { type SiteRow, SiteTurns } from './site-turns.service.js';
import { messageId } from '../signatures/message-id.js';
import { sign } from '../signatures/sign.js';
import { SigningTokensService } from '../tokens/signing-tokens.service.js';
import { audienceOf, siteAddressOf } from './doors.js';
import { SiteCalls } from './site-calls.service.js';
import { entriesOfSitemap, titleOfSlug } from './sitemap.js';

const dayMs = 24 * 60 * 60 * 1000;
const weekMs = 7 * dayMs;
const most = 500;
const perPage = 100;
const longestText = 300;

/** A page of a customer's site that articles may link to, and must not repeat. */
export interface InventoryEntry {
  slug: string;
  title: string;
  link: string;
}

/** Posts as WordPress lists them for everybody. */
const publicPosts = z.array(z.looseObject({ slug: z.string(), link: z.string(), title: z.looseObject({ rendered: z.string() }) }));

/** Lists what a site has published, once a week: by our plugin, else by WordPress's own list, else by the sitemap. */
@Injectable()
export class Inventory {
  constructor(
    private readonly dataSource: DataSource,
    private readonly turns: SiteTurns,
    private readonly calls: SiteCalls,
    private readonly tokens: SigningTokensService,
    private readonly clock: Clock,
  ) {}

  async refresh(site: SiteRow): Promise<void> {
    const found = (await this.byPlugin(site)) ?? (await this.byWordPress(site)) ?? (await this.bySitemap(site));
    await this.turns.store(site, (manager) => this.store(manager, site, found));
  }

  /** Keeps what a site has published, and when it is asked again. @param found null: it did not say */
  async store(manager: EntityManager, site: SiteRow, found: readonly InventoryEntry[] | null): Promise<void> {
    const entries = found && usable(found, site);
    const now = this.clock.now();
    await manager.query('update sites set inventory = coalesce($2, inventory), inventory_due_at = $3 where id = $1', [
      ...[site.id, entries ? JSON.stringify(entries) : null, new Date(now.getTime() + (entries ? weekMs : dayMs))],
    ]);
  }

  private async byPlugin({ user_id, door, kind }: SiteRow): Promise<InventoryEntry[] | null> {
    const tokens = kind === 'plugin' ? await this.tokens.of(this.dataSource.manager, user_id) : null;
    if (!tokens || door === null) return null;
    const at = this.clock.now();
    const body = JSON.stringify({ type: 'site.inventory', timestamp: at.toISOString(), data: { host: audienceOf(door) } });
    const signing = tokens.previous === null ? [tokens.current] : [tokens.current, tokens.previous];
    const { judgement } = await this.calls.post(door, sign({ id: messageId('site.inventory', randomUUID()), body, at }, signing));
    return judgement.ok ? (pluginInventoryAnswer.safeParse(judgement.json).data?.posts ?? null) : null;
  }

  private async byWordPress(site: SiteRow): Promise<InventoryEntry[] | null> {
    const entries: InventoryEntry[] = [];
    for (let page = 1; entries.length < most; page++) {
      const address = new URL(baseOf(site));
      address.searchParams.set('rest_route', '/wp/v2/posts');
      address.searchParams.set('_fields', 'slug,title,link');
      address.searchParams.set('per_page', String(perPage));
      address.searchParams.set('page', String(page));
      const reply = await this.calls.get(address.href, 'application/json');
      const posts = 'body' in reply && reply.status === 200 ? publicPosts.safeParse(jsonOf(reply.body)) : null;
      // A page after the last one is refused.
      if (!posts?.success) return page === 1 ? null : entries;
      entries.push(...posts.data.map(({ slug, link, title }) => ({ slug, link, title: title.rendered })));
      if (posts.data.length < perPage) break;
    }
    return entries;
  }

  private async bySitemap(site: SiteRow): Promise<InventoryEntry[] | null> {
    const root = new URL(baseOf(site));
    for (const name of ['wp-sitemap-posts-post-1.xml', 'sitemap.xml', 'wp-sitemap.xml']) {
      const links = await this.linksOf(new URL(name, root).href, 1);
      if (links.length > 0) return links.map((link) => ({ link, slug: slugOf(link), title: titleOfSlug(slugOf(link)) }));
    }
    return null;
  }

  /** @param depth how many lists of lists are followed */
  private async linksOf(address: string, depth: number): Promise<string[]> {
    const reply = await this.calls.get(address, 'application/xml');
    if (!('body' in reply) || reply.status !== 200) return [];
    const { isIndex, locations } = entriesOfSitemap(reply.body);
    if (!isIndex) return locations.slice(0, most);
    const links: string[] = [];
    for (const location of depth > 0 ? locations.slice(0, 5) : []) links.push(...(await this.linksOf(location, depth - 1)));
    return links.slice(0, most);
  }
}

const baseOf = ({ door, kind, origin_url }: SiteRow): string =>
  kind === 'plugin' && door !== null ? siteAddressOf(door) : `${new URL(origin_url.trim()).origin}/`;

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const slugOf = (link: string): string => decodeURIComponentSafely(new URL(link).pathname.split('/').filter(Boolean).at(-1) ?? '');

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Entries of the site itself, in plain text: an article links nowhere else. */
function usable(entries: readonly InventoryEntry[], site: SiteRow): InventoryEntry[] {
  const host = audienceOf(site.door ?? site.origin_url);
  const plain = (text: string) =>
    text
      .replace(/<[^>]*>/g, '')
      .replaceAll('\0', '')
      .slice(0, longestText)
      .toWellFormed();
  return entries
    .filter(
      ({ link }) => URL.canParse(link) && /^https?:$/.test(new URL(link).protocol) && audienceOf(link) === host && link.length <= 2_000,
    )
    .slice(0, most)
    .map(({ slug, title, link }) => ({ slug: plain(slug), title: plain(title), link }));
}
