import { cards, inNewTab, planCard, subscriptionIs, withPlan } from '../src/money.js';
import { deadline } from '../src/deadlines.js';
import { chooseInMenu, enter, expect, fillSignIn, registered, test, tokenOf, untilRefused } from '../src/journey.js';

test('a visitor is redirected to the sign-in, and from there to the requested page', async ({ page, harness }) => {
  const person = await registered(harness, 'porta');
  await withPlan(person.client, 'pro');
  await page.goto(`${harness.gateway}/planos`);
  await expect(page).toHaveURL(/\/auth$/);
  await fillSignIn(page, person);
  await expect(page).toHaveURL(/\/planos$/);
  await expect(page.getByRole('heading', { name: 'Planos', exact: true })).toBeVisible();
  await page.goto(`${harness.gateway}/auth`);
  await expect(page).toHaveURL(/\/adm$/);
});

test('the account page tells visitors to sign in, and links to it', async ({ page, harness }) => {
  const person = await registered(harness, 'estranha');
  await page.goto(`${harness.gateway}/minha-conta`);
  await expect(page.getByRole('heading', { name: 'Acesso negado' })).toBeVisible();
  await expect(page).toHaveURL(/\/minha-conta$/);
  await page.getByRole('link', { name: 'Entrar' }).click();
  await expect(page).toHaveURL(/\/auth$/);
  await fillSignIn(page, person);
  await expect(page).toHaveURL(/\/minha-conta$/);
  await expect(page.getByRole('heading', { name: 'Minha Conta' })).toBeVisible();
});

test('signing out ends the session in every tab', async ({ page, harness }) => {
  const person = await registered(harness, 'duas-abas');
  await enter(page, harness, person);
  const second = await page.context().newPage();
  await second.goto(`${harness.gateway}/minha-conta`);
  await expect(second.getByRole('heading', { name: 'Minha Conta' })).toBeVisible();
  const token = await tokenOf(page);

  await chooseInMenu(page, 'Sair');
  await expect(page.getByText('Logout realizado com sucesso')).toBeVisible();
  await expect(page.getByText('Você foi desconectado.')).toBeVisible();
  await expect(page).toHaveURL(`${harness.gateway}/`);
  await expect(second.getByRole('heading', { name: 'Minha Conta' })).toBeHidden();
  const kept = await page.evaluate(() => Object.keys(localStorage).filter((key) => /auth-token|subscription/.test(key)));
  expect(kept).toEqual([]);
  // A copied access token becomes invalid within seconds.
  await untilRefused(harness, token);
});

test('a forced sign-out works when the server does not answer', async ({ page, harness }) => {
  const person = await registered(harness, 'forcada');
  await enter(page, harness, person);
  await expect(page.getByRole('heading', { name: 'Assine para começar' })).toBeVisible();
  await page.route('**/auth/v1/logout**', () => undefined);
  await chooseInMenu(page, 'Forçar Logout');
  await expect(page.getByText('Logout realizado com sucesso')).toBeVisible({ timeout: deadline(5_000) });
  await expect(page).toHaveURL(`${harness.gateway}/`);
  await page.goto(`${harness.gateway}/adm`);
  await expect(page).toHaveURL(/\/auth$/);
});

test('a cancelled payment is reported once and costs nothing', async ({ page, harness }) => {
  const person = await registered(harness, 'desiste');
  await enter(page, harness, person);
  const checkout = await inNewTab(page, () => planCard(page, 'Pro').getByRole('button', { name: 'Assinar Plano' }).click());
  await checkout.getByTestId('checkout-cancel').click();
  await expect(checkout.getByText('Pagamento cancelado')).toBeVisible();
  await expect(checkout.getByText('Você pode tentar novamente quando quiser.')).toBeVisible();
  await expect(checkout).toHaveURL(/\/adm$/);
  await expect(checkout.getByRole('heading', { name: 'Assine para começar' })).toBeVisible();
  await checkout.reload();
  await expect(checkout.getByRole('heading', { name: 'Assine para começar' })).toBeVisible();
  await expect(checkout.getByText('Pagamento cancelado')).toHaveCount(0);
  await subscriptionIs(person.client, { subscribed: false });
});

test('a declined card is reported, and the purchase can be retried', async ({ page, harness }) => {
  const person = await registered(harness, 'recusada');
  await enter(page, harness, person);
  const checkout = await inNewTab(page, () => planCard(page, 'Pro').getByRole('button', { name: 'Assinar Plano' }).click());
  await checkout.locator('[name=cardNumber]').fill('4000 0000 0000 0002');
  await checkout.locator('[name=cardExpiry]').fill('12/34');
  await checkout.locator('[name=cardCvc]').fill('123');
  await checkout.locator('[name=billingName]').fill('Ana Souza');
  await checkout.getByTestId('checkout-submit').click();
  await expect(checkout.getByRole('alert')).toBeVisible();
  await checkout.locator('[name=cardNumber]').fill(cards.visa);
  await checkout.locator('[name=cardCvc]').fill('123');
  await checkout.getByTestId('checkout-submit').click();
  await expect(checkout.getByText('Pagamento realizado com sucesso!')).toBeVisible();
});

test('an unknown path shows the page "not found"', async ({ page, harness }) => {
  await page.goto(`${harness.gateway}/nao-existe`);
  await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible();
  await page.getByRole('link', { name: 'Ir para o início' }).click();
  await expect(page).toHaveURL(`${harness.gateway}/`);
});
