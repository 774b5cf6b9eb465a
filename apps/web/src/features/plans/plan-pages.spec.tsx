import '@testing-library/jest-dom';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { Route, Routes } from 'react-router-dom';
import { toast } from '../../lib/toast';
import { useSession } from '../../session/session';
import type { Subscription } from '../../session/subscription';
import { type FakeRoutes, fakeApi, renderPage } from '../../testing/render-page';
import { CanceledPage, PlansPage } from './plan-pages';
import { UpgradeDialog } from './upgrade-dialog';
import { findDialog } from '../../testing/dialog';

beforeEach(() => localStorage.clear());
afterEach(() => void toast.dismiss());

const plans = [
  { key: 'starter', name: 'Plano Starter', max_slots: 1, price_cents: 4_900, trial_days: 7, is_popular: false },
  { key: 'pro', name: 'Pro', max_slots: 3, price_cents: 8_900, trial_days: 0, is_popular: true },
  { key: 'premium', name: 'Premium', max_slots: 6, price_cents: 14_900, trial_days: 0, is_popular: false },
].map((plan) => ({
  ...plan,
  id: plan.key,
  description: null,
  price_id: `price_${plan.key}`,
  features: [`${plan.max_slots} slots ativos`],
}));

const pro: Subscription = {
  subscribed: true,
  plan_name: 'Pro',
  max_slots: 3,
  used_slots: 2,
  subscription_end: '2026-12-20T12:00:00Z',
  is_trial: false,
  trial_ends_at: null,
  is_canceled: false,
  is_past_due: false,
  will_renew: true,
};
const nobody: Subscription = { ...pro, subscribed: false, plan_name: null, max_slots: 0, used_slots: 0, will_renew: false };

function WhenSignedIn({ children }: { children: ReactNode }) {
  return useSession().session ? children : null;
}

interface World {
  subscription?: Subscription;
  hasHistory?: boolean;
  /** Free slots according to the automations service; unknown when not given. */
  free?: number;
  changePlan?: FakeRoutes[string];
  checkout?: FakeRoutes[string];
  /** Query of the page's address. */
  search?: string;
  automations?: { id: string; type: string; name: string }[];
  check?: FakeRoutes[string];
}

function show(
  page: ReactNode,
  { subscription = pro, hasHistory = true, free, changePlan, checkout, search = '', automations, check }: World = {},
) {
  const runtime = fakeApi({
    'GET /rest/v1/subscription_plans': () => ({ body: plans }),
    'GET /rest/v1/subscriptions': () => ({ body: hasHistory ? [{ id: 's1' }] : [] }),
    'POST /functions/v1/check-subscription': check ?? (() => ({ body: subscription })),
    ...(automations
      ? { 'GET /rest/v1/automations': () => ({ body: automations }), 'GET /rest/v1/blog_automations': () => ({ body: [] }) }
      : {}),
    ...(free === undefined ? {} : { 'POST /rest/v1/rpc/get_available_slots': () => ({ body: free }) }),
    ...(changePlan ? { 'POST /functions/v1/change-plan': changePlan } : {}),
    ...(checkout ? { 'POST /functions/v1/create-checkout': checkout } : {}),
  });
  runtime.signIn();
  renderPage(
    <WhenSignedIn>
      <Routes>
        <Route path="/" element={page} />
        <Route path="/adm" element={<h1>Painel</h1>} />
      </Routes>
    </WhenSignedIn>,
    { path: `/${search}` },
  );
  const calls = (name: string) => runtime.requests.filter(({ route }) => route.endsWith(`/${name}`)).map(({ body }) => body);
  return { calls, user: userEvent.setup() };
}

const card = async (name: string) => {
  const items = await screen.findAllByRole('listitem');
  return within(items.find((item) => within(item).queryByRole('heading', { name }))!);
};
/** Names of the plans with a filled button; at most one is expected. */
const filledButtons = async () =>
  (await screen.findAllByRole('listitem')).flatMap((item) =>
    within(item)
      .queryAllByRole('button')
      .filter(({ className }) => className.includes('bg-brand'))
      .map(({ textContent }) => `${within(item).getByRole('heading').textContent}: ${textContent}`),
  );
const preview = {
  amount_due_now: 4_230,
  currency: 'brl',
  next_amount: 14_900,
  next_date: '2026-12-20T12:00:00Z',
  proration_date: 1_795_000_000,
};

describe('/planos', () => {
  it('shows the subscription with its badge, and the plan buttons with a subscriber’s labels', async () => {
    show(<PlansPage />);
    const summary = within(await screen.findByRole('region', { name: 'Sua assinatura' }));
    expect(summary.getByText('Ativa')).toBeVisible();
    expect(summary.getByText('Renova automaticamente em 20 de dezembro de 2026.')).toBeVisible();
    expect((await card('Pro')).getByRole('button', { name: 'Plano Atual' })).toBeDisabled();
    expect((await card('Premium')).getByRole('button', { name: 'Fazer Upgrade' })).toBeEnabled();
  });

  it('disables a plan with fewer slots than are in use, and says what to do', async () => {
    show(<PlansPage />);
    const starter = await card('Plano Starter');
    expect(starter.getByRole('button', { name: 'Fazer Downgrade' })).toBeDisabled();
    expect(starter.getByText('Você tem 2 automações criadas. Exclua algumas para escolher este plano.')).toBeVisible();
  });

  it('counts the slots like the automations service: an automation that was just deleted does not count', async () => {
    show(<PlansPage />, { subscription: { ...pro, used_slots: 3 }, free: 2 });
    const summary = within(await screen.findByRole('region', { name: 'Sua assinatura' }));
    expect(await summary.findByText('1 de 3 slots em uso')).toBeVisible();
    expect((await card('Plano Starter')).getByRole('button', { name: 'Fazer Downgrade' })).toBeEnabled();
  });

  it('offers the trial to people who never had one, and shows no summary', async () => {
    show(<PlansPage />, { subscription: nobody, hasHistory: false });
    const starter = await card('Plano Starter');
    expect(await starter.findByText('7 Dias Grátis')).toBeVisible();
    expect(starter.getByRole('button', { name: 'Testar Grátis' })).toBeEnabled();
    expect((await card('Pro')).getByRole('button', { name: 'Assinar Plano' })).toBeEnabled();
    expect(screen.queryByRole('region', { name: 'Sua assinatura' })).not.toBeInTheDocument();
  });

  it('shows the cost of a change before it is made', async () => {
    const { user, calls } = show(<PlansPage />, {
      changePlan: (body) => ({
        body: (body as { preview?: boolean }).preview
          ? { success: true, preview }
          : { success: true, subscription: { plan_name: 'Premium' } },
      }),
    });
    await user.click((await card('Premium')).getByRole('button', { name: 'Fazer Upgrade' }));
    const dialog = within(await findDialog('Mudar para Premium'));
    expect(dialog.getByText(/^R\$\s42,30$/)).toBeVisible();
    expect(dialog.getByText('Próxima cobrança, em 20 de dezembro de 2026')).toBeVisible();
    expect(calls('change-plan')).toEqual([{ new_price_id: 'price_premium', preview: true }]);
    await user.click(dialog.getByRole('button', { name: 'Confirmar mudança' }));
    expect(await screen.findByText('Plano alterado com sucesso!')).toBeVisible();
    expect(screen.getByText('Seu plano foi atualizado para Premium')).toBeVisible();
    expect(calls('change-plan')[1]).toEqual({ new_price_id: 'price_premium', proration_date: 1_795_000_000 });
  });

  it('changes nothing when the preview is dismissed', async () => {
    const { user, calls } = show(<PlansPage />, { changePlan: () => ({ body: { success: true, preview } }) });
    await user.click((await card('Premium')).getByRole('button', { name: 'Fazer Upgrade' }));
    await user.click(within(await findDialog()).getByRole('button', { name: 'Cancelar' }));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(calls('change-plan')).toHaveLength(1);
  });

  it('allows the change without a preview when none can be loaded', async () => {
    const { user } = show(<PlansPage />, {
      changePlan: (body) =>
        (body as { preview?: boolean }).preview
          ? { status: 503, body: { error: 'indisponível' } }
          : { body: { success: true, subscription: { plan_name: 'Premium' } } },
    });
    await user.click((await card('Premium')).getByRole('button', { name: 'Fazer Upgrade' }));
    const dialog = within(await findDialog());
    expect(dialog.getByText(/Não foi possível calcular os valores agora/)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Confirmar mudança' }));
    expect(await screen.findByText('Plano alterado com sucesso!')).toBeVisible();
  });

  it.each([
    ['as an expected refusal', { body: { success: false, error: 'Há um pagamento pendente.' } }],
    ['with a status', { status: 409, body: { error: 'Há um pagamento pendente.', code: 'payment_pending' } }],
  ])('shows the server’s refusal, %s', async (_, answer) => {
    const { user } = show(<PlansPage />, { changePlan: () => answer });
    await user.click((await card('Premium')).getByRole('button', { name: 'Fazer Upgrade' }));
    expect(await screen.findByText('Erro ao processar')).toBeVisible();
    expect(screen.getByText('Há um pagamento pendente.')).toBeVisible();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('opens the payment page in a new tab', async () => {
    const open = jest.spyOn(window, 'open').mockReturnValue(window);
    const { user, calls } = show(<PlansPage />, {
      subscription: nobody,
      hasHistory: false,
      checkout: () => ({ body: { url: 'https://checkout.example/1' } }),
    });
    await user.click((await card('Pro')).getByRole('button', { name: 'Assinar Plano' }));
    await (await card('Pro')).findByRole('button', { name: 'Assinar Plano' });
    expect(open).toHaveBeenCalledWith('https://checkout.example/1', '_blank');
    expect(calls('create-checkout')).toEqual([{ price_id: 'price_pro' }]);
    open.mockRestore();
  });

  it('shows that a choice is being processed, and allows no second one', async () => {
    const { user } = show(<PlansPage />, { subscription: nobody, checkout: () => new Promise<never>(() => undefined) });
    await user.click((await card('Pro')).getByRole('button', { name: 'Assinar Plano' }));
    expect((await card('Pro')).getByRole('button', { name: 'Processando...' })).toBeDisabled();
    expect((await card('Premium')).getByRole('button', { name: 'Assinar Plano' })).toBeDisabled();
  });

  it('shows a general error when the server gives no reason', async () => {
    const { user } = show(<PlansPage />, { subscription: nobody, checkout: () => ({ status: 500, body: {} }) });
    await user.click((await card('Pro')).getByRole('button', { name: 'Assinar Plano' }));
    expect(await screen.findByText('Tente novamente em alguns instantes.')).toBeVisible();
  });
});

describe('/assinatura-cancelada', () => {
  it('redirects subscribers to the dashboard', async () => {
    show(<CanceledPage />);
    expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
  });

  it('counts automations that were kept from a larger plan, and offers the plan that they fit into', async () => {
    show(<CanceledPage />, { subscription: { ...nobody, used_slots: 0 }, free: -4 });
    const starter = await card('Plano Starter');
    expect(await starter.findByText('Você tem 4 automações criadas. Exclua algumas para escolher este plano.')).toBeVisible();
    expect(starter.getByRole('button', { name: 'Assinar Plano' })).toBeDisabled();
    expect((await card('Premium')).getByRole('button', { name: 'Assinar Plano' })).toBeEnabled();
    expect(await filledButtons()).toEqual(['Premium: Assinar Plano']);
  });

  it('offers former subscribers every plan, Starter without a trial', async () => {
    show(<CanceledPage />, { subscription: { ...nobody, subscription_end: '2026-11-03T12:00:00Z' } });
    expect((await card('Pro')).getByRole('button', { name: 'Assinar Plano' })).toBeEnabled();
    const starter = await card('Plano Starter');
    expect(starter.getByText(/^R\$\s49$/)).toBeVisible();
    expect(starter.getByRole('button', { name: 'Assinar Plano' })).toBeEnabled();
    expect(screen.queryByText(/grátis/i)).not.toBeInTheDocument();
  });

  it('names what waits for the customer', async () => {
    show(<CanceledPage />, {
      subscription: nobody,
      automations: [{ id: 'a1', type: 'auto-like', name: 'Curtir #cafe' }],
    });
    const kept = within(await screen.findByRole('region', { name: 'O que espera por você' }));
    expect(kept.getByText('Curtir #cafe')).toBeVisible();
  });

  it('sends people who never subscribed to the dashboard', async () => {
    show(<CanceledPage />, { subscription: nobody, hasHistory: false });
    expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
  });
});

describe('the upgrade dialog', () => {
  const openDialog = async (world: World, onClose = jest.fn()) => {
    const shown = show(<UpgradeDialog isOpen onClose={onClose} />, world);
    return { ...shown, onClose, dialog: within(await findDialog('Hora de Decolar!')) };
  };

  it('offers more slots without the trial plan, and can be closed', async () => {
    const { dialog, user, onClose } = await openDialog({ subscription: { ...pro, used_slots: 3 }, free: 0 });
    expect(await dialog.findByText('Limite de slots atingido!')).toBeVisible();
    expect(await dialog.findByRole('heading', { name: 'Premium' })).toBeVisible();
    expect(dialog.queryByRole('heading', { name: 'Plano Starter' })).not.toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Talvez depois...' }));
    expect(onClose).toHaveBeenCalled();
  });

  it.each([
    [1, '1 slot livre'],
    [2, '2 slots livres'],
  ])('says how many slots are free while some are: %i', async (free, text) => {
    const { dialog } = await openDialog({ free });
    expect(await dialog.findByText(text)).toBeVisible();
    expect(dialog.queryByText('Limite de slots atingido!')).not.toBeInTheDocument();
  });

  it('sells no smaller plan to whoever has the highest', async () => {
    const { dialog } = await openDialog({ subscription: { ...pro, plan_name: 'Premium', max_slots: 6 }, free: 0 });
    expect(await dialog.findByText(/^O Premium já é o nosso maior plano\./)).toBeVisible();
    expect(dialog.getByRole('button', { name: 'Minha assinatura' })).toBeVisible();
    expect(dialog.queryByRole('listitem')).not.toBeInTheDocument();
    expect(dialog.queryByText(/Downgrade/)).not.toBeInTheDocument();
  });
});

it('marks the plan that was chosen on the landing page, and gives its card the filled button', async () => {
  show(<PlansPage />, { subscription: nobody, hasHistory: false, search: '?plan=premium' });
  const premium = await card('Premium');
  expect(premium.getByText('Sua escolha')).toBeVisible();
  expect(await filledButtons()).toEqual(['Premium: Assinar Plano']);
});

it.each<[string, Partial<World>, string[]]>([
  ['the trial for newcomers', { subscription: nobody, hasHistory: false }, ['Plano Starter: Testar Grátis']],
  ['the most popular for former subscribers', { subscription: nobody }, ['Pro: Assinar Plano']],
  ['the upgrade for subscribers', {}, ['Premium: Fazer Upgrade']],
  ['never a downgrade', { subscription: { ...pro, plan_name: 'Premium', max_slots: 6 }, search: '?plan=pro' }, []],
  ['none before a payment problem is solved', { subscription: { ...pro, is_past_due: true } }, []],
])('has one filled button: %s', async (_, world, expected) => {
  show(<PlansPage />, { free: 3, ...world });
  await card('Pro');
  expect(await filledButtons()).toEqual(expected);
});

it('shows that an upgrade ends the trial', async () => {
  const trial = { ...pro, plan_name: 'Plano Starter', max_slots: 1, used_slots: 1, is_trial: true };
  const { user } = show(<PlansPage />, { subscription: trial, changePlan: () => ({ body: { success: true, preview } }) });
  await user.click((await card('Pro')).getByRole('button', { name: 'Fazer Upgrade' }));
  const dialog = within(await findDialog('Mudar para Pro'));
  expect(dialog.getByText(/^Seu teste grátis termina agora/)).toBeVisible();
  await user.keyboard('{Escape}');
  await waitFor(async () => expect((await card('Pro')).getByRole('button', { name: 'Fazer Upgrade' })).toHaveFocus());
});

it('names slots where automations use more than one', async () => {
  show(<PlansPage />, {
    subscription: { ...pro, used_slots: 3 },
    free: 0,
    automations: [
      { id: 'a1', type: 'auto-dm-sender', name: 'Direct' },
      { id: 'a2', type: 'auto-like', name: 'Curtir' },
    ],
  });
  expect(
    await (
      await card('Plano Starter')
    ).findByText('Você tem 2 automações criadas, que usam 3 slots. Exclua algumas para escolher este plano.'),
  ).toBeVisible();
});

it.each([
  ['/planos', <PlansPage key="plans" />],
  ['/assinatura-cancelada', <CanceledPage key="canceled" />],
])('says on %s that the subscription could not be checked, and tries again', async (_, page) => {
  jest.useFakeTimers();
  try {
    let isDown = true;
    show(page, { check: () => (isDown ? { status: 503, body: {} } : { body: pro }) });
    const pass = async (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) await act(() => jest.advanceTimersByTimeAsync(1_000));
    };
    await pass(30);
    expect(screen.getByText('Não foi possível verificar sua assinatura.')).toBeVisible();
    expect(screen.queryByText(/grátis/i)).not.toBeInTheDocument();
    isDown = false;
    fireEvent.click(screen.getByRole('button', { name: 'Tentar novamente' }));
    await pass(2);
    expect(screen.queryByText('Não foi possível verificar sua assinatura.')).not.toBeInTheDocument();
  } finally {
    jest.useRealTimers();
  }
});
