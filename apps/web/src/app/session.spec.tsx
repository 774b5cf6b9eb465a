import '@testing-library/jest-dom';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { fakeRuntime, renderPage } from '../testing/render-page';
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

describe('signOut', () => {
  it.each([
    ['answers', () => ({ status: 204 })],
    ['refuses', () => ({ status: 500, body: { msg: 'indisponível' } })],
    ['never answers', () => new Promise<never>(() => undefined)],
  ])('ends when the server %s', async (_, logout) => {
    const { signIn } = fakeRuntime({ 'POST /auth/v1/logout': logout });
    signIn();
    renderPage(<Probe />);
    expect(await screen.findByText('dentro')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Sair' }));
    expect(await screen.findByText('terminou')).toBeInTheDocument();
    expect(screen.getByText('fora')).toBeInTheDocument();
    expect(Object.values(localStorage).join()).not.toContain('access_token');
  });
});
