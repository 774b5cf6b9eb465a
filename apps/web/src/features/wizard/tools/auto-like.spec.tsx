import '@testing-library/jest-dom';
import { cleanup, screen } from '@testing-library/react';
import { openWizard, withAccount } from '../wizard.testing';

beforeEach(() => sessionStorage.clear());
afterEach(cleanup);

const configurationOf = (saved: { body: unknown }[]) => (saved[0]?.body as { configuration: Record<string, unknown> }).configuration;

it('needs no target for the feed, and saves the feed as its target', async () => {
  const { user, saved } = openWizard('/automation/auto-like?passo=2', withAccount);
  expect(await screen.findByRole('group', { name: 'Onde encontrar os posts' })).toBeVisible();
  await user.click(screen.getByRole('radio', { name: 'Do seu feed' }));
  expect(screen.getByText(/Anúncios e sugestões ficam de fora/)).toBeVisible();
  expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: /^Configuração/ })).toHaveTextContent('Feito');
  await user.click(screen.getByRole('button', { name: /Frequência/ }));
  await user.click(await screen.findByRole('button', { name: 'Salvar Rascunho' }));
  expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
  expect(configurationOf(saved())).toMatchObject({ action: 'like', method: 'feed', targets: 'feed' });
});

it('does not take the feed for a hashtag when the method changes', async () => {
  const { user } = openWizard('/automation/auto-like?edit=a1&passo=2', {
    ...withAccount,
    stored: { name: 'Curtir', type: 'auto-like', configuration: { action: 'like', method: 'feed', targets: 'feed' } },
  });
  await user.click(await screen.findByRole('radio', { name: 'Por hashtag' }));
  expect(screen.getByLabelText('Hashtag')).toHaveValue('');
});

it('keeps a hashtag that was typed while another method is looked at', async () => {
  const { user } = openWizard('/automation/auto-like?passo=2', withAccount);
  await user.click(await screen.findByRole('radio', { name: 'Por hashtag' }));
  await user.type(screen.getByLabelText('Hashtag'), '#cafe');
  await user.click(screen.getByRole('radio', { name: 'Do seu feed' }));
  await user.click(screen.getByRole('radio', { name: 'Por hashtag' }));
  expect(screen.getByLabelText('Hashtag')).toHaveValue('#cafe');
});
