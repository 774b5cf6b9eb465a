import {
  type BlogAutomationSettings,
  blogAutomationSettings,
  editorialAutomationTexts,
  isTimeOfDay,
  keywordProblem,
  slotCost,
  validateBlogAutomation,
  wizardTexts,
} from '@decola/contracts';
import { rowOf } from '@decola/database';
import { Clock, CONFIG, publicUrlProblem } from '@decola/service-kit';
import { denied, refusedFor } from '@decola/table-api';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AutomationsConfig } from '../config/config.js';
import { Slots } from '../entitlements/slots.service.js';
import { blogRefusals } from '../texts/texts.js';
import { type BlogScheduleRow, nextGeneration } from './blog-schedule.service.js';

export interface BlogAutomationRow extends BlogScheduleRow {
  id: string;
  user_id: string;
  theme: string | null;
  keyword: string;
  webhook_url: string | null;
  categories: string | null;
  next_generation_at: string | null;
  is_active: boolean;
  /** `editorial`: of the product's own blog, which uses no slots. */
  origin: 'customer' | 'editorial';
  settings: BlogAutomationSettings;
  last_due_at: Date | null;
  /** Grows with every change that blog is told of; `bigint`, as text. */
  revision: string;
}

const defaultKeyword = 'Marketing digital';
const cost = slotCost('blog-automation');
const scheduleColumns = ['schedule_type', 'schedule_time', 'schedule_day', 'schedule_days'];

/** What happens before and after a write of a blog automation, in the transaction of the request. */
@Injectable()
export class BlogAutomationHooks {
  constructor(
    private readonly slots: Slots,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: AutomationsConfig,
  ) {}

  /**
   * @param isEditor the caller edits the product's own blog: a row without a webhook belongs to it
   * @throws RestError P0001 with the sentence for the customer
   */
  async beforeInsert(manager: EntityManager, row: Partial<BlogAutomationRow>, isEditor: boolean): Promise<Partial<BlogAutomationRow>> {
    this.requirePublicWebhook(row.webhook_url);
    const isEditorial = isEditor && !row.webhook_url;
    const isActive = row.is_active ?? (isEditorial || this.isInOperation);
    const normalised = this.normalise({ schedule_type: 'weekly', schedule_time: '09:00', ...withValidSettings(row), is_active: isActive });
    if (isEditorial) requireEditorialKeyword(row.keyword);
    if (isActive) {
      requireComplete(normalised, isEditorial);
      if (!isEditorial) this.requireInOperation();
      if (!isEditorial && row.user_id !== undefined) await this.slots.requireFree(manager, row.user_id, cost);
    }
    return normalised;
  }

  async afterInsert(manager: EntityManager, row: BlogAutomationRow, isEditor: boolean): Promise<void> {
    const isEditorial = isEditor && !row.webhook_url;
    await manager.query(
      `update blog_automations set origin = $2, published_at = case when is_active then $3::timestamptz end where id = $1`,
      [row.id, isEditorial ? 'editorial' : 'customer', this.clock.now()],
    );
    if (row.is_active && !isEditorial) await this.slots.publishUsed(manager, row.user_id);
  }

  /**
   * @param isEditor the caller edits the product's own blog
   * @throws RestError P0001 with the sentence for the customer; 42501 for the own blog's automation of somebody who is no editor any more
   */
  async beforeUpdate(
    manager: EntityManager,
    before: BlogAutomationRow,
    patch: Partial<BlogAutomationRow>,
    isEditor: boolean,
  ): Promise<Partial<BlogAutomationRow>> {
    const isEditorial = before.origin === 'editorial';
    if (isEditorial && !isEditor && !isOnlySwitchedOff(patch))
      throw denied(false, 'only an administrator changes automations of our own blog');
    this.requirePublicWebhook(patch.webhook_url);
    const after = this.normalise({ ...before, ...withValidSettings(patch) });
    if (patch.keyword !== undefined) (isEditorial ? requireEditorialKeyword : requireKeyword)(patch.keyword);
    const changes = Object.fromEntries(Object.keys(patch).map((key) => [key, after[key as keyof BlogAutomationRow]]));
    const isSwitchedOn = after.is_active && !before.is_active;
    if (after.is_active) requireComplete(after, isEditorial);
    if (isSwitchedOn) await this.requireSlots(manager, before);
    // Clients may send `next_generation_at`, but the service computes it.
    const isRescheduled = isSwitchedOn || [...scheduleColumns, 'next_generation_at'].some((column) => column in patch);
    return isRescheduled ? { ...changes, next_generation_at: after.next_generation_at } : changes;
  }

  async afterUpdate(manager: EntityManager, before: BlogAutomationRow, after: BlogAutomationRow): Promise<void> {
    await manager.query(
      `update blog_automations set updated_at = clock_timestamp(), pause_cause = case when is_active then null else pause_cause end,
         pause_reason = case when is_active then null else pause_reason end,
         published_at = coalesce(published_at, case when is_active then $2::timestamptz end),
         problem_code = case when $3 then null else problem_code end, problem_reason = case when $3 then null else problem_reason end,
         problem_at = case when $3 then null else problem_at end
       where id = $1`,
      // A change may mend what kept the last article from being written, such as keywords that were used up.
      [after.id, this.clock.now(), after.revision !== before.revision],
    );
    if (before.is_active !== after.is_active) await this.slots.publishUsed(manager, after.user_id);
  }

  async afterDelete(manager: EntityManager, row: { user_id: string }): Promise<void> {
    await this.slots.publishUsed(manager, row.user_id);
  }

  /** The webhook is called from inside our own network, so it must not be an address of that network. */
  private requirePublicWebhook(url: string | null | undefined): void {
    if (!url?.trim()) return;
    const problem = publicUrlProblem(url, this.config.WEBHOOK_PLAIN_HOSTS);
    if (problem) throw refusedFor(blogRefusals.webhook[problem]);
  }

  private normalise(row: Partial<BlogAutomationRow>): Partial<BlogAutomationRow> {
    const theme = row.theme?.trim() || null;
    const keyword = row.keyword?.trim() || theme || defaultKeyword;
    const categories = row.categories?.trim() || null;
    if (row.schedule_time !== undefined && !isTimeOfDay(row.schedule_time)) throw refusedFor(editorialAutomationTexts.timeMissing);
    const next =
      row.schedule_type && row.schedule_time
        ? nextGeneration(
            {
              schedule_type: row.schedule_type,
              schedule_time: row.schedule_time,
              schedule_day: row.schedule_day ?? null,
              schedule_days: row.schedule_days ?? null,
            },
            this.clock.now(),
            row.last_due_at ?? null,
          )
        : null;
    return { ...row, theme, keyword, categories, next_generation_at: next?.toISOString() ?? null };
  }

  private async requireSlots(manager: EntityManager, { id, user_id: userId }: BlogAutomationRow): Promise<void> {
    const row = await rowOf<{ origin: string; published_at: Date | null }>(
      manager,
      `select origin, published_at from blog_automations where id = $1`,
      [id],
    );
    if (row?.origin === 'editorial') return;
    if (row?.published_at) await this.slots.requireRoomToSwitchOn(manager, userId, { id, cost });
    else {
      this.requireInOperation();
      await this.slots.requireFree(manager, userId, cost);
    }
  }

  private get isInOperation(): boolean {
    return this.config.TOOLS_IN_OPERATION.includes('blog-automation');
  }

  /** @throws RestError P0001 while no article is written: the automation would take slots and do nothing */
  private requireInOperation(): void {
    if (!this.isInOperation) throw refusedFor(wizardTexts.notInOperation);
  }
}

function requireKeyword(keyword: string | null | undefined): void {
  if (!keyword?.trim()) throw refusedFor(editorialAutomationTexts.keywordMissing);
}

/** Every keyword of the list must suit our own blog (the specification's rule). */
function requireEditorialKeyword(keywords: string | null | undefined): void {
  requireKeyword(keywords);
  for (const keyword of (keywords ?? '').split(',').map((each) => each.trim())) {
    const problem = keyword === '' ? null : keywordProblem(keyword);
    if (problem !== null) throw refusedFor(problem);
  }
}

/** @throws RestError P0001 that names the setting which is wrong */
function withValidSettings(row: Partial<BlogAutomationRow>): Partial<BlogAutomationRow> {
  if (row.settings === undefined) return row;
  const parsed = blogAutomationSettings.safeParse(row.settings);
  if (parsed.success) return { ...row, settings: parsed.data };
  throw refusedFor(blogRefusals.settings(String(parsed.error.issues[0]?.path[0] ?? '')));
}

/** Whoever lost the role may still switch their automations off. */
const isOnlySwitchedOff = (patch: Partial<BlogAutomationRow>): boolean =>
  patch.is_active === false && Object.keys(patch).every((column) => column === 'is_active');

/** Rows of the product's own blog have neither webhook nor theme; a customer's need both. */
function requireComplete(row: Partial<BlogAutomationRow>, isEditorial: boolean): void {
  if (!isEditorial) {
    const [problem] = validateBlogAutomation(row);
    if (problem) throw refusedFor(problem.message);
  } else if (row.schedule_type === 'weekly' && !row.schedule_days?.length) throw refusedFor(editorialAutomationTexts.weekdayMissing);
}
