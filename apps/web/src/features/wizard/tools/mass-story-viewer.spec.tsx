import '@testing-library/jest-dom';
import { cleanup, screen } from '@testing-library/react';
import { openWizard, withAccount } from '../wizard.testing';

beforeEach(() => sessionStorage.clear());
afterEach(cleanup);

it.each(['Do seu feed', 'Por hashtag', 'Slot de dados extraídos'])('says what counts as a seen story (%s)', async (method) => {
  const { user } = openWizard('/automation/mass-story-viewer?passo=2', withAccount);
  expect(await screen.findByRole('group', { name: 'De quem ver os stories' })).toBeVisible();
  await user.click(screen.getByRole('radio', { name: method }));
  expect(screen.getByText(/De cada pessoa vemos um story a cada 24 horas/)).toBeVisible();
  expect(screen.getByText(/Contamos um story só quando o Instagram confirma que foi visto/)).toBeVisible();
});

it('saves the feed as its target', async () => {
  const { user, saved } = openWizard('/automation/mass-story-viewer?passo=2', withAccount);
  await user.click(await screen.findByRole('radio', { name: 'Do seu feed' }));
  await user.click(screen.getByRole('button', { name: /Frequência/ }));
  await user.click(await screen.findByRole('button', { name: 'Salvar Rascunho' }));
  expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
  expect(saved()).toMatchObject([{ body: { configuration: { action: 'story', method: 'feed', targets: 'feed' } } }]);
});
