import '@testing-library/jest-dom';
import { type AutomationType, automationTypes, tools } from '@decola/contracts';
import { completeConfigurations, invalidInputs } from '@decola/contracts/wizard-inputs';
import { casesOf } from '@decola/testing/sizes';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { toast } from '../../lib/toast';
import { resetOperation, setInOperation } from '../../testing/tools-in-operation';
import { cookieOf, openWizard, withAccount } from './wizard.testing';
import { findDialog } from '../../testing/dialog';

const withWizard = automationTypes.filter((type) => tools[type].needsSession);

beforeEach(() => {
  sessionStorage.clear();
  for (const type of automationTypes) setInOperation(type, true);
});
afterEach(() => {
  cleanup();
  toast.dismiss();
  resetOperation();
});

const lists = [
  {
    id: completeConfigurations['auto-comment']['extractedSlotId'],
    automation_name: 'Clientes',
    data_type: 'followers',
    total_records: 3,
    created_at: '2026-11-20T10:00:00Z',
    is_newest: true,
  },
];

/** Opens a stored draft at its last step. */
function openDraft(type: AutomationType, change: Record<string, unknown> = {}, world: Parameters<typeof openWizard>[1] = {}) {
  const last = tools[type].steps.length;
  return openWizard(`/automation/${type}?edit=a1&passo=${last}`, {
    ...withAccount,
    lists,
    stored: {
      name: 'Minha automação',
      type,
      is_draft: true,
      configuration: { ...completeConfigurations[type], sessionStored: true, sessionAccount: '@cafe.da.lia', ...change },
      instagram_account_id: withAccount.accounts[0]?.id,
      pause_cause: null,
    },
    ...world,
  });
}

const press = async ({ user }: { user: ReturnType<typeof openWizard>['user'] }, name: string) =>
  user.click(await screen.findByRole('button', { name }));

describe('what is missing or wrong', () => {
  // The rules and the server are tested with every input; here the gate has one for each step of each tool.
  const inputs = casesOf(invalidInputs, ({ type, step }) => `${type} ${step}`);
  it.each(inputs)('in $type with $change opens step $step and is said: $message', async ({ type, change, step, message }) => {
    const wizard = openDraft(type, change);
    await press(wizard, 'Salvar Alterações');
    const error = await screen.findByText(message);
    expect(error.closest('[role="alert"]')).toBeVisible();
    expect(screen.getByRole('heading', { name: tools[type].steps[step - 1]!, level: 2 })).toBeVisible();
    const steps = within(screen.getByRole('navigation', { name: 'Passos' })).getAllByRole('button');
    expect(steps[step - 1]).toHaveAccessibleName(/\(falta algo\)/);
    expect(document.body).not.toHaveFocus();
    expect(wizard.saved()).toEqual([]);
  });

  it.each(withWizard)('in %s without an account is the cookie, at the first step', async (type) => {
    const wizard = openDraft(type, { sessionStored: false, sessionAccount: '' }, { accounts: [], sessions: [] });
    await press(wizard, 'Salvar Alterações');
    expect(await screen.findByText('Cookie do Instagram é obrigatório')).toBeVisible();
    expect(screen.getByLabelText('Cookie do Instagram')).toHaveFocus();
    expect(wizard.saved()).toEqual([]);
  });

  it('may stay so in a draft', async () => {
    const wizard = openDraft('auto-follow-unfollow', { action: '', frequency: '' });
    await press(wizard, 'Salvar Rascunho');
    expect(await screen.findByText('Rascunho atualizado!')).toBeInTheDocument();
    expect(wizard.saved()).toMatchObject([{ body: { is_draft: true, is_active: false, configuration: { action: '' } } }]);
  });
});

describe('a complete automation', () => {
  it.each(withWizard)('%s is published, and the customer goes back to the dashboard', async (type) => {
    const wizard = openDraft(type);
    await press(wizard, 'Salvar Alterações');
    expect(await screen.findByText('Automação atualizada com sucesso!')).toBeInTheDocument();
    expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
    expect(wizard.saved()).toMatchObject([
      { route: 'PATCH /rest/v1/automations', body: { name: 'Minha automação', type, is_draft: false, is_active: true } },
    ]);
  });
});

it('leads a customer from nothing to an automation, wherever they begin', async () => {
  const { user, saved, router } = openWizard('/automation/auto-follow-unfollow');
  const steps = within(await screen.findByRole('navigation', { name: 'Passos' }));
  const create = () => user.click(screen.getByRole('button', { name: 'Criar Automação' }));
  const toLast = () => user.click(steps.getByRole('button', { name: /Frequência/ }));

  // Nothing is asked for before the customer wants to save.
  await toLast();
  expect(router.state.location.search).toBe('?passo=3');
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  await create();
  expect(await screen.findByText('Cookie do Instagram é obrigatório')).toBeVisible();
  await user.click(screen.getByLabelText('Cookie do Instagram'));
  await user.paste(cookieOf('101'));
  expect(screen.queryByText('Cookie do Instagram é obrigatório')).not.toBeInTheDocument();

  await toLast();
  await create();
  expect(await screen.findByText('Selecione uma ação (Seguir ou Desseguir)')).toBeVisible();
  await user.click(screen.getByRole('radio', { name: 'Seguir' }));
  await toLast();
  await create();
  expect(await screen.findByText('Selecione um método de busca')).toBeVisible();
  await user.click(screen.getByRole('radio', { name: /hashtag/i }));
  await toLast();
  await create();
  expect(await screen.findByText('Digite uma hashtag')).toBeVisible();
  await user.type(screen.getByRole('textbox', { name: 'Hashtag' }), '#cafe');
  expect(screen.queryByText('Digite uma hashtag')).not.toBeInTheDocument();
  await toLast();
  await create();
  expect(await screen.findByText('Selecione a frequência de execução')).toBeVisible();
  await user.click(screen.getByRole('radio', { name: /recomendado/ }));
  await user.clear(screen.getByLabelText('Ações por execução'));
  await create();
  expect(await screen.findByText('Automação criada com sucesso!')).toBeInTheDocument();
  expect(saved()).toMatchObject([
    {
      body: {
        name: 'Seguir e Desseguir - Seguir',
        configuration: { action: 'follow', method: 'hashtag', targets: '#cafe', frequency: '1hour', rowsPerLaunch: 3 },
      },
    },
  ]);
});

describe('slots', () => {
  it('are needed for a draft that is published, and one too few opens the plans without a message', async () => {
    const wizard = openDraft('auto-like', {}, { free: 0 });
    await press(wizard, 'Salvar Alterações');
    expect(await findDialog('Hora de Decolar!')).toBeVisible();
    expect(screen.queryByText(/Esta automação requer/)).not.toBeInTheDocument();
    expect(wizard.saved()).toEqual([]);
  });

  it('are not needed for an automation that has its slot', async () => {
    const wizard = openWizard('/automation/auto-like?edit=a1&passo=3', {
      ...withAccount,
      free: 0,
      stored: {
        name: 'Curtir',
        type: 'auto-like',
        is_draft: false,
        configuration: { ...completeConfigurations['auto-like'], sessionStored: true, sessionAccount: '@cafe.da.lia' },
        instagram_account_id: withAccount.accounts[0]?.id,
        pause_cause: null,
      },
    });
    expect(await screen.findByText('Editando automação')).toBeVisible();
    await press(wizard, 'Salvar Alterações');
    expect(await screen.findByText('Automação atualizada com sucesso!')).toBeInTheDocument();
  });

  it('that were taken meanwhile are told by the server, and the plans open', async () => {
    let free = 1;
    const refusal = 'Esta automação requer 1 slots, mas você tem apenas 0 disponível(is).';
    const wizard = openDraft(
      'auto-like',
      {},
      {
        onFree: () => free,
        onSave: () => {
          free = 0;
          return { status: 400, body: { code: 'P0001', message: refusal } };
        },
      },
    );
    await press(wizard, 'Salvar Alterações');
    expect(await screen.findByText(refusal)).toBeInTheDocument();
    expect(await findDialog('Hora de Decolar!')).toBeVisible();
  });

  it('are not offered when the server refuses for another reason', async () => {
    const wizard = openDraft(
      'auto-like',
      {},
      { onSave: () => ({ status: 400, body: { code: 'P0001', message: 'Tipo de automação inválido' } }) },
    );
    await press(wizard, 'Salvar Alterações');
    expect(await screen.findByText('Tipo de automação inválido')).toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Salvar Alterações' })).toBeEnabled());
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });
});

describe('an automation that cannot be loaded', () => {
  it('says so, and loads on another try', async () => {
    let isBroken = true;
    const wizard = openDraft('auto-like', {}, { onStored: () => (isBroken ? { status: 500, body: { message: '' } } : undefined) });
    expect(await screen.findByText('Erro ao carregar dados da automação')).toBeVisible();
    isBroken = false;
    await press(wizard, 'Tentar novamente');
    expect(await screen.findByRole('heading', { name: 'Frequência' })).toBeVisible();
  });
});

describe('the lists that extractors have made', () => {
  const open = (world: Parameters<typeof openWizard>[1]) => openWizard('/automation/auto-like?passo=2', { ...withAccount, ...world });
  const choose = async ({ user }: ReturnType<typeof openWizard>) =>
    user.click(await screen.findByRole('radio', { name: 'Slot de dados extraídos' }));

  it('load with a text, and scroll when there are many', async () => {
    let answer = (_: { body: unknown }) => {};
    const many = Array.from({ length: 40 }, (_, index) => ({ ...lists[0], id: `l${index}`, automation_name: `Lista ${index}` }));
    const wizard = open({ onLists: () => new Promise((resolve) => (answer = resolve)) });
    await choose(wizard);
    expect(await screen.findByText('Carregando slots...')).toBeVisible();
    answer({ body: many });
    const group = await screen.findByRole('group', { name: 'Slot de dados extraídos' });
    expect(within(group).getAllByRole('radio')).toHaveLength(40);
    expect(group.parentElement).toHaveClass('max-h-64', 'overflow-y-auto');
  });

  it('say what to do while there are none, also when one is missing', async () => {
    const wizard = open({});
    await choose(wizard);
    expect(await screen.findByText('Nenhum slot com dados extraídos encontrado')).toBeVisible();
    expect(screen.getByText('Execute primeiro uma automação de extração para criar dados')).toBeVisible();
    await wizard.user.click(screen.getByRole('button', { name: 'Próximo' }));
    await press(wizard, 'Criar Automação');
    expect(await screen.findByText('Selecione um slot de dados extraídos')).toBeVisible();
  });

  it('load on another try after a failure', async () => {
    let isBroken = true;
    const wizard = open({ onLists: () => (isBroken ? { status: 500, body: { message: '' } } : { body: lists }) });
    await choose(wizard);
    expect(await screen.findByText('Não foi possível carregar os slots.')).toBeVisible();
    isBroken = false;
    await press(wizard, 'Tentar novamente');
    expect(await screen.findByRole('radio', { name: /Clientes/ })).toBeVisible();
  });
});

it('offers twenty emojis, and says what # and @ do', async () => {
  openWizard('/automation/auto-comment?passo=2', withAccount);
  const emojis = await screen.findByRole('group', { name: 'Emojis para o comentário 1' });
  expect(within(emojis).getAllByRole('button')).toHaveLength(20);
  expect(screen.getByText(/Use # para hashtags e @ para mencionar pessoas/)).toBeVisible();
});

it('warns when no slot is free, except while an automation is edited', async () => {
  openWizard('/automation/auto-like', { ...withAccount, free: 0 });
  expect(await screen.findByText(/Seus slots estão todos em uso/)).toBeVisible();
  expect(screen.getByText('Sem slots disponíveis')).toBeVisible();
  cleanup();
  openDraft('auto-like', {}, { free: 0 });
  expect(await screen.findByText('Editando automação')).toBeVisible();
  expect(screen.queryByText(/Seus slots estão todos em uso/)).not.toBeInTheDocument();
});
