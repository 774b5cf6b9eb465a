import '@testing-library/jest-dom';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { resetOperation, setInOperation } from '../../../testing/tools-in-operation';
import { openWizard, withAccount } from '../wizard.testing';

beforeEach(() => sessionStorage.clear());
afterEach(() => {
  cleanup();
  resetOperation();
});

it('says where the message lands, and that old comments get none', async () => {
  openWizard('/automation/auto-dm-sender?passo=2', withAccount);
  expect(await screen.findByText(/para os outros, para as solicitações/)).toHaveTextContent(
    'Comentários com mais de 7 dias não recebem direct',
  );
  expect(screen.getByText(/Conferimos os comentários a cada 15 minutos/)).toBeVisible();
  expect(screen.getByRole('checkbox', { name: 'Responder também ao comentário' })).toHaveAccessibleDescription(
    /só depois que o direct foi confirmado/,
  );
  expect(screen.getByLabelText('Palavra-chave')).toHaveAccessibleDescription(/Maiúsculas e acentos não importam/);
});

it('shows the conversation as the person sees it, with the reply only when there is one', async () => {
  const { user } = openWizard('/automation/auto-dm-sender?passo=2', withAccount);
  const plan = within(screen.queryByRole('complementary') ?? (await screen.findByRole('complementary')));
  await user.type(await screen.findByLabelText('Palavra-chave'), 'quero');
  expect(plan.queryByText('Como a pessoa vê')).not.toBeInTheDocument();
  await user.type(screen.getByLabelText('Mensagem por direct'), 'Aqui está o cardápio');
  expect(screen.getByText('20 de 1.000')).toBeVisible();
  expect(plan.getByText('Como a pessoa vê')).toBeVisible();
  expect(plan.getByText('quero!')).toBeVisible();
  expect(plan.getByText('Aqui está o cardápio')).toBeVisible();
  await user.click(screen.getByRole('checkbox', { name: 'Responder também ao comentário' }));
  await user.type(screen.getByLabelText('Comentário de resposta'), 'Mandei!');
  expect(plan.getByText('Mandei!')).toHaveTextContent('cafe.da.lia @bia.roma Mandei!');
});

it('asks for the reply when it is switched on, and for texts without placeholders', async () => {
  setInOperation('auto-dm-sender', true);
  const { user, saved } = openWizard('/automation/auto-dm-sender?passo=2', withAccount);
  await user.type(await screen.findByLabelText('URL do post'), 'https://www.instagram.com/p/ABC123/');
  await user.type(screen.getByLabelText('Palavra-chave'), 'quero');
  await user.click(screen.getByLabelText('Mensagem por direct'));
  await user.paste('Oi, {nome}!');
  await user.click(screen.getByRole('checkbox', { name: 'Responder também ao comentário' }));
  await user.click(screen.getByRole('button', { name: 'Criar Automação' }));
  await waitFor(() => expect(screen.getByLabelText('Mensagem por direct')).toHaveFocus());
  expect(screen.getByLabelText('Mensagem por direct')).toHaveAccessibleDescription(/Não trocamos \{nome\} na mensagem/);
  expect(screen.getByLabelText('Comentário de resposta')).toHaveAccessibleDescription('Digite o comentário de resposta');
  await user.clear(screen.getByLabelText('Mensagem por direct'));
  await user.type(screen.getByLabelText('Mensagem por direct'), 'Oi!');
  await user.click(screen.getByRole('checkbox', { name: 'Responder também ao comentário' }));
  await user.click(screen.getByRole('button', { name: 'Criar Automação' }));
  expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
  expect(saved()).toMatchObject([{ body: { configuration: { dmMessage: 'Oi!', replyToComment: false } } }]);
});
