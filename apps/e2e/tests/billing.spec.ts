import { longOnly } from '@decola/testing/sizes';
import type { Page } from '@playwright/test';
import { callFunction } from '../../../scripts/lib/customer.mjs';
import { cards, centavos, day, inNewTab, payOnCheckout, planCard, stripe, subscriptionIs, withPlan } from '../src/money.js';
import {
  chooseInMenu,
  enter,
  expect,
  expectNoSlots,
  holdSlots,
  type Registered,
  registered,
  slotCounter,
  test,
  type TracedHarness,
} from '../src/journey.js';

/** Enters a card on the provider's page and begins a trial with it. */
async function beginTrial(harness: TracedHarness, page: Page, person: Registered, card: string) {
  await enter(page, harness, person);
  const checkout = await inNewTab(page, () => planCard(page, 'Plano Starter').getByRole('button', { name: 'Testar Grátis' }).click());
  await payOnCheckout(checkout, card);
  await expect(slotCounter(checkout, 0, 1)).toBeAttached();
  await subscriptionIs(person.client, { subscribed: true, is_trial: true });
  return checkout;
}

test('an upgrade costs what the page said, to the centavo', async ({ page, harness }) => {
  const person = await registered(harness, 'sobe');
  await withPlan(person.client, 'pro');
  await stripe.pass(harness, person.userId, 10 * day + 12_345);
  await enter(page, harness, person);
  await page.goto(`${harness.gateway}/planos`);
  await planCard(page, 'Premium').getByRole('button', { name: 'Fazer Upgrade' }).click();
  const dialog = page.getByRole('dialog', { name: 'Mudar para Premium' });
  const shown = centavos(
    await dialog
      .getByText(/^R\$\s[\d.,]+$/)
      .first()
      .innerText(),
  );
  // The difference of the prices for twenty of about thirty days.
  expect(shown).toBeGreaterThan(3_500);
  expect(shown).toBeLessThan(4_300);
  await dialog.getByRole('button', { name: 'Confirmar mudança' }).click();
  await expect(page.getByText('Plano alterado com sucesso!')).toBeVisible();
  await expect(page.getByText('Seu plano foi atualizado para Premium')).toBeVisible();
  await expect(planCard(page, 'Premium').getByRole('button', { name: 'Plano Atual' })).toBeDisabled();
  await expect(slotCounter(page, 0, 6)).toBeAttached();
  expect(await stripe.paid(harness, person.userId)).toEqual([8_900, shown]);
});

test('a plan with fewer slots than are used cannot be chosen', async ({ page, harness }) => {
  const person = await registered(harness, 'desce');
  await withPlan(person.client, 'premium');
  await holdSlots(person, ['Manhã', 'Tarde', 'Noite', 'Madrugada']);
  await enter(page, harness, person);
  await page.goto(`${harness.gateway}/planos`);
  const pro = planCard(page, 'Pro');
  await expect(pro.getByRole('button', { name: 'Fazer Downgrade' })).toBeDisabled();
  await expect(pro.getByText('Você tem 4 automações criadas. Exclua algumas para escolher este plano.')).toBeVisible();

  // The server checks it too.
  const { data: plans } = await person.client.from('subscription_plans').select('key,price_id');
  const price = (plans as { key: string; price_id: string }[]).find(({ key }) => key === 'pro')?.price_id;
  await expect(callFunction(person.client, 'change-plan', { new_price_id: price })).rejects.toThrow(
    'Suas automações usam 4 slots. Exclua algumas para escolher este plano.',
  );
  await subscriptionIs(person.client, { plan_name: 'Premium' });
});

for (const title of longOnly(['a customer who uses all slots is offered a larger plan']))
  test(title, async ({ page, harness }) => {
    const person = await registered(harness, 'cheia');
    await withPlan(person.client, 'pro');
    await holdSlots(person, ['Manhã', 'Tarde', 'Noite']);
    await enter(page, harness, person);
    await expect(slotCounter(page, 3, 3)).toBeAttached();
    // The control is marked as disabled, but a click still explains why.
    await page.getByRole('button', { name: 'Sem slots' }).first().click({ force: true });
    const dialog = page.getByRole('dialog', { name: 'Hora de Decolar!' });
    await expect(dialog.getByText('Limite de slots atingido!')).toBeVisible();
    await expect(dialog.getByRole('heading', { name: 'Premium' })).toBeVisible();
    await expect(dialog.getByRole('heading', { name: 'Plano Starter' })).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Talvez depois...' }).click();
    await expect(dialog).toBeHidden();
    await page.getByRole('button', { name: 'Adicionar mais slots' }).click();
    await dialog.getByRole('listitem').filter({ hasText: 'Premium' }).getByRole('button', { name: 'Fazer Upgrade' }).click();
    await page.getByRole('dialog', { name: 'Mudar para Premium' }).getByRole('button', { name: 'Confirmar mudança' }).click();
    await expect(page.getByText('Plano alterado com sucesso!')).toBeVisible();
    await expect(slotCounter(page, 3, 6)).toBeAttached();
    await expect(page.getByRole('link', { name: 'Use agora' }).first()).toBeVisible();
  });

for (const title of longOnly(['a cancelled subscription lasts until the end of its period, and can be bought again']))
  test(title, async ({ page, harness }) => {
    const person = await registered(harness, 'volta');
    await withPlan(person.client, 'pro');
    await enter(page, harness, person);
    await expect(page.getByRole('heading', { name: 'Suas automações' })).toBeVisible();
    const portal = await inNewTab(page, () => chooseInMenu(page, 'Minha Assinatura'));
    await portal.getByTestId('portal-cancel').click();
    await portal.getByTestId('portal-cancel-confirm').click();
    await subscriptionIs(person.client, { subscribed: true, is_canceled: true });
    await portal.close();

    await page.goto(`${harness.gateway}/planos`);
    const summary = page.getByLabel('Sua assinatura');
    await expect(summary.getByText('Cancelada')).toBeVisible();
    await expect(summary).toContainText('não será renovada');

    await stripe.pass(harness, person.userId, 32 * day);
    await subscriptionIs(person.client, { subscribed: false });
    await page.goto(`${harness.gateway}/adm`);
    await expect(page).toHaveURL(/\/assinatura-cancelada$/);
    await expect(page.getByRole('heading', { name: 'Pro', exact: true })).toBeVisible();
    // Nobody has a second trial: Starter costs its price at once.
    await expect(planCard(page, 'Plano Starter')).toContainText(/R\$\s*49/);
    await expect(planCard(page, 'Plano Starter').getByRole('button', { name: 'Assinar Plano' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Testar Grátis' })).toHaveCount(0);
    // The redirect replaced the dashboard in the history, so that the back button does not lead into a loop.
    await expectNoSlots(page);

    const checkout = await inNewTab(page, () => planCard(page, 'Pro').getByRole('button', { name: 'Assinar Plano' }).click());
    await expect(checkout.getByTestId('checkout-price')).not.toHaveText(/grátis/i);
    await payOnCheckout(checkout, cards.visa);
    await expect(checkout.getByRole('heading', { name: 'Suas automações' })).toBeVisible();
    await expect(slotCounter(checkout, 0, 3)).toBeAttached();
    await checkout.goto(`${harness.gateway}/assinatura-cancelada`);
    await expect(checkout).toHaveURL(/\/adm$/);
    expect(await stripe.paid(harness, person.userId)).toEqual([8_900, 8_900]);
  });

test('a failed renewal is reported, and paid with another card', async ({ page, harness }) => {
  const person = await registered(harness, 'devendo');
  await withPlan(person.client, 'pro');
  await stripe.card(harness, person.userId, 'chargeCustomerFail');
  await stripe.pass(harness, person.userId, 32 * day);
  await subscriptionIs(person.client, { subscribed: true, is_past_due: true });
  await enter(page, harness, person);
  await expect(page.getByRole('heading', { name: 'Suas automações' })).toBeVisible();
  await page.goto(`${harness.gateway}/planos`);
  const summary = page.getByLabel('Sua assinatura');
  await expect(summary.getByText('Pagamento pendente')).toBeVisible();

  const portal = await inNewTab(page, () => summary.getByRole('button', { name: 'Atualizar pagamento' }).click());
  await portal.locator('[name=cardNumber]').fill(cards.brazil);
  await portal.locator('[name=cardExpiry]').fill('12/34');
  await portal.locator('[name=cardCvc]').fill('123');
  await portal.getByTestId('portal-card-submit').click();
  await expect(portal.getByText('Cartão salvo.')).toBeVisible();
  await portal.getByTestId('portal-pay-invoice').first().click();
  await portal.getByTestId('invoice-pay').click();
  await expect(portal.getByTestId('invoice-status')).toHaveText('Paga');
  await portal.close();

  await subscriptionIs(person.client, { subscribed: true, is_past_due: false });
  await page.reload();
  await expect(summary.getByText('Ativa')).toBeVisible();
  await expect(summary).toContainText('Renova automaticamente em');
  expect(await stripe.paid(harness, person.userId)).toEqual([8_900, 8_900]);
});

for (const title of longOnly(['a trial that ends becomes a paid plan']))
  test(title, async ({ page, harness }) => {
    const person = await registered(harness, 'fica');
    const app = await beginTrial(harness, page, person, cards.brazil);
    await stripe.pass(harness, person.userId, 7 * day + 2 * 3_600);
    await subscriptionIs(person.client, { subscribed: true, is_trial: false, is_past_due: false });
    await app.goto(`${harness.gateway}/planos`);
    await expect(app.getByLabel('Sua assinatura').getByText('Ativa')).toBeVisible();
    expect(await stripe.paid(harness, person.userId)).toEqual([0, 4_900]);
  });

for (const title of longOnly(['a trial whose first charge is declined gives no further access']))
  test(title, async ({ page, harness }) => {
    const person = await registered(harness, 'sai');
    const app = await beginTrial(harness, page, person, cards.failsLater);
    await stripe.pass(harness, person.userId, 7 * day + 2 * 3_600);
    await subscriptionIs(person.client, { subscribed: false });
    await app.goto(`${harness.gateway}/adm`);
    await expect(app).toHaveURL(/\/assinatura-cancelada$/);
    await app.goto(`${harness.gateway}/planos`);
    await expectNoSlots(app);
    expect(await stripe.paid(harness, person.userId)).toEqual([0]);
  });
