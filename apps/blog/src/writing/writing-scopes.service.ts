import { type ArticleAudience, siteKeyOf } from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';
import { CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { hostOf } from '../articles/link-policy.js';
import type { BlogConfig } from '../config/config.js';
import { fallbackCategory } from '../texts/customer-texts.js';
import { editorialScope, type TopicScope } from '../topics/topic-memory.service.js';
import { type AutomationCopy, findAutomation } from '../blog-automations/automation-copy.js';
import { type ComparedArticle, EarlierArticles } from './earlier-articles.service.js';
import { findRun, type RunRow } from '../runs/run-row.js';

/** The automation of a customer's article, or its site, is not known any more: nobody could receive the article. */
export class AutomationGoneError extends Error {
  override readonly name = 'AutomationGoneError';
}

/** A page of the site that shows the article. */
export interface SitePage {
  title: string;
  /** A path of our own site, or an https address. */
  href: string;
}

/** For whom an article is written: everything in which our own blog and the sites of customers differ while one is made. */
export interface WritingScope {
  audience: ArticleAudience;
  topics: TopicScope;
  /** Undefined for an article of our own blog that a person asked for. */
  automation: AutomationCopy | undefined;
  /** What the blog is about, for the model. */
  about: string;
  /** The article's category is one of these. */
  categories: readonly string[];
  /** False: the only category stands in for those of the site, which nobody knows. */
  hasCategories: boolean;
  /** Origin of the customer's site; null for our own. */
  site: string | null;
  /** Pages that an article can link to and may not repeat. */
  pages(): Promise<SitePage[]>;
  /** Titles that a topic may not repeat, besides those of pages and topics. */
  titles(): Promise<{ title: string }[]>;
  /** Articles that may not be repeated word for word. */
  compared(): Promise<ComparedArticle[]>;
}

/** What the model is told of the blog that it writes for. */
export function describeBlog({ about, automation }: Pick<WritingScope, 'about' | 'automation'>) {
  const { tone, brief } = automation?.settings ?? {};
  return { about, ...(tone ? { tone } : {}), ...(brief ? { brief } : {}) };
}

/** `sites.inventory`: what a customer's site says that it has. Entries that are no such thing are left out. */
const inventoryEntry = z.object({ title: z.string().trim().min(1).max(500), link: z.url({ protocol: /^https$/ }).max(2_000) });
const inventory = z
  .array(z.unknown())
  .catch([])
  .transform((entries) => entries.flatMap((entry) => inventoryEntry.safeParse(entry).data ?? []));
const mostPages = 500;

/** `sites.capabilities`, as far as the writing of articles needs it. */
const siteCapabilities = z.object({ categories: z.array(z.string()).catch([]) }).catch({ categories: [] });

interface SiteRow {
  inventory: unknown;
  capabilities: unknown;
}

/** The automation whose article a run writes, also one that was written before. */
export async function findAutomationOfRun(
  db: Database,
  { blog_automation_id: own, refreshes_run_id: of }: Pick<RunRow, 'blog_automation_id' | 'refreshes_run_id'>,
): Promise<AutomationCopy | undefined> {
  const id = own ?? (of && (await findRun(db, of))?.blog_automation_id);
  return id ? findAutomation(db, id) : undefined;
}

/** Finds out for whom an article is written. */
@Injectable()
export class WritingScopes {
  constructor(
    private readonly dataSource: DataSource,
    private readonly earlier: EarlierArticles,
    @Inject(CONFIG) private readonly config: BlogConfig,
  ) {}

  /** @throws AutomationGoneError */
  async ofRun(run: Pick<RunRow, 'id' | 'origin' | 'blog_automation_id' | 'refreshes_run_id'>): Promise<WritingScope> {
    const automation = await findAutomationOfRun(this.dataSource, run);
    if (run.origin === 'editorial') return this.editorial(automation);
    if (!automation) throw new AutomationGoneError(`run ${run.id} has no automation any more`);
    // An article that is written anew may repeat itself.
    return this.ofCustomer(automation, run.refreshes_run_id ?? run.id);
  }

  /** @param runId whose own article is nothing to compare with; null for none. @throws AutomationGoneError */
  async ofCustomer(automation: AutomationCopy, runId: string | null = null): Promise<WritingScope> {
    const siteKey = siteKeyOf(automation.webhookUrl ?? '');
    if (siteKey === null) throw new AutomationGoneError(`automation ${automation.id} names no site`);
    const topics: TopicScope = { userId: automation.userId, siteKey };
    const site = await rowOf<SiteRow>(
      this.dataSource.manager,
      'select inventory, capabilities from sites where user_id = $1 and site_key = $2',
      [automation.userId, siteKey],
    );
    const host = siteKey.replace(/:\d+$/, '');
    const pages = inventory
      .parse(site?.inventory ?? [])
      .filter(({ link }) => hostOf(link) === host)
      .slice(0, mostPages)
      .map(({ title, link }) => ({ title, href: link }));
    const known = categoriesOf(automation, site?.capabilities);
    return {
      ...{ audience: 'customer', topics, automation, about: automation.theme ?? automation.keyword },
      ...{ categories: known.length > 0 ? known : [fallbackCategory], hasCategories: known.length > 0 },
      site: `https://${siteKey}`,
      pages: () => Promise.resolve(pages),
      titles: () => this.earlier.titlesOfCustomer(topics, runId),
      compared: () => this.earlier.ofCustomer(topics, runId),
    };
  }

  private editorial(automation: AutomationCopy | undefined): WritingScope {
    return {
      ...{ audience: 'editorial', topics: editorialScope, automation, about: automation?.theme ?? 'Marketing digital' },
      ...{ categories: this.config.BLOG_CATEGORIES, hasCategories: true, site: null },
      pages: async () => (await this.earlier.published()).map(({ title, slug }) => ({ title, href: `/blog/${slug}` })),
      titles: () => Promise.resolve([]),
      compared: () => this.earlier.ofOwnBlog(),
    };
  }
}

/** Those that the customer chose, else all of the site. */
function categoriesOf({ categories }: AutomationCopy, capabilities: unknown): string[] {
  const chosen = (categories ?? '').split(',');
  const names = (list: readonly string[]) => [...new Set(list.map((name) => name.trim()).filter((name) => name !== ''))];
  const own = names(chosen);
  return own.length > 0 ? own : names(siteCapabilities.parse(capabilities ?? {}).categories);
}
