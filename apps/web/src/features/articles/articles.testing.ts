import type { ArticleRun, Delivery } from '@decola/contracts';
import { testUserId } from '../../testing/render-page';
import type { ArticleAutomation, DiaryArticle, Entry } from './article-data';

export const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

export const runOf = (over: Partial<ArticleRun> = {}): ArticleRun => ({
  id: idOf(900),
  user_id: testUserId,
  origin: 'customer',
  blog_automation_id: idOf(1),
  state: 'approved',
  reason_code: null,
  reason: null,
  step: null,
  progress: null,
  keyword: 'café em casa',
  title: 'Torra clara',
  article_id: idOf(500),
  tokens: 0,
  retry_at: null,
  occurrence_at: '2026-11-20T12:00:00Z',
  created_at: '2026-11-20T12:00:01Z',
  updated_at: '2026-11-20T12:03:00Z',
  ...over,
});

export const articleOf = (over: Partial<DiaryArticle> = {}): DiaryArticle => ({
  id: idOf(500),
  run_id: idOf(900),
  title: 'Torra clara',
  state: 'approved',
  reason: null,
  approval_until: null,
  publish_mode: 'publish',
  site_key: 'cafedalia.example',
  claims: [],
  created_at: '2026-11-20T12:03:00Z',
  updated_at: '2026-11-20T12:03:00Z',
  ...over,
});

export const deliveryOf = (over: Partial<Delivery> = {}): Delivery => ({
  id: idOf(700),
  user_id: testUserId,
  blog_automation_id: idOf(1),
  article_id: idOf(500),
  site_id: idOf(300),
  revision: 1,
  state: 'seen',
  code: null,
  reason: null,
  attempt: 1,
  next_attempt_at: null,
  post_id: 12,
  public_url: 'https://cafedalia.example/torra-clara/',
  edit_url: 'https://cafedalia.example/wp-admin/post.php?post=12&action=edit',
  seen_at: '2026-11-20T12:04:00Z',
  created_at: '2026-11-20T12:03:10Z',
  updated_at: '2026-11-20T12:04:00Z',
  ...over,
});

export const entryOf = (
  run: Partial<ArticleRun> = {},
  article: Partial<DiaryArticle> | null = null,
  delivery: Partial<Delivery> | null = null,
): Entry => ({
  run: runOf(run),
  article: article && articleOf(article),
  delivery: delivery && deliveryOf(delivery),
});

export const automationOf = (over: Partial<ArticleAutomation> = {}): ArticleAutomation => ({
  id: idOf(1),
  origin: 'customer',
  keyword: 'café em casa',
  webhook_url: 'https://www.cafedalia.example',
  schedule_type: 'weekly',
  schedule_time: '09:00',
  schedule_days: [1, 2, 3, 4, 5],
  is_active: true,
  is_draft: false,
  next_generation_at: '2030-01-07T12:00:00Z',
  last_generated_at: null,
  pause_reason: null,
  created_at: '2026-11-01T12:00:00Z',
  ...over,
});
