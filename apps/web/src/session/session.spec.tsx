import '@testing-library/jest-dom';
import { act, cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { client } from '../lib/api-client';
import { fakeApi, renderPage } from '../testing/render-page';
import { useSession } from './session';

function Probe() {
  const { session, isLoading, signOut } = useSession();
  const [isDone, setDone] = useState(false);
  if (isLoading) return <p>Carregando...</p>;
  return (
    <>
      <p>{session ? 'dentro' : 'fora'}</p>
      {isDone && <p>terminou</p>}
      <button type="button" onClick={() => void signOut(50).then(() => setDone(true))}>
        Sair
      </button>
    </>
  );
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

describe('drafts of a lost session', () => {
  async function loseAndSignInAs(user: Record<string, unknown>) {
    fakeApi({}).signIn();
    renderPage(<Probe />);
    await screen.findByText('dentro');
    sessionStorage.setItem('draft', 'half filled in');
    await act(() => client().auth.signOut({ scope: 'local' }));
    cleanup();
    fakeApi({}).signIn({ user });
    renderPage(<Probe />);
    await screen.findByText('dentro');
    return sessionStorage.getItem('draft');
  }

  it('are kept for the same person', async () => {
    expect(await loseAndSignInAs({})).toBe('half filled in');
  });

  it('are deleted when somebody else signs in', async () => {
    expect(await loseAndSignInAs({ id: '9f0d8c1e-7a4f-4c1d-9a55-3c8f6f1f2a99' })).toBeNull();
  });
});

describe('signOut', () => {
  it.each([
    ['answers', () => ({ status: 204 })],
    ['refuses', () => ({ status: 500, body: { msg: 'indisponível' } })],
    ['never answers', () => new Promise<never>(() => undefined)],
  ])('ends when the server %s', async (_, logout) => {
    const { signIn } = fakeApi({ 'POST /auth/v1/logout': logout });
    signIn();
    renderPage(<Probe />);
    expect(await screen.findByText('dentro')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Sair' }));
    expect(await screen.findByText('terminou')).toBeInTheDocument();
    expect(screen.getByText('fora')).toBeInTheDocument();
    expect(Object.values(localStorage).join()).not.toContain('access_token');
  });
});
