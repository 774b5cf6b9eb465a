import '@testing-library/jest-dom';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { lazy } from 'react';
import { testUserId } from '../../testing/render-page';
import { resetOperation, setInOperation } from '../../testing/tools-in-operation';
import { openWizard as open, withAccount } from './wizard.testing';
import { findDialog } from '../../testing/dialog';

const cookie = 'sessionid=4242424242%3AabcdefABCDEF0123%3A12%3AAYdef0123456789abcdef0123456789; ds_user_id=4242424242; csrftoken=token';

const next = () => screen.findByRole('button', { name: 'Próximo' });

beforeEach(() => sessionStorage.clear());
afterEach(() => {
  cleanup();
  resetOperation();
});

it('shows that a tool is unknown', async () => {
  open('/automation/nada');
  expect(await screen.findByRole('heading', { name: 'Automação não encontrada' })).toBeVisible();
});

it('opens the step with the invalid field, and says what is missing', async () => {
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

it('shows at once whose session was pasted, or what is wrong with it', async () => {
  const { user } = open('/automation/auto-like');
  const field = await screen.findByLabelText('Cookie do Instagram');
  await user.click(field);
  await user.paste(cookie);
  expect(await screen.findByRole('status')).toHaveTextContent('4242424242');
  await user.clear(field);
  await user.paste('csrftoken=sozinho');
  expect(await screen.findByRole('alert')).toBeVisible();
});

it('shows which format was recognised, also for a row copied from the browser’s cookie table', async () => {
  const { user } = open('/automation/auto-like');
  expect(await screen.findByText(/Reconhecemos 13 formatos\./)).toBeVisible();
  await user.click(await screen.findByLabelText('Cookie do Instagram'));
  await user.paste(
    'sessionid\t4242424242%3AabcdefABCDEF0123%3A12%3AAYdef0123456789abcdef0123456789\t.instagram.com\t/\t2036-11-21T12:00:00.000Z',
  );
  expect(await screen.findByRole('status')).toHaveTextContent('Reconhecido: Linha da tabela de cookies do navegador. Conta nº 4242424242.');
});

describe('an account that the network stopped', () => {
  const accountId = '00000000-0000-4000-8000-0000000000a1';
  const stored = {
    name: 'Curtir',
    type: 'auto-like',
    configuration: { sessionStored: false, sessionAccount: '@cafe' },
    instagram_account_id: accountId,
    pause_cause: 'challenge',
  };
  const account = {
    id: accountId,
    state: 'needs_session',
    pause_cause: 'challenge',
    pause_reason: 'O Instagram pediu uma confirmação de segurança.',
    resolved_at: null,
    next_check_at: null,
  };

  it('is explained where a new session is pasted, and can be reported as resolved', async () => {
    const world = { stored, accounts: [account] as unknown[] };
    const { user, requests } = open('/automation/auto-like?edit=a1', world);
    expect(await screen.findByText(account.pause_reason)).toBeVisible();
    await user.type(screen.getByLabelText('Cookie do Instagram'), 'sessionid=meio');
    world.accounts.splice(0, 1, {
      ...account,
      pause_reason: 'Você avisou que já resolveu no Instagram.',
      resolved_at: '2026-11-21T12:00:00Z',
      next_check_at: '2026-11-21T13:00:00Z',
    });
    await user.click(screen.getByRole('button', { name: 'Já resolvi no Instagram' }));
    expect(await screen.findByText('Você avisou que já resolveu no Instagram.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Já resolvi no Instagram' })).not.toBeInTheDocument();
    expect(requests.filter(({ route }) => route === 'PATCH /rest/v1/instagram_accounts')).toHaveLength(1);
    // What is being typed stays, without a refetch.
    expect(screen.getByLabelText('Cookie do Instagram')).toHaveValue('sessionid=meio');
    expect(requests.filter(({ route }) => route === 'GET /rest/v1/automations')).toHaveLength(1);
  });

  it('is not shown for an automation that stopped for another reason', async () => {
    open('/automation/auto-like?edit=a1', { stored: { ...stored, pause_cause: 'target_gone' }, accounts: [account] });
    expect(await screen.findByLabelText('Cookie do Instagram')).toBeVisible();
    expect(screen.queryByText(account.pause_reason)).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Já resolvi no Instagram' })).not.toBeInTheDocument();
  });
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

it('creates one automation, however often the button is pressed before the dashboard has loaded', async () => {
  const NeverLoaded = lazy(() => new Promise<never>(() => undefined));
  const { user, saved } = open('/automation/followers-following-extractor?passo=2', { elsewhere: <NeverLoaded /> });
  await user.click(await screen.findByRole('button', { name: 'Salvar Rascunho' }));
  expect(await screen.findByText('Rascunho salvo com sucesso!')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Salvar Rascunho' }));
  await user.click(screen.getByRole('button', { name: 'Criar Automação' }));
  expect(saved()).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Criar Automação' })).toBeDisabled();
});

it('follows people from an extracted list: three steps, the list chosen by its name', async () => {
  const { user, saved } = open('/automation/auto-follow-unfollow', {
    free: 1,
    lists: [
      {
        id: '5f0c2d34-6f4c-4c3e-9a57-0f6b6c1a2b3c',
        automation_name: 'Clientes da loja',
        is_newest: true,
        data_type: 'followers',
        total_records: 5_000,
        created_at: '2026-01-02T12:00:00Z',
      },
    ],
  });
  await screen.findByText('1 slot disponível');
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

it('saves an incomplete draft', async () => {
  const { user, saved } = open('/automation/followers-following-extractor', { free: 0 });
  await screen.findByText('Sem slots disponíveis');
  await user.click(await next());
  await user.click(await screen.findByRole('button', { name: 'Salvar Rascunho' }));
  expect(await screen.findByText('Rascunho salvo com sucesso!')).toBeInTheDocument();
  expect(saved()[0]?.body).toMatchObject({ is_draft: true, is_active: false });
});

it('shows the server’s message when it refuses, and keeps what was filled in', async () => {
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
])('shows its own message that nothing was saved when %s', async (_, onSave) => {
  const { user } = open('/automation/followers-following-extractor?passo=2', { onSave });
  await user.click(await screen.findByRole('button', { name: 'Salvar Rascunho' }));
  expect(await screen.findByText('Erro ao salvar automação')).toBeInTheDocument();
});

it('keeps the stored session when the cookie field is empty', async () => {
  const { user, saved } = open('/automation/followers-following-extractor?edit=a1', {
    stored: {
      name: 'Clientes',
      is_draft: false,
      is_active: true,
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
  expect(saved()).toMatchObject([{ route: 'PATCH /rest/v1/automations', body: { name: 'Clientes', is_draft: false } }]);
});

describe('a published extraction', () => {
  const extraction = (isActive: boolean) => ({
    ...withAccount,
    stored: {
      name: 'Clientes',
      is_draft: false,
      is_active: isActive,
      type: 'followers-following-extractor',
      configuration: { extractionType: 'followers', targets: '@loja', sessionStored: true, sessionAccount: '@cafe.da.lia' },
      instagram_account_id: withAccount.accounts[0]?.id,
      pause_cause: isActive ? null : 'rate_limited',
    },
  });
  const saveOf = async (isActive: boolean, more = '') => {
    const { user, saved } = open('/automation/followers-following-extractor?edit=a1&passo=2', extraction(isActive));
    const target = await screen.findByLabelText('Usuário alvo');
    if (more) await user.type(target, more);
    await user.click(screen.getByRole('button', { name: 'Salvar Alterações' }));
    expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
    return saved()[0]?.body as Record<string, unknown>;
  };

  it.each([true, false])(
    'is not switched when it is saved unchanged (on: %s), so that it resumes by itself after a pause',
    async (isActive) => expect(Object.keys(await saveOf(isActive)).sort()).toEqual(['is_draft', 'name', 'type']),
  );

  it('is switched on when it is saved with another target', async () =>
    expect(await saveOf(false, '.nova')).toMatchObject({ is_active: true, configuration: { targets: '@loja.nova' } }));
});

it('shows that an edit was not saved when the automation has been deleted meanwhile, and keeps what was filled in', async () => {
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

it('keeps a half-filled wizard after a reload, but never the cookie', async () => {
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
  expect(await findDialog('Sair sem salvar?')).toBeVisible();
});

it('focuses the first invalid field when validation fails', async () => {
  const { user } = open('/automation/followers-following-extractor?passo=2');
  await user.click(await screen.findByRole('button', { name: 'Criar Automação' }));
  await waitFor(() => expect(screen.getByLabelText('Cookie do Instagram')).toHaveFocus());
  expect(await screen.findByRole('button', { name: /Configuração.*falta algo/ })).toBeVisible();
});

it('keeps the step in the URL: the back button leads to the previous one', async () => {
  const { user, router, goBack } = open('/automation/auto-like');
  await user.click(await screen.findByRole('button', { name: 'Próximo' }));
  expect(await screen.findByRole('heading', { name: 'Configuração' })).toBeVisible();
  expect(router.state.location.search).toBe('?passo=2');
  await goBack();
  expect(await screen.findByRole('heading', { name: 'Cookie do Instagram' })).toBeVisible();
});

it('redirects to the automation’s own tool', async () => {
  const { router } = open('/automation/auto-like?edit=a1', {
    stored: { name: 'Clientes', type: 'followers-following-extractor', configuration: {} },
  });
  expect(await screen.findByRole('heading', { name: 'Extrator de Seguidores e Seguindo' })).toBeVisible();
  expect(router.state.location.pathname).toBe('/automation/followers-following-extractor');
});

it('offers larger plans when too few slots are free for the tool, and says how many are missing', async () => {
  setInOperation('auto-dm-sender', true);
  const { user, saved } = open('/automation/auto-dm-sender', { free: 1 });
  await user.click(await screen.findByLabelText('Cookie do Instagram'));
  await user.paste(cookie);
  await user.click(await next());
  await user.type(await screen.findByLabelText('URL do post'), 'https://www.instagram.com/p/ABC123/');
  await user.type(await screen.findByLabelText('Palavra-chave'), 'quero');
  await user.type(await screen.findByLabelText('Mensagem por direct'), 'Oi');
  expect(screen.getByRole('complementary', { name: 'Plano de voo' })).toHaveTextContent(
    'Enviar um direct a quem comentar “quero” no seu post.',
  );
  await user.click(await screen.findByRole('button', { name: 'Criar Automação' }));
  expect(await screen.findByText('Esta automação requer 2 slots, mas você tem apenas 1 disponível(is).')).toBeInTheDocument();
  expect(await findDialog('Hora de Decolar!')).toBeVisible();
  expect(saved()).toEqual([]);
});

it('limits texts to the length that the server accepts', async () => {
  const { user } = open('/automation/auto-dm-sender?passo=2');
  await user.click(await screen.findByLabelText('Mensagem por direct'));
  await user.paste('x'.repeat(1_001));
  expect(screen.getByLabelText('Mensagem por direct')).toHaveValue('x'.repeat(1_000));
});

it('adds an emoji to the comment that was focused last, and keeps at least three comments', async () => {
  const { user } = open('/automation/auto-comment?passo=2');
  await user.type(await screen.findByLabelText('Comentário 2'), 'Que lindo ');
  await user.click(await screen.findByRole('button', { name: 'Acrescentar 🔥' }));
  expect(await screen.findByLabelText('Comentário 2')).toHaveValue('Que lindo 🔥');
  expect(screen.queryByRole('button', { name: /Remover comentário/ })).not.toBeInTheDocument();
  await user.click(await screen.findByRole('button', { name: 'Adicionar comentário' }));
  await user.click(await screen.findByRole('button', { name: 'Remover comentário 1' }));
  expect(await screen.findByLabelText('Comentário 1')).toHaveValue('Que lindo 🔥');
});
