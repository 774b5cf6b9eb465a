import '@testing-library/jest-dom';
import { cleanup, screen } from '@testing-library/react';
import { Route, Routes, useLocation } from 'react-router-dom';
import { fakeRuntime, renderPage, testSession } from '../testing/render-page';
import { FrontPage } from './front-page';

function Door() {
  const { pathname, hash } = useLocation();
  return <h1>{`Página ${pathname}${hash}`}</h1>;
}

function open(path: string) {
  window.history.replaceState(null, '', path);
  fakeRuntime({ 'GET /auth/v1/user': () => ({ body: testSession().user }) });
  renderPage(
    <Routes>
      <Route path="/" element={<FrontPage />} />
      <Route path="*" element={<Door />} />
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

it.each([`/#${refused}`, `/?${refused}`])('leads who came by a refused link to the page that says so: %s', async (path) => {
  open(path);
  expect(await screen.findByRole('heading', { name: `Página /auth#${refused}` })).toBeVisible();
});

it('leads who confirmed the email of a new account inside, and leaves nothing in the address', async () => {
  const { access_token, refresh_token, expires_at } = testSession();
  const fragment = new URLSearchParams({
    access_token,
    refresh_token,
    expires_at: String(expires_at),
    expires_in: '3600',
    token_type: 'bearer',
    type: 'signup',
  });
  open(`/#${fragment.toString()}`);
  expect(await screen.findByRole('heading', { name: 'Página /auth' })).toBeVisible();
  expect(await screen.findByText('Email confirmado')).toBeInTheDocument();
  expect(window.location.href).toBe(`${window.location.origin}/`);
});

it('is the landing page for everybody else', async () => {
  open('/#planos');
  expect(await screen.findByRole('heading', { name: 'Um plano para cada fase' })).toBeInTheDocument();
});
