import { act, screen } from '@testing-library/react';
import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { keepEarlyActions } from '../components/early-actions';
import { setConfiguration } from '../lib/configuration';
import { renderPage } from './server';
import { TrialPage } from './trial/trial-page';
import { automationId, consent, fakeServer, refusal, stateOf } from './wheel/wheel-page.testing';
import { WheelPage } from './wheel/wheel-page';

const configuration = { publishableKey: 'key', productName: 'Decola', supportEmail: '', privacyEmail: '', dpoEmail: '' };
const pathname = `/prize-wheel/${automationId}`;

/** Shows the gateway's markup and lets React take it over. @returns what React found different */
async function takenOver(markup: string, page: React.ReactNode, before: () => void = () => undefined): Promise<string[]> {
  document.body.innerHTML = `<div id="root">${markup}</div>`;
  setConfiguration(configuration);
  fakeServer({});
  before();
  const differences: string[] = [];
  const logged = jest.spyOn(console, 'error').mockImplementation((...words) => void differences.push(words.join(' ')));
  await act(() => {
    hydrateRoot(document.getElementById('root')!, <StrictMode>{page}</StrictMode>, {
      onRecoverableError: (error) => differences.push(String(error)),
    });
    return Promise.resolve();
  });
  logged.mockRestore();
  return differences;
}

it.each([
  ['a wheel', stateOf({ consent, theme: { colour: '#d6006c', logo: null } })],
  ['a refusal', refusal('Esta roleta está inativa no momento')],
  ['a state that did not come in time', null],
])('is taken over without a difference: %s', async (_case, state) => {
  const search = '?token=secret';
  const markup = renderPage({ pathname, search }, { configuration, state });
  expect(markup).not.toContain('secret');
  expect(await takenOver(markup, <WheelPage automationId={automationId} token="secret" state={state} />)).toEqual([]);
});

it('keeps what was typed before React took the form over', async () => {
  const state = stateOf();
  const markup = renderPage({ pathname, search: '' }, { configuration, state });
  expect(markup).toContain('Seus Dados');
  const input = () => document.querySelector<HTMLInputElement>('[name="lead.instagram"]')!;
  const page = <WheelPage automationId={automationId} token={null} state={state} />;
  await takenOver(markup, page, () => {
    input().value = 'marina';
  });
  expect(input().value).toBe('marina');
});

it('repeats a press of the button from before React took the form over', async () => {
  const state = stateOf();
  let repeat: () => void = () => undefined;
  await takenOver(
    renderPage({ pathname, search: '' }, { configuration, state }),
    <WheelPage automationId={automationId} token={null} state={state} />,
    () => {
      repeat = keepEarlyActions(document.documentElement);
      const button = screen.getByRole('button', { name: 'Continuar' });
      button.addEventListener('click', (event) => event.preventDefault(), { once: true }); // jsdom cannot submit to a dialog
      button.click();
    },
  );
  expect(screen.queryByRole('alert')).toBeNull();
  act(() => repeat());
  expect(screen.getByRole('alert').textContent).toBe('Instagram (@) é obrigatório');
});

it('renders the trial, and leaves the other pages to the browser', async () => {
  const markup = renderPage({ pathname: '/teste-roleta', search: '' }, { configuration, state: null });
  expect(markup).toContain('Teste da Roleta!');
  expect(await takenOver(markup, <TrialPage />)).toEqual([]);
  for (const other of ['/comprovante/K7QF', '/auditoria', '/meus-dados/K7QF', '/adm'])
    expect(renderPage({ pathname: other, search: '' }, { configuration, state: null })).toBe('');
});
