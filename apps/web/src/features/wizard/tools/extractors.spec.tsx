import '@testing-library/jest-dom';
import { cleanup, screen } from '@testing-library/react';
import { openWizard, withAccount } from '../wizard.testing';

beforeEach(() => sessionStorage.clear());
afterEach(cleanup);

it('says before a list is asked for that the network may cut it', async () => {
  openWizard('/automation/followers-following-extractor?passo=2', withAccount);
  expect(await screen.findByText(/o Instagram às vezes mostra só cerca de 50 pessoas/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Criar Automação' })).toBeVisible();
});

it('says before likes are asked for that the network shows a sample, and of comments what their rows have', async () => {
  const { user } = openWizard('/automation/post-interactions-extractor?passo=2', withAccount);
  const sample = 'O Instagram mostra só uma amostra (cerca de 100) das curtidas';
  expect(await screen.findByRole('radio', { name: /^Curtidas/ })).not.toBeChecked();
  await user.click(screen.getByRole('radio', { name: /^Curtidas/ }));
  expect(screen.getByText(sample)).toBeVisible();
  await user.click(screen.getByRole('radio', { name: /^Comentários/ }));
  expect(screen.queryByText(sample)).not.toBeInTheDocument();
  expect(screen.getByText(/Cada linha traz a pessoa, o texto e a hora, com as respostas/)).toBeVisible();
});
