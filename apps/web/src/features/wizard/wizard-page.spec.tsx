import '@testing-library/jest-dom';
import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { useSession } from '../../app/session';
import { fakeServer, showPage } from '../../testing/client';
import { WizardPage } from './wizard-page';

const cookie = 'sessionid=4242424242%3AabcdefABCDEF0123%3A12%3AAYdef0123456789abcdef0123456789; ds_user_id=4242424242; csrftoken=token';
const subscription = { subscribed: true, plan_name: 'Pro', max_slots: 3, used_slots: 0, subscription_end: null, is_trial: false };

function SignedIn({ children }: { children: ReactNode }) {
  return useSession().session ? children : null;
}

function open(address: string, world: Parameters<typeof fakeServer>[0] = {}) {
  const server = fakeServer({ functions: { 'check-subscription': subscription }, rpc: { get_available_slots: 3 }, ...world });
  showPage(
    '/automation/:type',
    address,
    <SignedIn>
      <WizardPage />
    </SignedIn>,
  );
  return { ...server, user: userEvent.setup() };
}

const next = () => screen.getByRole('button', { name: 'Próximo' });

beforeEach(() => sessionStorage.clear());
afterEach(cleanup);

it('says that a tool is unknown', async () => {
  open('/automation/nada');
  expect(await screen.findByRole('heading', { name: 'Automação não encontrada' })).toBeVisible();
});

it('opens the step that holds the problem, and says what is missing', async () => {
  const { user, written } = open('/automation/followers-following-extractor');
  await user.click(await screen.findByRole('button', { name: /Configuração/ }));
  await screen.findByText('3 slots disponíveis');
  await user.click(screen.getByRole('button', { name: 'Criar Automação' }));
  expect(screen.getByRole('button', { name: /Cookie do Instagram/ })).toHaveAttribute('aria-current', 'step');
  expect(screen.getByLabelText('Cookie do Instagram')).toHaveAccessibleDescription(/Cookie do Instagram é obrigatório/);
  await user.click(screen.getByLabelText('Cookie do Instagram'));
  await user.paste(cookie);
  await user.click(next());
  await user.click(screen.getByRole('button', { name: 'Criar Automação' }));
  expect((await screen.findAllByRole('alert')).map(({ textContent }) => textContent)).toEqual([
    'Selecione o tipo de extração',
    'Digite o usuário alvo',
  ]);
  expect(written).toEqual([]);
});

it('tells at once whose session was pasted, and what is wrong with it', async () => {
  const { user } = open('/automation/auto-like');
  const field = await screen.findByLabelText('Cookie do Instagram');
  await user.click(field);
  await user.paste(cookie);
  expect(screen.getByRole('status')).toHaveTextContent('4242424242');
  await user.clear(field);
  await user.paste('csrftoken=sozinho');
  expect(screen.getByRole('alert')).toBeVisible();
});

it('creates an extractor and goes back to the dashboard', async () => {
  const { user, written } = open('/automation/followers-following-extractor');
  await screen.findByText('3 slots disponíveis');
  await user.click(screen.getByLabelText('Cookie do Instagram'));
  await user.paste(cookie);
  await user.click(next());
  await user.click(screen.getByRole('radio', { name: /^Seguidores/ }));
  await user.type(screen.getByLabelText('Usuário alvo'), '@loja.da.ana');
  await user.click(screen.getByRole('button', { name: 'Criar Automação' }));
  expect(await screen.findByText('Automação criada com sucesso!')).toBeInTheDocument();
  expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
  expect(written).toMatchObject([
    {
      table: 'automations',
      verb: 'insert',
      row: {
        user_id: 'ana',
        type: 'followers-following-extractor',
        is_draft: false,
        is_active: true,
        configuration: { extractionType: 'followers', targets: '@loja.da.ana' },
      },
    },
  ]);
  expect(Object.keys(sessionStorage)).toEqual([]);
});

it('follows from a slot: three steps, the slot by its name', async () => {
  const { user, written } = open('/automation/auto-follow-unfollow', {
    rpc: {
      get_available_slots: 1,
      get_extracted_slots: [
        {
          id: '5f0c2d34-6f4c-4c3e-9a57-0f6b6c1a2b3c',
          automation_name: 'Clientes da loja',
          data_type: 'followers',
          total_records: 5_000,
          created_at: '2026-01-02T12:00:00Z',
        },
      ],
    },
  });
  await screen.findByText('1 slots disponíveis');
  await user.click(screen.getByLabelText('Cookie do Instagram'));
  await user.paste(cookie);
  await user.click(next());
  await user.click(screen.getByRole('radio', { name: 'Seguir' }));
  await user.click(screen.getByRole('radio', { name: 'Slot de dados extraídos' }));
  await user.click(await screen.findByRole('radio', { name: /Clientes da loja/ }));
  await user.click(next());
  expect(screen.getByLabelText('Ações por execução')).toHaveValue(3);
  await user.click(screen.getByRole('button', { name: 'Criar Automação' }));
  expect(screen.getByRole('alert')).toHaveTextContent('Selecione a frequência de execução');
  await user.click(screen.getByRole('radio', { name: 'A cada 15 minutos' }));
  await user.click(screen.getByRole('button', { name: 'Criar Automação' }));
  expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
  expect(written[0]?.row).toMatchObject({
    name: 'Seguir e Desseguir - Seguir',
    configuration: { method: 'slot', extractedSlotId: '5f0c2d34-6f4c-4c3e-9a57-0f6b6c1a2b3c', frequency: '15min', rowsPerLaunch: 3 },
  });
});

it('saves a draft with what is missing', async () => {
  const { user, written } = open('/automation/followers-following-extractor', {
    functions: { 'check-subscription': { ...subscription, used_slots: 3 } },
    rpc: { get_available_slots: 0 },
  });
  await screen.findByText('Sem slots disponíveis');
  await user.click(next());
  await user.click(screen.getByRole('button', { name: 'Salvar Rascunho' }));
  expect(await screen.findByText('Rascunho salvo com sucesso!')).toBeInTheDocument();
  expect(written[0]?.row).toMatchObject({ is_draft: true, is_active: false });
});

it('shows the sentence of the server when it refuses, and keeps what was filled in', async () => {
  const { user } = open('/automation/followers-following-extractor', {
    refusal: 'Esta automação requer 1 slots, mas você tem apenas 0 disponível(is).',
  });
  await screen.findByText('3 slots disponíveis');
  await user.click(next());
  await user.type(screen.getByLabelText('Usuário alvo'), 'loja');
  await user.click(screen.getByRole('button', { name: 'Salvar Rascunho' }));
  expect(await screen.findByText('Esta automação requer 1 slots, mas você tem apenas 0 disponível(is).')).toBeInTheDocument();
  expect(screen.getByLabelText('Usuário alvo')).toHaveValue('loja');
});

it('edits with the stored session: an empty cookie field keeps it', async () => {
  const { user, written } = open('/automation/followers-following-extractor?edit=a1', {
    tables: {
      automations: [
        { name: 'Clientes', configuration: { extractionType: 'followers', targets: '@loja', sessionStored: true, sessionAccount: '@ana' } },
      ],
    },
  });
  expect(await screen.findByText('Editando automação')).toBeVisible();
  expect(screen.getByText(/Já temos uma sessão guardada para @ana/)).toBeVisible();
  await user.click(next());
  expect(screen.getByLabelText('Usuário alvo')).toHaveValue('@loja');
  await user.click(screen.getByRole('button', { name: 'Salvar Alterações' }));
  expect(await screen.findByText('Automação atualizada com sucesso!')).toBeInTheDocument();
  expect(written).toMatchObject([{ verb: 'update', row: { name: 'Clientes', is_draft: false, is_active: true } }]);
});

it('keeps a half-filled wizard over a reload, and never the cookie', async () => {
  const { user } = open('/automation/followers-following-extractor');
  await user.click(await screen.findByLabelText('Cookie do Instagram'));
  await user.paste(cookie);
  await user.click(next());
  await user.type(screen.getByLabelText('Usuário alvo'), 'loja');
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('4242424242');
  cleanup();
  open('/automation/followers-following-extractor');
  expect(await screen.findByLabelText('Cookie do Instagram')).toHaveValue('');
  await user.click(next());
  expect(screen.getByLabelText('Usuário alvo')).toHaveValue('loja');
});
