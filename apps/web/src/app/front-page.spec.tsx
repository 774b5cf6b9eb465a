import '@testing-library/jest-dom';
import { cleanup, screen } from '@testing-library/react';
import { Route, Routes, useLocation } from 'react-router-dom';
import { fakeApi, renderPage, testSession } from '../testing/render-page';
import { FrontPage } from './front-page';

function AnyPage() {
  const { pathname, search, hash } = useLocation();
  return <h1>{`Página ${pathname}${search}${hash}`}</h1>;
}

function open(path: string) {
  window.history.replaceState(null, '', path);
  fakeApi({ 'GET /auth/v1/user': () => ({ body: testSession().user }) });
  renderPage(
    <Routes>
      <Route path="/" element={<FrontPage />} />
      <Route path="*" element={<AnyPage />} />
    </Routes>,
    { path },
  );
}

const refused = 'error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&sb=';

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => {
  cleanup();
  window.history.replaceState(null, '', '/');
});

it.each([`/#${refused}`, `/?${refused}`])('redirects a visitor with a refused link to the page that explains it: %s', async (path) => {
  open(path);
  expect(await screen.findByRole('heading', { name: `Página /auth#${refused}` })).toBeVisible();
});

it.each([
  ['/', '/auth'],
  ['/?plan=pro', '/auth?plan=pro'],
])('signs in a person who confirmed the email of a new account, and removes the tokens from the URL: %s', async (path, next) => {
  const { access_token, refresh_token, expires_at } = testSession();
  const fragment = new URLSearchParams({
    access_token,
    refresh_token,
    expires_at: String(expires_at),
    expires_in: '3600',
    token_type: 'bearer',
    type: 'signup',
  });
  open(`${path}#${fragment.toString()}`);
  expect(await screen.findByRole('heading', { name: `Página ${next}` })).toBeVisible();
  expect(await screen.findByText('Email confirmado')).toBeInTheDocument();
  expect(window.location.href).toBe(`${window.location.origin}${path}`);
});

it('shows the landing page to everybody else', async () => {
  open('/#planos');
  expect(await screen.findByRole('heading', { name: 'Um plano para cada fase' })).toBeInTheDocument();
});
