import type { ArticleRun } from '@decola/contracts';
import userEvent from '@testing-library/user-event';
import { type FakeAnswer, type FakeRoutes, fakeApi, renderPage, testUserId } from '../../testing/render-page';
import type { CalendarArticle } from './calendar';
import type { BlogAutomation } from './automations';
import { BlogAdmin } from './blog-admin';
// Here already, so that no test waits for what the panel loads on demand.
import './automations-tab';
import './calendar-tab';
import './care-tab';
import './live-updates';
import './remove-article-dialog';
import type { SavedKeyword } from './keywords';
import type { Topic } from './topics';

export const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

export const keywordOf = (number: number, keyword: string): SavedKeyword => ({
  id: idOf(number),
  keyword,
  created_at: '2026-11-01T10:00:00Z',
});

export const automationOf = (number: number, over: Partial<BlogAutomation> = {}): BlogAutomation => ({
  id: idOf(number),
  origin: 'editorial',
  keyword: 'hashtag local',
  schedule_type: 'weekly',
  schedule_time: '09:00',
  schedule_day: null,
  schedule_days: [1],
  next_generation_at: '2030-01-07T12:00:00Z',
  last_generated_at: null,
  is_active: true,
  pause_reason: null,
  created_at: '2026-11-01T10:00:00Z',
  ...over,
});

export const runOf = (over: Partial<ArticleRun> = {}): ArticleRun => ({
  id: idOf(900),
  user_id: testUserId,
  origin: 'editorial',
  blog_automation_id: null,
  state: 'queued',
  reason_code: null,
  reason: null,
  step: null,
  progress: null,
  keyword: 'hashtag local',
  title: null,
  article_id: null,
  tokens: 0,
  retry_at: null,
  occurrence_at: null,
  created_at: new Date().toISOString(),
  updated_at: new Date().toISOString(),
  ...over,
});

export interface ListCard {
  id: string;
  title: string;
}

/** The part of the list page that the panel changes, as the gateway renders it. */
export const listPage = (cards: readonly ListCard[]): string =>
  `<div id="blog-list"><ul>${cards
    .map(
      ({ id, title }) =>
        `<li><article data-article-id="${id}" data-article-title="${title}"><h3>${title}</h3><div data-article-tools></div></article></li>`,
    )
    .join('')}</ul></div>`;

export interface World {
  roles: string[];
  cards: ListCard[];
  keywords: SavedKeyword[];
  automations: BlogAutomation[];
  runs: ArticleRun[];
  articles: CalendarArticle[];
  topics: Topic[];
  /** Status of the list page when it is read again. */
  listStatus: number;
}

const rows = (of: () => readonly object[]) => (): FakeAnswer => ({ body: of() });

/** Renders the panel into a list page, for a person with these roles. The world may be changed while the panel is shown. */
export function showBlogAdmin(given: Partial<World> = {}, routes: FakeRoutes = {}, { isSignedIn = true, isFirstVisit = true } = {}) {
  const world: World = {
    roles: ['admin_master'],
    cards: [],
    keywords: [],
    automations: [],
    runs: [],
    articles: [],
    topics: [],
    listStatus: 200,
    ...given,
  };
  if (isFirstVisit) {
    sessionStorage.clear();
    localStorage.clear();
  }
  document.body.innerHTML = listPage(world.cards);
  let listReads = 0;
  globalThis.fetch = async (input: string | URL | Request) => {
    await Promise.resolve();
    if ((input instanceof Request ? input.url : String(input)).includes('/live/'))
      return { ok: false, status: 503, headers: new Headers() } as Response;
    listReads += 1;
    return { ok: world.listStatus < 400, status: world.listStatus, text: async () => Promise.resolve(listPage(world.cards)) } as Response;
  };
  const api = fakeApi({
    'GET /rest/v1/user_roles': rows(() => world.roles.map((role) => ({ id: idOf(1), role, created_at: '2026-01-01T00:00:00Z' }))),
    'GET /rest/v1/user_keywords': rows(() => world.keywords),
    'GET /rest/v1/blog_automations': rows(() => world.automations),
    'GET /rest/v1/article_runs': rows(() => world.runs),
    'GET /rest/v1/blog_articles': rows(() => world.articles),
    'GET /rest/v1/topics': rows(() => world.topics),
    ...routes,
  });
  if (isSignedIn) api.signIn();
  const user = userEvent.setup();
  renderPage(<BlogAdmin />);
  return { user, world, requests: api.requests, listReads: () => listReads };
}

/** Bodies that were sent to a route. */
export const sentTo = (requests: readonly { route: string; body: unknown }[], route: string): unknown[] =>
  requests.filter((request) => request.route === route).map(({ body }) => body);
