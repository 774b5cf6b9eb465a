import '@testing-library/jest-dom';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { resetOperation, setInOperation } from '../../../testing/tools-in-operation';
import { openWizard, withAccount } from '../wizard.testing';

beforeEach(() => sessionStorage.clear());
afterEach(() => {
  cleanup();
  resetOperation();
});

const plan = () => within(screen.getByRole('complementary', { name: 'Plano de voo' }));
const comment = (number: number) => screen.findByLabelText(`Comentário ${number}`);

it('counts the texts, and shows which text the next posts get', async () => {
  const { user } = openWizard('/automation/auto-comment?passo=2', withAccount);
  await user.type(await comment(1), 'Que torra linda');
  expect(screen.getByRole('img', { name: '1 de 10 textos; o mínimo é 3' })).toBeVisible();
  expect(plan().getByText(/Aparecem aqui com três textos/)).toBeVisible();
  await user.type(await comment(2), 'Qual é o grão?');
  await user.type(await comment(3), 'Salvei');
  expect(screen.getByRole('img', { name: '3 de 10 textos; o mínimo é 3' })).toBeVisible();
  expect(
    plan()
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['1º postQue torra linda', '2º postQual é o grão?', '3º postSalvei']);
});

it('offers ten fields at most', async () => {
  const { user } = openWizard('/automation/auto-comment?passo=2', withAccount);
  const add = await screen.findByRole('button', { name: 'Adicionar comentário' });
  for (let count = 3; count < 10; count += 1) await user.click(add);
  expect(await comment(10)).toBeVisible();
  expect(add).toBeDisabled();
});

it('keeps a comment on one line, because stored comments are separated by line breaks', async () => {
  const { user, saved } = openWizard('/automation/auto-comment?passo=2', withAccount);
  await user.click(await comment(1));
  await user.paste('Que torra\nlinda');
  expect(await comment(1)).toHaveValue('Que torra linda');
  await user.click(screen.getByRole('button', { name: /Frequência/ }));
  await user.click(await screen.findByRole('button', { name: 'Salvar Rascunho' }));
  expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
  expect(saved()).toMatchObject([
    { body: { configuration: { comments: 'Que torra linda\n\n', commentsList: ['Que torra linda', '', ''] } } },
  ]);
});

it('shows how long a long comment is', async () => {
  const { user } = openWizard('/automation/auto-comment?passo=2', withAccount);
  await user.click(await comment(1));
  await user.paste('x'.repeat(2_300));
  expect(await comment(1)).toHaveValue('x'.repeat(2_200));
  expect(screen.getByText('2.200 de 2.200')).toBeVisible();
});

describe('when it is published', () => {
  const stored = (commentsList: string[]) => ({
    ...withAccount,
    stored: {
      name: 'Comentar',
      type: 'auto-comment',
      instagram_account_id: withAccount.accounts[0]?.id,
      configuration: { action: 'comment', method: 'hashtag', targets: '#cafe', commentsList, frequency: '1hour', rowsPerLaunch: 1 },
    },
  });
  const publish = async (commentsList: string[]) => {
    setInOperation('auto-comment', true);
    const wizard = openWizard('/automation/auto-comment?edit=a1&passo=3', stored(commentsList));
    await wizard.user.click(await screen.findByRole('button', { name: 'Salvar Alterações' }));
    return wizard;
  };

  it('asks for the first missing text', async () => {
    const { saved } = await publish(['Que linda', '', '']);
    expect(await comment(2)).toHaveAccessibleDescription('É necessário adicionar pelo menos 3 comentários');
    await waitFor(() => expect(screen.getByLabelText('Comentário 2')).toHaveFocus());
    expect(saved()).toEqual([]);
  });

  it('refuses a placeholder, at the text that has it, until it is removed', async () => {
    const { user, saved } = await publish(['Que linda', 'Salvei', 'Oi, {nome}!']);
    expect(await comment(3)).toHaveAccessibleDescription(/Não trocamos \{nome\} no comentário/);
    expect(saved()).toEqual([]);
    await user.clear(await comment(3));
    await user.type(await comment(3), 'Oi!');
    await user.click(screen.getByRole('button', { name: /Frequência/ }));
    await user.click(await screen.findByRole('button', { name: 'Salvar Alterações' }));
    expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
    expect(saved()).toMatchObject([{ body: { configuration: { commentsList: ['Que linda', 'Salvei', 'Oi!'] } } }]);
  });
});
