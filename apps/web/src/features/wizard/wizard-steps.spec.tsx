import '@testing-library/jest-dom';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { resetOperation, setInOperation } from '../../testing/tools-in-operation';
import { openWizard } from './wizard.testing';
import { findDialog } from '../../testing/dialog';

const cookie = 'sessionid=4242424242%3AabcdefABCDEF0123%3A12%3AAYdef0123456789abcdef0123456789; ds_user_id=4242424242; csrftoken=token';
const finished = {
  name: 'Clientes',
  type: 'followers-following-extractor',
  configuration: { extractionType: 'followers', targets: '@loja', sessionStored: true, sessionAccount: '77', extractedDataId: 'lista' },
  is_draft: false,
  is_active: false,
};

beforeEach(() => sessionStorage.clear());
afterEach(() => {
  cleanup();
  resetOperation();
});

const step = (name: RegExp) => screen.findByRole('button', { name });
const plan = () => screen.getByRole('complementary', { name: 'Plano de voo' });

it('ticks a step once it is valid, wherever one is, and says what was answered', async () => {
  const { user } = openWizard('/automation/followers-following-extractor');
  expect(await step(/^Cookie do Instagram/)).not.toHaveTextContent('Feito');
  await user.click(await screen.findByLabelText('Cookie do Instagram'));
  await user.paste(cookie);
  expect(await step(/^Cookie do Instagram Sessão colada/)).toHaveTextContent('Feito');
  expect(await step(/^Configuração/)).not.toHaveTextContent('Feito');
  await user.click(await step(/^Configuração/));
  await user.type(await screen.findByLabelText('Usuário alvo'), 'loja');
  expect(await step(/^Configuração/)).not.toHaveTextContent('Feito');
  await user.click(screen.getByRole('radio', { name: /^Seguidores/ }));
  expect(await step(/^Configuração @loja/)).toHaveTextContent('Feito');
  // An earlier step that is no longer valid loses its tick.
  await user.click(await step(/^Cookie do Instagram/));
  await user.clear(await screen.findByLabelText('Cookie do Instagram'));
  expect(await step(/^Cookie do Instagram/)).not.toHaveTextContent('Feito');
});

it('says what will happen in one live sentence, with gaps until they are answered', async () => {
  const { user } = openWizard('/automation/auto-follow-unfollow?passo=2', { free: 3 });
  await screen.findByText('3 slots disponíveis');
  expect(plan()).toHaveTextContent('[no ritmo] que você escolher'.replace(/[[\]]/g, ''));
  await user.click(screen.getByRole('radio', { name: 'Seguir' }));
  await user.click(screen.getByRole('radio', { name: 'Por hashtag' }));
  await user.type(screen.getByLabelText('Hashtag'), 'cafe');
  await user.click(await step(/^Frequência/));
  await user.click(await screen.findByRole('radio', { name: 'A cada 1 hora (recomendado)' }));
  await user.click(screen.getByRole('button', { name: 'Uma a menos' }));
  expect(plan()).toHaveTextContent('Seguir até 2 pessoas que usam #cafe, a cada 1 hora.');
  expect(plan()).toHaveTextContent('1 slot, sobram 2');
  expect(screen.getByText('Antes de publicar')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Mudar Configuração' }));
  expect(await screen.findByLabelText('Hashtag')).toHaveValue('cafe');
});

it('runs three actions when their number is left empty, and says so', async () => {
  const { user, saved } = openWizard('/automation/auto-follow-unfollow');
  await user.click(await screen.findByLabelText('Cookie do Instagram'));
  await user.paste(cookie);
  await user.click(await step(/^Configuração/));
  await user.click(await screen.findByRole('radio', { name: 'Desseguir' }));
  await user.click(await step(/^Frequência/));
  await user.click(await screen.findByRole('radio', { name: 'A cada 2 horas' }));
  const actions = screen.getByLabelText('Ações por execução');
  await user.clear(actions);
  expect(actions).toHaveAccessibleDescription(/Vazio, processamos 3 por execução/);
  expect(plan()).toHaveTextContent('Deixar de seguir até 3 pessoas');
  await user.click(screen.getByRole('button', { name: 'Criar Automação' }));
  expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
  expect(saved()[0]?.body).toMatchObject({ configuration: { rowsPerLaunch: 3 } });
});

it('refuses a number of actions that is none of one to five', async () => {
  const { user, saved } = openWizard('/automation/auto-follow-unfollow?passo=3');
  await user.type(await screen.findByLabelText('Ações por execução'), '0');
  await user.click(screen.getByRole('button', { name: 'Criar Automação' }));
  await user.click(await step(/^Frequência/));
  expect(await screen.findByLabelText('Ações por execução')).toHaveAccessibleDescription(/Digite no máximo 5 ações por execução/);
  expect(saved()).toEqual([]);
});

it('saves a tool that does not run yet as a draft only, and says so', async () => {
  setInOperation('auto-like', false);
  const { user, saved } = openWizard('/automation/auto-like');
  expect(
    await screen.findByText('Esta ferramenta ainda não está em operação. Salve como rascunho: rascunhos não usam slots.'),
  ).toBeVisible();
  expect(plan()).toHaveTextContent('nenhum slot, como rascunho');
  await user.click(await step(/^Frequência/));
  expect(screen.queryByRole('button', { name: 'Criar Automação' })).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Salvar Rascunho' }));
  expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
  expect(saved()).toMatchObject([{ body: { is_draft: true, is_active: false } }]);
});

it('forgets what was filled in when the customer leaves without saving, and keeps it when they stay', async () => {
  const { user } = openWizard('/automation/auto-follow-unfollow?passo=2');
  await user.click(await screen.findByRole('radio', { name: 'Desseguir' }));
  const link = screen.getByRole('link', { name: 'Voltar ao Dashboard' });
  await user.click(link);
  await user.click(await screen.findByRole('button', { name: 'Continuar editando' }));
  await waitFor(() => expect(link).toHaveFocus());
  expect(JSON.stringify({ ...sessionStorage })).toContain('unfollow');
  await user.click(link);
  await user.click(await screen.findByRole('button', { name: 'Sair sem salvar' }));
  expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
  expect(sessionStorage).toHaveLength(0);
  await user.click(screen.getByRole('link', { name: 'de volta' }));
  expect(await screen.findByRole('radio', { name: 'Desseguir' })).not.toBeChecked();
});

it('returns the focus to the button that opened the plans', async () => {
  const { user } = openWizard('/automation/auto-follow-unfollow', { free: 0 });
  const plans = await screen.findByRole('button', { name: 'Ver planos' });
  await user.click(plans);
  const dialog = within(await findDialog());
  await user.click(dialog.getByRole('button', { name: 'Talvez depois...' }));
  await waitFor(() => expect(plans).toHaveFocus());
});

describe('an extraction that is saved as it is', () => {
  const save = async (stored: Record<string, unknown>, type?: (user: ReturnType<typeof openWizard>['user']) => Promise<void>) => {
    const { user, saved } = openWizard('/automation/followers-following-extractor?edit=a1&passo=2', { stored });
    await screen.findByLabelText('Usuário alvo');
    await type?.(user);
    await user.click(screen.getByRole('button', { name: 'Salvar Alterações' }));
    expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
    return saved()[0]?.body as Record<string, unknown>;
  };

  it('keeps its list: neither its configuration nor its switch is sent anew', async () => {
    const body = await save(finished);
    expect(body).not.toHaveProperty('configuration');
    expect(body).toMatchObject({ is_draft: false });
    expect(body).not.toHaveProperty('is_active');
  });

  it('is extracted again from another profile', async () => {
    const body = await save(finished, async (user) => {
      await user.clear(screen.getByLabelText('Usuário alvo'));
      await user.type(screen.getByLabelText('Usuário alvo'), '@padaria');
    });
    expect(body).toMatchObject({ is_active: true, configuration: { targets: '@padaria' } });
  });

  it('is published when it was a draft', async () => {
    expect(await save({ ...finished, is_draft: true })).toMatchObject({
      is_draft: false,
      is_active: true,
      configuration: { targets: '@loja' },
    });
  });
});
