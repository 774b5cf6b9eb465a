import '@testing-library/jest-dom';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { type FakeAnswer, type FakeRoutes, fakeApi, renderPage, testSession, testUserId } from '../testing/render-page';
import { browserLocale, useReportLocale } from './report-locale';
import { clearReportedLocale } from './reported-locale';
import { RequireSession } from './require-session';

function Page() {
  useReportLocale();
  return <h1>Painel</h1>;
}

interface World {
  known?: { time_zone: string | null; locale: string | null; time_zone_chosen?: boolean };
  onRead?: () => FakeAnswer | Promise<FakeAnswer>;
  onWrite?: FakeRoutes[string];
}

async function open({
  known = { time_zone: null, locale: null },
  onRead = () => ({ body: [known] }),
  onWrite = () => ({ status: 204 }),
}: World = {}) {
  const runtime = fakeApi({ 'GET /rest/v1/profiles': onRead, 'PATCH /rest/v1/profiles': onWrite });
  runtime.signIn();
  renderPage(
    <Routes>
      <Route element={<RequireSession />}>
        <Route path="/" element={<Page />} />
      </Route>
    </Routes>,
  );
  expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
  return { ...runtime, sent: () => runtime.requests.filter(({ route }) => route.startsWith('PATCH')) };
}

const asBrowser = (timeZone: string | undefined, language: string) => {
  jest.spyOn(Intl, 'DateTimeFormat').mockReturnValue({ resolvedOptions: () => ({ timeZone }) } as Intl.DateTimeFormat);
  jest.spyOn(navigator, 'language', 'get').mockReturnValue(language);
};

describe('the locale report', () => {
  beforeEach(() => {
    clearReportedLocale();
    asBrowser('America/Manaus', 'pt-BR');
  });
  afterEach(() => {
    cleanup();
    jest.restoreAllMocks();
  });

  it('is sent once after a sign-in when the profile differs', async () => {
    const first = await open({ known: { time_zone: 'America/Sao_Paulo', locale: 'pt-BR' } });
    await waitFor(() => expect(first.sent()).toMatchObject([{ body: { time_zone: 'America/Manaus', locale: 'pt-BR' } }]));
    expect(first.sent()[0]?.search).toContain(`user_id=eq.${testUserId}`);
    cleanup();
    const again = await open();
    expect(again.requests).toEqual([]);
    cleanup();
    asBrowser('Europe/Lisbon', 'pt-BR');
    const abroad = await open();
    await waitFor(() => expect(abroad.sent()).toMatchObject([{ body: { time_zone: 'Europe/Lisbon' } }]));
  });

  it('leaves a time zone alone that the customer chose', async () => {
    const page = await open({ known: { time_zone: 'America/Sao_Paulo', locale: 'en', time_zone_chosen: true } });
    await waitFor(() => expect(page.sent()).toMatchObject([{ body: { locale: 'pt-BR' } }]));
    expect(page.sent()[0]?.body).not.toHaveProperty('time_zone');
  });

  it('is compared again after the next sign-in', async () => {
    const page = await open({ known: { time_zone: 'America/Manaus', locale: 'pt-BR' } });
    await waitFor(() => expect(page.requests).toHaveLength(1));
    cleanup();
    const encode = (claims: unknown) => btoa(JSON.stringify(claims)).replace(/=+$/, '');
    const { access_token: token } = testSession();
    const next = fakeApi({
      'GET /rest/v1/profiles': () => ({ body: [{ time_zone: 'Asia/Tokyo', locale: 'ja' }] }),
      'PATCH /rest/v1/profiles': () => ({ status: 204 }),
    });
    next.signIn({
      session: { access_token: token.replace(/\.[^.]+\./, `.${encode({ sub: testUserId, session_id: 'next', aal: 'aal1' })}.`) },
    });
    renderPage(
      <Routes>
        <Route element={<RequireSession />}>
          <Route path="/" element={<Page />} />
        </Route>
      </Routes>,
    );
    await waitFor(() => expect(next.requests.map(({ route }) => route)).toEqual(['GET /rest/v1/profiles', 'PATCH /rest/v1/profiles']));
  });

  it('is not sent when the profile has the same values', async () => {
    const page = await open({ known: { time_zone: 'America/Manaus', locale: 'pt-BR' } });
    await waitFor(() => expect(page.requests).toHaveLength(1));
    expect(page.sent()).toEqual([]);
  });

  it.each<[string, World, number]>([
    ['cannot be read', { onRead: () => ({ status: 500, body: {} }) }, 1],
    ['is never answered', { onRead: () => new Promise<never>(() => undefined) }, 0],
    ['is refused for a moment', { onWrite: () => ({ status: 503, body: { code: 'PGRST001', message: 'away' } }) }, 2],
  ])('does not affect the page when it %s, and is retried at the next visit', async (_, world, requests) => {
    const page = await open(world);
    if (requests > 0) {
      await waitFor(() => expect(page.requests).toHaveLength(requests));
      await waitFor(() => expect(localStorage.getItem('decola.place')).toBeNull());
      cleanup();
      const again = await open();
      await waitFor(() => expect(again.sent()).toHaveLength(1));
    }
    expect(screen.getByRole('heading', { name: 'Painel' })).toBeVisible();
  });

  it('is not repeated when the server refuses the time zone', async () => {
    const page = await open({
      onWrite: () => ({ status: 400, body: { code: '22023', message: 'time zone "America/Manaus" not recognized' } }),
    });
    await waitFor(() => expect(page.sent()).toHaveLength(1));
    cleanup();
    expect((await open()).requests).toEqual([]);
  });

  it.each([
    ['pt-BR', { time_zone: 'America/Manaus', locale: 'pt-BR' }],
    ['en-US-u-hc-h12', { time_zone: 'America/Manaus', locale: 'en-US' }],
    ['en-US@posix', { time_zone: 'America/Manaus' }],
    ['', { time_zone: 'America/Manaus' }],
  ])('is read from a browser whose language is %j', (language, locale) => {
    asBrowser('America/Manaus', language);
    expect(browserLocale()).toEqual(locale);
  });

  it('omits what the browser does not provide', () => {
    asBrowser(undefined, 'pt-BR');
    expect(browserLocale()).toEqual({ locale: 'pt-BR' });
  });
});
