import type { AutomationRow, LeadWebhookAnswer, PrizeStats } from '@decola/contracts';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { Route, Routes, useLocation } from 'react-router-dom';
import { useSession } from '../../session/session';
import { type FakeAnswer, type FakeRoutes, fakeApi, renderPage, testUserId } from '../../testing/render-page';
import type { Lead } from './lead-queries';
import { WheelPage } from './wheel-page';

export const wheelId = '00000000-0000-4000-8000-000000000001';

export const wheel: AutomationRow = {
  id: wheelId,
  user_id: testUserId,
  name: 'Roleta de aniversário',
  type: 'prize-extractor',
  configuration: { publicToken: 'abc', prizes: [{ id: 'a', name: 'Caneca', quantity: 10 }], leadFields: [] },
  is_draft: false,
  is_active: true,
  last_run_at: null,
  next_run_at: null,
  created_at: '2026-11-01T10:00:00Z',
  updated_at: '2026-11-01T10:00:00Z',
  status: 'waiting',
  status_reason: null,
  last_run: null,
  progress: null,
  session_stored: false,
  session_account: null,
  instagram_account_id: null,
  pause_cause: null,
};

/** Leads of a wheel, newest first. */
export const leadsOf = (count: number, over: (number: number) => Partial<Lead> = () => ({})): Lead[] =>
  Array.from({ length: count }, (_, index) => {
    const number = count - index;
    return {
      id: `00000000-0000-4000-9000-${String(number).padStart(12, '0')}`,
      number,
      username: `pessoa.${number}`,
      name: null,
      whatsapp: null,
      telephone: null,
      email: null,
      address: null,
      prize_name: 'Caneca',
      prize_type: 'physical',
      code: 'K7QF3MZP9DX',
      state: 'won',
      delivered_at: null,
      captured_at: new Date(Date.parse('2026-11-22T12:00:00Z') - index * 60_000).toISOString(),
      valid_until: null,
      accepts: [],
      consent_version: null,
      ...over(number),
    };
  });

export const statsOf = (over: Partial<PrizeStats> = {}, days = 14): PrizeStats => ({
  success: true,
  totals: { views: 1_284, continued: 176, spins: 111, won: 48, delivered: 63, expired: 0, voided: 0 },
  days: Array.from({ length: days }, (_, index) => ({
    day: new Date(Date.parse('2026-11-22T12:00:00Z') - (days - 1 - index) * 86_400_000).toISOString().slice(0, 10),
    views: 20,
    continued: 9,
    spins: index,
  })),
  prizes: [
    { id: 'a', name: 'Caneca', type: 'physical', total: 10, given: 9, remaining: 1, delivered: 4, isRemoved: false },
    { id: 'b', name: 'Vale', type: 'digital', total: 3, given: 3, remaining: 0, delivered: 3, isRemoved: false },
    { id: 'c', name: 'Café', type: 'physical', total: 40, given: 22, remaining: 18, delivered: 11, isRemoved: false },
  ],
  round: { number: 2, isOpen: true, commitment: 'c0ffee', seed: null, openedAt: '2026-11-20T12:00:00Z' },
  sameNetwork: [],
  ...over,
});

type Row = Record<string, unknown>;

/** The part of the server's filters, order and limit that the page uses. */
export function answerOf(rows: readonly object[], url: URL): FakeAnswer {
  let found = rows as readonly Row[];
  for (const [key, value] of url.searchParams) {
    const [, operator = '', wanted = ''] = /^(\w+)\.(.*)$/.exec(value) ?? [];
    if (key === 'automation_id' || key === 'order' || key === 'select') continue;
    if (operator === 'eq') found = found.filter((row) => String(row[key]) === wanted);
    else if (operator === 'lt') found = found.filter((row) => Number(row[key]) < Number(wanted));
    else if (operator === 'in') found = found.filter((row) => wanted.slice(1, -1).split(',').includes(String(row[key])));
    else if (operator === 'ilike')
      found = found.filter((row) =>
        `${String(row['username'])} ${String(row['code']).toLowerCase()}`.includes(wanted.slice(1, -1).replaceAll('\\', '')),
      );
  }
  const limit = Number(url.searchParams.get('limit') ?? 1_000);
  return { body: found.slice(0, limit), count: found.length };
}

interface World {
  automation?: Partial<AutomationRow>;
  leads?: readonly Lead[];
  stats?: PrizeStats;
  webhook?: LeadWebhookAnswer;
  /** What `prize-redemption` answers. */
  redeem?: (body: { code: string; action: string }) => FakeAnswer;
  routes?: FakeRoutes;
  search?: string;
}

function Address() {
  const { pathname, search } = useLocation();
  return <output aria-label="address">{pathname + search}</output>;
}

function WhenSignedIn({ children }: { children: ReactNode }) {
  return useSession().session ? children : null;
}

/** Renders the page of a wheel with what the server knows of it. */
export function showWheel({
  automation = {},
  leads = leadsOf(3),
  stats = statsOf(),
  webhook,
  redeem,
  routes = {},
  search = '',
}: World = {}) {
  const api = fakeApi({
    'GET /rest/v1/automations': () => ({ body: [{ ...wheel, ...automation }] }),
    'GET /rest/v1/blog_automations': () => ({ body: [] }),
    'GET /rest/v1/extracted_data': () => ({ body: [] }),
    'GET /rest/v1/leads': (_, url) => answerOf(leads, url),
    'HEAD /rest/v1/leads': (_, url) => answerOf(leads, url),
    'POST /functions/v1/prize-stats': () => ({ body: stats }),
    'POST /functions/v1/lead-webhook': () => ({ body: webhook ?? { success: true, webhook: null, deliveries: [] } }),
    ...(redeem && { 'POST /functions/v1/prize-redemption': (body: unknown) => redeem(body as { code: string; action: string }) }),
    ...routes,
  });
  api.signIn();
  const user = userEvent.setup();
  renderPage(
    <WhenSignedIn>
      <Routes>
        <Route path="/automation/:automationId/roleta" element={<WheelPage />} />
        <Route path="*" element={null} />
      </Routes>
      <Address />
    </WhenSignedIn>,
    { path: `/automation/${wheelId}/roleta${search}` },
  );
  return { user, requests: api.requests, heading: () => screen.findByRole('heading', { level: 1 }) };
}
