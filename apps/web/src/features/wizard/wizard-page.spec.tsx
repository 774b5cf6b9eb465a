import '@testing-library/jest-dom';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { lazy } from 'react';
import { testUserId } from '../../testing/render-page';
import { openWizard as open } from './wizard-support';

const cookie = 'sessionid=4242424242%3AabcdefABCDEF0123%3A12%3AAYdef0123456789abcdef0123456789; ds_user_id=4242424242; csrftoken=token';

const next = () => screen.findByRole('button', { name: 'Próximo' });

beforeEach(() => sessionStorage.clear());
afterEach(cleanup);

it('says that a tool is unknown', async () => {
  open('/automation/nada');
  expect(await screen.findByRole('heading', { name: 'Automação não encontrada' })).toBeVisible();
});

it('opens the step that holds the problem, and says what is missing', async () => {
  const { user, saved } = open('/automation/followers-following-extractor');
  await user.click(await screen.findByRole('button', { name: /Configuração/ }));
  await screen.findByText('3 slots disponíveis');
  await user.click(await screen.findByRole('button', { name: 'Criar Automação' }));
  expect(await screen.findByRole('button', { name: /Cookie do Instagram/ })).toHaveAttribute('aria-current', 'step');
  expect(await screen.findByLabelText('Cookie do Instagram')).toHaveAccessibleDescription(/Cookie do Instagram é obrigatório/);
  await user.click(await screen.findByLabelText('Cookie do Instagram'));
  await user.paste(cookie);
  await user.click(await next());
  await user.click(await screen.findByRole('button', { name: 'Criar Automação' }));
  expect((await screen.findAllByRole('alert')).map(({ textContent }) => textContent)).toEqual([
    'Selecione o tipo de extração',
    'Digite o usuário alvo',
  ]);
  expect(saved()).toEqual([]);
});

it('tells at once whose session was pasted, and what is wrong with it', async () => {
  const { user } = open('/automation/auto-like');
  const field = await screen.findByLabelText('Cookie do Instagram');
  await user.click(field);
  await user.paste(cookie);
  expect(await screen.findByRole('status')).toHaveTextContent('4242424242');
  await user.clear(field);
  await user.paste('csrftoken=sozinho');
  expect(await screen.findByRole('alert')).toBeVisible();
});

it('creates an extractor and goes back to the dashboard', async () => {
  const { user, saved } = open('/automation/followers-following-extractor');
  await screen.findByText('3 slots disponíveis');
  await user.click(await screen.findByLabelText('Cookie do Instagram'));
  await user.paste(cookie);
  await user.click(await next());
  await user.click(await screen.findByRole('radio', { name: /^Seguidores/ }));
  await user.type(await screen.findByLabelText('Usuário alvo'), '@loja.da.ana');
  await user.click(await screen.findByRole('button', { name: 'Criar Automação' }));
  expect(await screen.findByText('Automação criada com sucesso!')).toBeInTheDocument();
  expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
  expect(saved()).toMatchObject([
    {
      route: 'POST /rest/v1/automations',
      body: {
        user_id: testUserId,
        type: 'followers-following-extractor',
        is_draft: false,
        is_active: true,
        configuration: { extractionType: 'followers', targets: '@loja.da.ana' },
      },
    },
  ]);
  expect(Object.keys(sessionStorage)).toEqual([]);
});

it('creates one automation, however often it is pressed before the dashboard has been loaded', async () => {
  const NeverLoaded = lazy(() => new Promise<never>(() => undefined));
  const { user, saved } = open('/automation/followers-following-extractor?passo=2', { elsewhere: <NeverLoaded /> });
  await user.click(await screen.findByRole('button', { name: 'Salvar Rascunho' }));
  expect(await screen.findByText('Rascunho salvo com sucesso!')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Salvar Rascunho' }));
  await user.click(screen.getByRole('button', { name: 'Criar Automação' }));
  expect(saved()).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Criar Automação' })).toBeDisabled();
});

it('follows from a slot: three steps, the slot by its name', async () => {
  const { user, saved } = open('/automation/auto-follow-unfollow', {
    free: 1,
    lists: [
      {
        id: '5f0c2d34-6f4c-4c3e-9a57-0f6b6c1a2b3c',
        automation_name: 'Clientes da loja',
        data_type: 'followers',
        total_records: 5_000,
        created_at: '2026-01-02T12:00:00Z',
      },
    ],
  });
  await screen.findByText('1 slots disponíveis');
  await user.click(await screen.findByLabelText('Cookie do Instagram'));
  await user.paste(cookie);
  await user.click(await next());
  await user.click(await screen.findByRole('radio', { name: 'Seguir' }));
  await user.click(await screen.findByRole('radio', { name: 'Slot de dados extraídos' }));
  await user.click(await screen.findByRole('radio', { name: /Clientes da loja/ }));
  await user.click(await next());
  expect(await screen.findByLabelText('Ações por execução')).toHaveValue(3);
  await user.click(await screen.findByRole('button', { name: 'Criar Automação' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Selecione a frequência de execução');
  await user.click(await screen.findByRole('radio', { name: 'A cada 15 minutos' }));
  await user.click(await screen.findByRole('button', { name: 'Criar Automação' }));
  expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
  expect(saved()[0]?.body).toMatchObject({
    name: 'Seguir e Desseguir - Seguir',
    configuration: { method: 'slot', extractedSlotId: '5f0c2d34-6f4c-4c3e-9a57-0f6b6c1a2b3c', frequency: '15min', rowsPerLaunch: 3 },
  });
});

it('saves a draft with what is missing', async () => {
  const { user, saved } = open('/automation/followers-following-extractor', { free: 0 });
  await screen.findByText('Sem slots disponíveis');
  await user.click(await next());
  await user.click(await screen.findByRole('button', { name: 'Salvar Rascunho' }));
  expect(await screen.findByText('Rascunho salvo com sucesso!')).toBeInTheDocument();
  expect(saved()[0]?.body).toMatchObject({ is_draft: true, is_active: false });
});

it('shows the sentence of the server when it refuses, and keeps what was filled in', async () => {
  const { user } = open('/automation/followers-following-extractor', {
    onSave: () => ({
      status: 400,
      body: { code: 'P0001', message: 'Esta automação requer 1 slots, mas você tem apenas 0 disponível(is).' },
    }),
  });
  await screen.findByText('3 slots disponíveis');
  await user.click(await next());
  await user.type(await screen.findByLabelText('Usuário alvo'), 'loja');
  await user.click(await screen.findByRole('button', { name: 'Salvar Rascunho' }));
  expect(await screen.findByText('Esta automação requer 1 slots, mas você tem apenas 0 disponível(is).')).toBeInTheDocument();
  expect(await screen.findByLabelText('Usuário alvo')).toHaveValue('loja');
});

it.each([
  ['the connection is lost', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['a service does not answer', () => ({ status: 503, body: { code: 'PGRST002', message: 'automations is not available' } })],
])('says in words of its own that nothing was saved when %s', async (_, onSave) => {
  const { user } = open('/automation/followers-following-extractor?passo=2', { onSave });
  await user.click(await screen.findByRole('button', { name: 'Salvar Rascunho' }));
  expect(await screen.findByText('Erro ao salvar automação')).toBeInTheDocument();
});

it('edits with the stored session: an empty cookie field keeps it', async () => {
  const { user, saved } = open('/automation/followers-following-extractor?edit=a1', {
    stored: {
      name: 'Clientes',
      type: 'followers-following-extractor',
      configuration: { extractionType: 'followers', targets: '@loja', sessionStored: true, sessionAccount: '@ana' },
    },
  });
  expect(await screen.findByText('Editando automação')).toBeVisible();
  expect(await screen.findByText(/Já temos uma sessão guardada para @ana/)).toBeVisible();
  await user.click(await next());
  expect(await screen.findByLabelText('Usuário alvo')).toHaveValue('@loja');
  await user.click(await screen.findByRole('button', { name: 'Salvar Alterações' }));
  expect(await screen.findByText('Automação atualizada com sucesso!')).toBeInTheDocument();
  expect(saved()).toMatchObject([{ route: 'PATCH /rest/v1/automations', body: { name: 'Clientes', is_draft: false, is_active: true } }]);
});

it('says that an edit was not saved when the automation has been deleted meanwhile, and keeps what was filled in', async () => {
  const { user } = open('/automation/followers-following-extractor?edit=a1&passo=2', {
    stored: {
      name: 'Clientes',
      type: 'followers-following-extractor',
      configuration: { extractionType: 'followers', targets: '@loja', sessionStored: true, sessionAccount: '@ana' },
    },
    onSave: () => ({ body: [] }),
  });
  await user.type(await screen.findByLabelText('Usuário alvo'), '.nova');
  await user.click(screen.getByRole('button', { name: 'Salvar Alterações' }));
  expect(await screen.findByText('Erro ao salvar automação')).toBeInTheDocument();
  expect(screen.getByLabelText('Usuário alvo')).toHaveValue('@loja.nova');
});

it('keeps a half-filled wizard over a reload, and never the cookie', async () => {
  const { user } = open('/automation/followers-following-extractor');
  await user.click(await screen.findByLabelText('Cookie do Instagram'));
  await user.paste(cookie);
  await user.click(await next());
  await user.type(await screen.findByLabelText('Usuário alvo'), 'loja');
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('4242424242');
  cleanup();
  open('/automation/followers-following-extractor');
  expect(await screen.findByLabelText('Cookie do Instagram')).toHaveValue('');
  await user.click(await next());
  expect(await screen.findByLabelText('Usuário alvo')).toHaveValue('loja');
  await user.click(screen.getByRole('link', { name: 'Voltar ao Dashboard' }));
  expect(await screen.findByRole('dialog', { name: 'Sair sem salvar?' })).toBeVisible();
});

it('stands at the first problem when a save fails its check', async () => {
  const { user } = open('/automation/followers-following-extractor?passo=2');
  await user.click(await screen.findByRole('button', { name: 'Criar Automação' }));
  await waitFor(() => expect(screen.getByLabelText('Cookie do Instagram')).toHaveFocus());
  expect(await screen.findByRole('button', { name: /Configuração.*falta algo/ })).toBeVisible();
});

it('keeps the step in the address: back leads to the one before', async () => {
  const { user, router, goBack } = open('/automation/auto-like');
  await user.click(await screen.findByRole('button', { name: 'Próximo' }));
  expect(await screen.findByRole('heading', { name: 'Configuração' })).toBeVisible();
  expect(router.state.location.search).toBe('?passo=2');
  await goBack();
  expect(await screen.findByRole('heading', { name: 'Cookie do Instagram' })).toBeVisible();
});

it('opens the tool that the automation really is', async () => {
  const { router } = open('/automation/auto-like?edit=a1', {
    stored: { name: 'Clientes', type: 'followers-following-extractor', configuration: {} },
  });
  expect(await screen.findByRole('heading', { name: 'Extrator de Seguidores e Seguindo' })).toBeVisible();
  expect(router.state.location.pathname).toBe('/automation/followers-following-extractor');
});

it('offers more slots when the plan has too few for the tool, and says how many are missing', async () => {
  const { user, saved } = open('/automation/auto-dm-sender', { free: 1 });
  await user.click(await screen.findByLabelText('Cookie do Instagram'));
  await user.paste(cookie);
  await user.click(await next());
  await user.type(await screen.findByLabelText('URL do post'), 'https://www.instagram.com/p/ABC123/');
  await user.type(await screen.findByLabelText('Palavra-chave'), 'quero');
  await user.type(await screen.findByLabelText('Mensagem por direct'), 'Oi');
  expect(await screen.findByText('Enviar um direct a quem comentar “quero” no seu post.')).toBeVisible();
  await user.click(await screen.findByRole('button', { name: 'Criar Automação' }));
  expect(await screen.findByText('Esta automação requer 2 slots, mas você tem apenas 1 disponível(is).')).toBeInTheDocument();
  expect(await screen.findByRole('dialog', { name: 'Hora de Decolar!' })).toBeVisible();
  expect(saved()).toEqual([]);
});

it('takes no longer text than can be sent', async () => {
  const { user } = open('/automation/auto-dm-sender?passo=2');
  await user.click(await screen.findByLabelText('Mensagem por direct'));
  await user.paste('x'.repeat(1_001));
  expect(screen.getByLabelText('Mensagem por direct')).toHaveValue('x'.repeat(1_000));
});

it('adds an emoji to the comment that was written last, and keeps at least three', async () => {
  const { user } = open('/automation/auto-comment?passo=2');
  await user.type(await screen.findByLabelText('Comentário 2'), 'Que lindo ');
  await user.click(await screen.findByRole('button', { name: 'Acrescentar 🔥' }));
  expect(await screen.findByLabelText('Comentário 2')).toHaveValue('Que lindo 🔥');
  expect(screen.queryByRole('button', { name: /Remover comentário/ })).not.toBeInTheDocument();
  await user.click(await screen.findByRole('button', { name: 'Adicionar comentário' }));
  await user.click(await screen.findByRole('button', { name: 'Remover comentário 1' }));
  expect(await screen.findByLabelText('Comentário 1')).toHaveValue('Que lindo 🔥');
});
