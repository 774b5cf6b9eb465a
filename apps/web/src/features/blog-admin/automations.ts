import { type BlogAutomationSettings, type EditorialAutomationRow, nextScheduleOccurrence } from '@decola/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { client, requireChangedRow, unwrap } from '../../lib/api-client';
import { blogAutomationsKey, blogAutomationsOf } from '../../lib/blog-automations';
import { livePolling } from '../../lib/live-state';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { automationTexts as texts } from './texts';

/** A row of `blog_automations` of our own blog. */
export interface BlogAutomation extends EditorialAutomationRow {
  id: string;
  origin: 'editorial' | 'customer';
  next_generation_at: string | null;
  last_generated_at: string | null;
  is_active: boolean;
  pause_reason: string | null;
  /** How its articles are written; null: as usual. */
  settings?: BlogAutomationSettings | null;
  /** Why the last due article was not written. */
  problem_reason?: string | null;
  created_at: string;
}

const slowPollMs = 15_000;

/** The administrator's automations of our own blog, newest first. */
export const automationsQuery = (userId: string) =>
  queryOptions({
    ...blogAutomationsOf<BlogAutomation>(userId),
    // An administrator may also have automations for a site of their own, as a customer has.
    select: (rows) => rows.filter(({ origin }) => origin === 'editorial'),
    refetchInterval: () => livePolling(slowPollMs),
  });

/** `HH:MM` of a time that the database may have returned with seconds. */
export const timeOf = ({ schedule_time: time }: Pick<BlogAutomation, 'schedule_time'>): string => time.slice(0, 5);

/** When an automation's next article is due after an instant; null when it has no day. */
export function nextAfter(row: EditorialAutomationRow, after: Date): Date | null {
  return nextScheduleOccurrence(
    { type: row.schedule_type, time: row.schedule_time, days: row.schedule_days, dayOfMonth: row.schedule_day },
    after,
  );
}

/** "toda segunda, 09:00" */
export function scheduleSentence(row: EditorialAutomationRow): string {
  const time = timeOf(row);
  if (row.schedule_type === 'daily') return texts.schedule.daily(time);
  return row.schedule_type === 'weekly'
    ? texts.schedule.weekly(row.schedule_days ?? [], time)
    : texts.schedule.monthly(row.schedule_day ?? 1, time);
}

/** Creates an automation. @throws ApiError */
export function useCreateAutomation(userId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ row, settings }: { row: EditorialAutomationRow; settings: BlogAutomationSettings }) => {
      const next = nextAfter(row, new Date());
      unwrap(
        await client()
          .from('blog_automations')
          .insert({
            user_id: userId,
            ...row,
            next_generation_at: next?.toISOString() ?? null,
            ...(Object.keys(settings).length > 0 && { settings }),
          })
          .select('id'),
      );
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey: blogAutomationsKey(userId) }),
  });
}

/** Switches an automation on or off. The switch moves at once, and back when the server refuses. */
export function useSwitchAutomation(userId: string) {
  const queryClient = useQueryClient();
  const failureToast = useErrorToast();
  const queryKey = blogAutomationsKey(userId);
  return useMutation({
    mutationFn: async ({ id, isActive }: { id: string; isActive: boolean }) => {
      requireChangedRow(await client().from('blog_automations').update({ is_active: isActive }).eq('id', id).select('id'));
    },
    onMutate: async ({ id, isActive }) => {
      failureToast.clear();
      await queryClient.cancelQueries({ queryKey });
      const before = queryClient.getQueryData<BlogAutomation[]>(queryKey);
      queryClient.setQueryData<BlogAutomation[]>(queryKey, (rows) =>
        rows?.map((row) => (row.id === id ? { ...row, is_active: isActive } : row)),
      );
      return { before };
    },
    onSuccess: (_, { isActive }) => void toast.success(isActive ? texts.switchedOn : texts.switchedOff),
    onError: (error, _, context) => {
      queryClient.setQueryData(queryKey, context?.before);
      failureToast.show(texts.switchFailed, { description: error.message || undefined });
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey }),
  });
}

/** Changes how an automation writes. @throws ApiError */
export function useSaveSettings(userId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, settings }: { id: string; settings: BlogAutomationSettings }) => {
      requireChangedRow(await client().from('blog_automations').update({ settings }).eq('id', id).select('id'));
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey: blogAutomationsKey(userId) }),
  });
}

export function useRemoveAutomation(userId: string) {
  const queryClient = useQueryClient();
  const queryKey = blogAutomationsKey(userId);
  return useMutation({
    mutationFn: async ({ id }: Pick<BlogAutomation, 'id'>) => {
      unwrap(await client().from('blog_automations').delete().eq('id', id).select('id'));
    },
    onSuccess: (_, { id }) => {
      queryClient.setQueryData<BlogAutomation[]>(queryKey, (rows) => rows?.filter((row) => row.id !== id));
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey }),
  });
}
