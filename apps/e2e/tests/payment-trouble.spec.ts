import type { Page } from '@playwright/test';
import { deadline } from '../src/deadlines.js';
import { inNewTab, planCard, stripe, subscriptionIs, withPlan } from '../src/money.js';
import { enter, expect, expectNoSlots, registered, test } from '../src/journey.js';

/** The sentence that people read when the payment provider gives no valid answer. */
async function expectTryLater(page: Page, within = deadline(15_000)): Promise<void> {
  await expect(page.getByText('Erro ao processar')).toBeVisible({ timeout: within });
  await expect(page.getByText('Tente novamente em alguns instantes.')).toBeVisible();
  await page.getByRole('listitem').filter({ hasText: 'Erro ao processar' }).getByRole('button', { name: 'Fechar' }).click();
  await expect(page.getByText('Erro ao processar')).toHaveCount(0);
}

/** Three attempts of eight seconds, and the pauses between them. */
const wholeTimeout = { atLeastMs: 24_000, atMostMs: deadline(16_000, 24_000) };
const silence = { latency_ms: 15_000, times: 3 };
const nonsense = [
  { status: 500, body: '{}' },
  { status: 503, body: '{"message":"upstream connect error"}' },
  { status: 502, body: '<html><body>Bad Gateway</body></html>' },
];

test.afterEach(({ harness }) => stripe.forgetFaults(harness));

test('a payment provider that does not answer changes nothing, and the customer is told after the timeout', async ({
  page,
  browser,
  harness,
}) => {
  const buyer = await registered(harness, 'espera');
  const subscriber = await registered(harness, 'sobe-em-silencio');
  await withPlan(subscriber.client, 'pro');
  await enter(page, harness, buyer);
  await expect(page.getByRole('heading', { name: 'Assine para começar' })).toBeVisible();
  const second = await (await browser.newContext({ locale: 'pt-BR' })).newPage();
  await enter(second, harness, subscriber);
  await second.goto(`${harness.gateway}/planos`);
  await planCard(second, 'Premium').getByRole('button', { name: 'Fazer Upgrade' }).click();
  const confirm = second.getByRole('dialog', { name: 'Mudar para Premium' }).getByRole('button', { name: 'Confirmar mudança' });
  await expect(confirm).toBeVisible();

  // Both requests wait at the same time.
  await stripe.fail(harness, { method: 'POST', path: '/v1/checkout/sessions', ...silence });
  await stripe.fail(harness, { method: 'POST', path: '/v1/subscriptions/', ...silence });
  const began = Date.now();
  const buy = planCard(page, 'Pro').getByRole('button', { name: /Assinar Plano|Processando/ });
  await buy.click();
  await confirm.click();
  await expect(buy).toBeDisabled();
  await Promise.all([expectTryLater(page, wholeTimeout.atMostMs), expectTryLater(second, wholeTimeout.atMostMs)]);
  expect(Date.now() - began).toBeGreaterThan(wholeTimeout.atLeastMs);

  expect(page.context().pages()).toHaveLength(1);
  const customer = await stripe.customerOf(harness, buyer.userId);
  expect((await stripe.objects(harness)).filter((each) => each.object === 'checkout.session' && each.customer === customer)).toEqual([]);
  await subscriptionIs(buyer.client, { subscribed: false });
  await subscriptionIs(subscriber.client, { subscribed: true, plan_name: 'Pro' });
  expect(await stripe.paid(harness, subscriber.userId)).toEqual([8_900]);

  // Nothing is left that would prevent the next attempt.
  const checkout = await inNewTab(page, () => planCard(page, 'Pro').getByRole('button', { name: 'Assinar Plano' }).click());
  await expect(checkout.getByTestId('checkout-price')).toBeVisible();
  await second.context().close();
});

test('invalid answers of the payment provider change nothing', async ({ page, harness }) => {
  const person = await registered(harness, 'sem-sentido');
  await enter(page, harness, person);
  for (const answer of nonsense) {
    await stripe.fail(harness, { method: 'POST', path: '/v1/checkout/sessions', times: 3, ...answer });
    await planCard(page, 'Pro').getByRole('button', { name: 'Assinar Plano' }).click();
    await expectTryLater(page);
    await stripe.forgetFaults(harness);
  }
  expect(page.context().pages()).toHaveLength(1);
  await subscriptionIs(person.client, { subscribed: false });

  await withPlan(person.client, 'pro');
  await page.goto(`${harness.gateway}/planos`);
  await planCard(page, 'Premium').getByRole('button', { name: 'Fazer Upgrade' }).click();
  const dialog = page.getByRole('dialog', { name: 'Mudar para Premium' });
  await expect(dialog.getByText('Você paga agora')).toBeVisible();
  await stripe.fail(harness, { method: 'POST', path: '/v1/subscriptions/', times: 3, ...nonsense.at(-1)! });
  await dialog.getByRole('button', { name: 'Confirmar mudança' }).click();
  await expectTryLater(page);
  // The outcome of the change is unknown, so another one is refused for now.
  await dialog.getByRole('button', { name: 'Confirmar mudança' }).click();
  await expect(page.getByText('Uma alteração já está em andamento. Aguarde um instante.')).toBeVisible();
  await subscriptionIs(person.client, { plan_name: 'Pro' });
  expect(await stripe.paid(harness, person.userId)).toEqual([8_900]);
});

test('the URL that follows a payment celebrates nothing without a payment, and gives no access', async ({ page, harness }) => {
  const person = await registered(harness, 'sem-pagar');
  await enter(page, harness, person);
  await expect(page.getByRole('heading', { name: 'Assine para começar' })).toBeVisible();
  await page.clock.install();
  await page.goto(`${harness.gateway}/adm?success=true`);
  await expect(page).toHaveURL(/\/adm$/);
  // For some seconds the page waits for a payment to be reported; then it shows the plans.
  await expect(page.getByText('Verificando sua assinatura')).toBeVisible();
  // The clock advances in steps, so that no check of the subscription times out before the server can answer.
  await expect(async () => {
    await page.clock.runFor(2_000);
    await expect(page.getByRole('heading', { name: 'Assine para começar' })).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: deadline(60_000), intervals: [0] });
  await expect(page.getByText('Pagamento ainda não confirmado')).toBeVisible();
  await expect(page.getByText('Pagamento realizado com sucesso!')).toHaveCount(0);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expectNoSlots(page);
  await subscriptionIs(person.client, { subscribed: false });
});
