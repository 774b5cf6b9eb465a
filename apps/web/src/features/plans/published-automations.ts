import type { ToolType } from '@decola/contracts';
import { queryOptions } from '@tanstack/react-query';
import { client, unwrap } from '../../lib/api-client';
import { keptTexts as texts } from './texts';

/** An automation that takes slots, which is every automation except a draft. */
export interface PublishedAutomation {
  id: string;
  type: ToolType;
  name: string;
}

interface BlogRow {
  id: string;
  keyword: string;
}

export const publishedAutomationsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['published-automations', userId],
    meta: { tables: ['automations', 'blog_automations'] },
    queryFn: async (): Promise<PublishedAutomation[]> => {
      const [automations, blogs] = await Promise.all([
        client().from('automations').select('id,type,name').eq('user_id', userId).eq('is_draft', false).order('created_at'),
        client()
          .from('blog_automations')
          .select('id,keyword')
          .eq('user_id', userId)
          .eq('origin', 'customer')
          .eq('is_draft', false)
          .order('created_at'),
      ]);
      return [
        ...(unwrap(automations) as PublishedAutomation[]),
        ...(unwrap(blogs) as BlogRow[]).map(({ id, keyword }) => ({ id, type: 'blog-automation' as const, name: texts.blogName(keyword) })),
      ];
    },
  });
