import { slotCost, slotsRefusal, timeOfDay, validateBlogAutomation } from '@decola/contracts';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Announcer } from '../automations/announcer.js';
import { refusal } from '../automations/automation-rules.js';
import { lockEntitlement, slotHolders, slotsOn, usedSlots } from '../entitlements/entitlements.js';
import { rowOf } from '../rows.js';
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
  origin: 'customer' | 'editorial';
}

const generalTheme = 'Marketing digital';
const cost = slotCost('blog-automation');

/** @throws RestError P0001 with the sentence for the person. */
function requireKeyword(keyword: string | null | undefined): void {
  if (!keyword?.trim()) throw refusal('Palavra-chave é obrigatória para criar automação');
}

/** What happens around a write of a blog automation, all in the transaction of the request. */
@Injectable()
export class BlogRules {
  constructor(
    private readonly announcer: Announcer,
    private readonly clock: Clock,
  ) {}

  /**
   * The wizard sends a webhook; the panel of the product's own blog sends none.
   * @throws RestError P0001 with the sentence for the person.
   */
  async beforeInsert(manager: EntityManager, row: Partial<BlogAutomationRow>, isEditor: boolean): Promise<Partial<BlogAutomationRow>> {
    const isActive = row.is_active ?? true;
    const isEditorial = isEditor && !row.webhook_url;
    const settled = this.settle({ schedule_type: 'weekly', schedule_time: '09:00', ...row, is_active: isActive });
    if (isEditorial) requireKeyword(row.keyword);
    if (isActive) {
      this.requireReady(settled, isEditorial);
      if (!isEditorial && row.user_id !== undefined) await this.requireSlots(manager, row.user_id);
    }
    return settled;
  }

  async afterInsert(manager: EntityManager, row: BlogAutomationRow, isEditor: boolean): Promise<void> {
    const isEditorial = isEditor && !row.webhook_url;
    await manager.query(
      `update blog_automations set origin = $2, published_at = case when is_active then $3::timestamptz end where id = $1`,
      [row.id, isEditorial ? 'editorial' : 'customer', this.clock.now()],
    );
    if (row.is_active && !isEditorial) await this.announceSlots(manager, row.user_id);
  }

  /** @throws RestError P0001 with the sentence for the person. */
  async beforeUpdate(
    manager: EntityManager,
    before: BlogAutomationRow,
    patch: Partial<BlogAutomationRow>,
  ): Promise<Partial<BlogAutomationRow>> {
    const after = this.settle({ ...before, ...patch });
    if (patch.keyword !== undefined) requireKeyword(patch.keyword);
    const changes = Object.fromEntries(Object.keys(patch).map((key) => [key, after[key as keyof BlogAutomationRow]]));
    const isSwitchedOn = after.is_active && !before.is_active;
    if (after.is_active) this.requireReady(after, before.origin === 'editorial');
    if (isSwitchedOn) await this.requireRoom(manager, before);
    const touchesSchedule = ['schedule_type', 'schedule_time', 'schedule_day', 'schedule_days'].some((key) => key in patch);
    // The server's own arithmetic decides when the next article is due.
    return touchesSchedule || isSwitchedOn || 'next_generation_at' in patch
      ? { ...changes, next_generation_at: after.next_generation_at }
      : changes;
  }

  async afterUpdate(manager: EntityManager, before: BlogAutomationRow, after: BlogAutomationRow): Promise<void> {
    await manager.query(
      `update blog_automations set updated_at = clock_timestamp(), pause_cause = case when is_active then null else pause_cause end,
         pause_reason = case when is_active then null else pause_reason end,
         published_at = coalesce(published_at, case when is_active then $2::timestamptz end)
       where id = $1`,
      [after.id, this.clock.now()],
    );
    if (before.is_active !== after.is_active) await this.announceSlots(manager, after.user_id);
  }

  async afterDelete(manager: EntityManager, row: { user_id: string }): Promise<void> {
    await this.announceSlots(manager, row.user_id);
  }

  private settle(row: Partial<BlogAutomationRow>): Partial<BlogAutomationRow> {
    const theme = row.theme?.trim() || null;
    const keyword = row.keyword?.trim() || theme || generalTheme;
    const categories = row.categories?.trim() || null;
    if (row.schedule_time !== undefined && !timeOfDay.safeParse(row.schedule_time).success) throw refusal('Horário é obrigatório');
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
          )
        : null;
    return { ...row, theme, keyword, categories, next_generation_at: next?.toISOString() ?? null };
  }

  private requireReady(row: Partial<BlogAutomationRow>, isEditorial: boolean): void {
    // Rows of the product's own blog, from the panel, have no webhook and no theme; a customer's have both.
    const [problem] = !isEditorial
      ? validateBlogAutomation(row)
      : row.schedule_type === 'weekly' && !row.schedule_days?.length
        ? [{ message: 'Selecione pelo menos um dia da semana' }]
        : [];
    if (problem) throw refusal(problem.message);
  }

  private async requireSlots(manager: EntityManager, userId: string): Promise<void> {
    const { maxSlots } = await lockEntitlement(manager, userId);
    const available = maxSlots - (await usedSlots(manager, userId));
    if (available < cost) throw refusal(slotsRefusal(cost, Math.max(0, available)));
  }

  private async requireRoom(manager: EntityManager, row: BlogAutomationRow): Promise<void> {
    const hidden = await rowOf<{ origin: string; published_at: Date | null }>(
      manager,
      `select origin, published_at from blog_automations where id = $1`,
      [row.id],
    );
    if (hidden?.origin === 'editorial') return;
    if (!hidden?.published_at) {
      await this.requireSlots(manager, row.user_id);
      return;
    }
    const { maxSlots } = await lockEntitlement(manager, row.user_id);
    const available = maxSlots - slotsOn((await slotHolders(manager, row.user_id)).filter(({ id }) => id !== row.id));
    if (available < cost) throw refusal(slotsRefusal(cost, Math.max(0, available)));
  }

  private async announceSlots(manager: EntityManager, userId: string): Promise<void> {
    await lockEntitlement(manager, userId);
    await this.announcer.slots(manager, userId);
  }
}
