import '@testing-library/jest-dom';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { Route, Routes } from 'react-router-dom';
import { toast } from 'sonner';
import { useSession } from '../../app/session';
import type { Subscription } from '../../app/subscription';
import { type FakeRoutes, fakeRuntime, renderPage } from '../../testing/render-page';
import { CanceledPage, PlansPage } from './plan-pages';
import { UpgradeDialog } from './upgrade-dialog';

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
  /** Slots that the automations count as free; unknown when not given. */
  free?: number;
  changePlan?: FakeRoutes[string];
  checkout?: FakeRoutes[string];
}

function show(page: ReactNode, { subscription = pro, hasHistory = true, free, changePlan, checkout }: World = {}) {
  const runtime = fakeRuntime({
    'GET /rest/v1/subscription_plans': () => ({ body: plans }),
    'GET /rest/v1/subscriptions': () => ({ body: hasHistory ? [{ id: 's1' }] : [] }),
    'POST /functions/v1/check-subscription': () => ({ body: subscription }),
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
  );
  const calls = (name: string) => runtime.requests.filter(({ route }) => route.endsWith(`/${name}`)).map(({ body }) => body);
  return { calls, user: userEvent.setup() };
}

const card = async (name: string) => {
  const items = await screen.findAllByRole('listitem');
  return within(items.find((item) => within(item).queryByRole('heading', { name }))!);
};
const preview = {
  amount_due_now: 4_230,
  currency: 'brl',
  next_amount: 14_900,
  next_date: '2026-12-20T12:00:00Z',
  proration_date: 1_795_000_000,
};

describe('/planos', () => {
  it('shows the subscription with its badge, and the plans with the words of a subscriber', async () => {
    show(<PlansPage />);
    const summary = within(await screen.findByRole('region', { name: 'Sua assinatura' }));
    expect(summary.getByText('Ativa')).toBeVisible();
    expect(summary.getByText('Renova automaticamente em 20 de dezembro de 2026.')).toBeVisible();
    expect((await card('Pro')).getByRole('button', { name: 'Plano Atual' })).toBeDisabled();
    expect((await card('Premium')).getByRole('button', { name: 'Fazer Upgrade' })).toBeEnabled();
  });

  it('keeps a plan out of reach that is too small for what is used, and says what to do', async () => {
    show(<PlansPage />);
    const starter = await card('Plano Starter');
    expect(starter.getByRole('button', { name: 'Fazer Downgrade' })).toBeDisabled();
    expect(starter.getByText('Você tem 2 automações criadas. Exclua algumas para escolher este plano.')).toBeVisible();
  });

  it('counts as the automations do: what was deleted a moment ago stands in no way', async () => {
    show(<PlansPage />, { subscription: { ...pro, used_slots: 3 }, free: 2 });
    const summary = within(await screen.findByRole('region', { name: 'Sua assinatura' }));
    expect(await summary.findByText('1 de 3 slots em uso')).toBeVisible();
    expect((await card('Plano Starter')).getByRole('button', { name: 'Fazer Downgrade' })).toBeEnabled();
  });

  it('offers the trial to who never had one, and no summary', async () => {
    show(<PlansPage />, { subscription: nobody, hasHistory: false });
    const starter = await card('Plano Starter');
    expect(await starter.findByText('7 Dias Grátis')).toBeVisible();
    expect(starter.getByRole('button', { name: 'Testar Grátis' })).toBeEnabled();
    expect((await card('Pro')).getByRole('button', { name: 'Assinar Plano' })).toBeEnabled();
    expect(screen.queryByRole('region', { name: 'Sua assinatura' })).not.toBeInTheDocument();
  });

  it('says what a change costs before it is made', async () => {
    const { user, calls } = show(<PlansPage />, {
      changePlan: (body) => ({
        body: (body as { preview?: boolean }).preview
          ? { success: true, preview }
          : { success: true, subscription: { plan_name: 'Premium' } },
      }),
    });
    await user.click((await card('Premium')).getByRole('button', { name: 'Fazer Upgrade' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Mudar para Premium' }));
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
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancelar' }));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(calls('change-plan')).toHaveLength(1);
  });

  it('lets the change be made without a preview when none can be had', async () => {
    const { user } = show(<PlansPage />, {
      changePlan: (body) =>
        (body as { preview?: boolean }).preview
          ? { status: 503, body: { error: 'indisponível' } }
          : { body: { success: true, subscription: { plan_name: 'Premium' } } },
    });
    await user.click((await card('Premium')).getByRole('button', { name: 'Fazer Upgrade' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/Não foi possível calcular os valores agora/)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Confirmar mudança' }));
    expect(await screen.findByText('Plano alterado com sucesso!')).toBeVisible();
  });

  it.each([
    ['as an expected refusal', { body: { success: false, error: 'Há um pagamento pendente.' } }],
    ['with a status', { status: 409, body: { error: 'Há um pagamento pendente.', code: 'payment_pending' } }],
  ])('says what the server refused, %s', async (_, answer) => {
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

  it('shows that a choice is being processed, and takes no second one', async () => {
    const { user } = show(<PlansPage />, { subscription: nobody, checkout: () => new Promise<never>(() => undefined) });
    await user.click((await card('Pro')).getByRole('button', { name: 'Assinar Plano' }));
    expect((await card('Pro')).getByRole('button', { name: 'Processando...' })).toBeDisabled();
    expect((await card('Premium')).getByRole('button', { name: 'Assinar Plano' })).toBeDisabled();
  });

  it('says that it did not work when nothing more is known', async () => {
    const { user } = show(<PlansPage />, { subscription: nobody, checkout: () => ({ status: 500, body: {} }) });
    await user.click((await card('Pro')).getByRole('button', { name: 'Assinar Plano' }));
    expect(await screen.findByText('Tente novamente em alguns instantes.')).toBeVisible();
  });
});

describe('/assinatura-cancelada', () => {
  it('leads who is subscribed to the dashboard', async () => {
    show(<CanceledPage />);
    expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
  });

  it('counts what was kept from a larger plan', async () => {
    show(<CanceledPage />, { subscription: { ...nobody, used_slots: 0 }, free: -4 });
    expect(await screen.findByText('Você tem 4 automações criadas. Exclua algumas para escolher este plano.')).toBeVisible();
    expect((await card('Premium')).getByRole('button', { name: 'Assinar Plano' })).toBeEnabled();
  });

  it('offers the paid plans to who had a subscription before', async () => {
    show(<CanceledPage />, { subscription: nobody });
    expect((await card('Pro')).getByRole('button', { name: 'Assinar Plano' })).toBeEnabled();
    expect(screen.queryByRole('heading', { name: 'Plano Starter' })).not.toBeInTheDocument();
  });
});

it('invites to more slots without the free plan, and lets go', async () => {
  const onClose = jest.fn();
  const { user } = show(<UpgradeDialog isOpen onClose={onClose} />);
  const dialog = within(await screen.findByRole('dialog', { name: 'Hora de Decolar!' }));
  expect(dialog.getByText('Limite de slots atingido!')).toBeVisible();
  expect(await dialog.findByRole('heading', { name: 'Premium' })).toBeVisible();
  expect(dialog.queryByRole('heading', { name: 'Plano Starter' })).not.toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'Talvez depois...' }));
  expect(onClose).toHaveBeenCalled();
});
