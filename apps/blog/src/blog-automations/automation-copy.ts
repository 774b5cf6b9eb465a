import { type BlogAutomationSettings, blogAutomationSettings, type BlogSchedule } from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';

/** What blog knows of a blog automation. */
export interface AutomationCopy {
  id: string;
  userId: string;
  origin: 'editorial' | 'customer';
  keyword: string;
  theme: string | null;
  /** Of the site, separated by commas. */
  categories: string | null;
  webhookUrl: string | null;
  settings: BlogAutomationSettings;
  schedule: BlogSchedule;
  isActive: boolean;
}

/** The copy of an automation; undefined when it or its owner is gone. */
export async function findAutomation(db: Database, id: string): Promise<AutomationCopy | undefined> {
  const row = await rowOf<
    Omit<AutomationCopy, 'isActive' | 'settings' | 'userId' | 'webhookUrl'> & {
      user_id: string;
      webhook_url: string | null;
      is_active: boolean;
      settings: unknown;
    }
  >(
    db,
    'select id, user_id, origin, keyword, theme, categories, webhook_url, settings, schedule, is_active from blog_automation_copies where id = $1',
    [id],
  );
  if (!row) return undefined;
  const { user_id: userId, webhook_url: webhookUrl, is_active: isActive, settings, ...rest } = row;
  return { ...rest, userId, webhookUrl, isActive, settings: blogAutomationSettings.catch({}).parse(settings ?? {}) };
}
