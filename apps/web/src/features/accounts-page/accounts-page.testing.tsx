import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { AccountUsageRow } from '@decola/contracts';
import { useSession } from '../../session/session';
import { type FakeRoutes, fakeApi, renderPage, testUserId } from '../../testing/render-page';
import type { InstagramAccount } from '../instagram-accounts/stopped-accounts';
import { AccountsPage } from './accounts-page';
import { instagramAccount } from '../../testing/instagram-account';

export const account = instagramAccount();
export const accountId = account.id;

export const usageRow = (action: AccountUsageRow['action'], [hour_used, hour_ceiling, day_used, day_ceiling]: number[]) => ({
  id: `usage-${action}`,
  user_id: testUserId,
  instagram_account_id: accountId,
  action,
  hour_used,
  hour_ceiling,
  day_used,
  day_ceiling,
});

export interface World {
  accounts?: (InstagramAccount & { keep_list?: string[] })[];
  usage?: unknown[];
  profile?: { time_zone: string | null; time_zone_chosen: boolean };
  /** Rows of `account_growth`, `account_activity`, `follow_backs` and `account_pauses`; a table without an entry is unknown to the server. */
  tables?: Record<string, unknown[]>;
  automations?: unknown[];
  path?: string;
  routes?: FakeRoutes;
}

function WhenSignedIn() {
  return useSession().session ? <AccountsPage /> : null;
}

const unknownTable = () => ({ status: 404, body: { code: 'PGRST205', message: 'Could not find the table' } });

/** Opens the page over a server that stores what is sent. */
export function openAccounts({
  accounts = [account],
  usage = [],
  profile = { time_zone: 'America/Sao_Paulo', time_zone_chosen: false },
  tables = {},
  automations = [],
  path = '/contas',
  routes = {},
}: World = {}) {
  const stored = accounts.map((each) => ({ keep_list: [] as string[], ...each }));
  const byId = (url: URL) => stored.filter(({ id }) => (url.searchParams.get('id') ?? `eq.${id}`) === `eq.${id}`);
  const table = (name: string) => () => (tables[name] ? { body: tables[name] } : unknownTable());
  const runtime = fakeApi({
    'GET /rest/v1/instagram_accounts': (_, url) => ({ body: byId(url) }),
    'PATCH /rest/v1/instagram_accounts': (body, url) => {
      byId(url).forEach((row) => Object.assign(row, body));
      return { body: byId(url) };
    },
    'GET /rest/v1/profiles': () => ({ body: profile }),
    'PATCH /rest/v1/profiles': (body) => ({ body: [Object.assign(profile, body)] }),
    'GET /rest/v1/account_usage': () => ({ body: usage }),
    ...Object.fromEntries(
      ['account_growth', 'account_activity', 'follow_backs', 'account_pauses'].map((name) => [`GET /rest/v1/${name}`, table(name)]),
    ),
    'GET /rest/v1/automations': () => ({ body: automations }),
    'GET /rest/v1/blog_automations': () => ({ body: [] }),
    'GET /rest/v1/extracted_data': () => ({ body: [] }),
    ...routes,
  });
  runtime.signIn();
  renderPage(<WhenSignedIn />, { path });
  const changes = (route: string) => runtime.requests.filter((each) => each.route === route).map(({ body }) => body);
  return {
    ...runtime,
    stored,
    user: userEvent.setup(),
    accountChanges: () => changes('PATCH /rest/v1/instagram_accounts'),
    profileChanges: () => changes('PATCH /rest/v1/profiles'),
    sessions: () => changes('POST /rest/v1/instagram_sessions'),
  };
}

/** One block of the account's panel. */
export const block = (name: string) => screen.findByRole('region', { name });
