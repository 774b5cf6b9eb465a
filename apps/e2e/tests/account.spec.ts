import { publicClient } from '../../../scripts/lib/customer.mjs';
import { linkInMail, mailsTo } from '../src/mailbox.js';
import { cards, inNewTab, payOnCheckout, planCard, stripe } from '../src/money.js';
import {
  chooseInMenu,
  enter,
  expect,
  expectNoSlots,
  fillSignIn,
  provenMailbox,
  registered,
  slotCounter,
  somebody,
  test,
  tokenOf,
  untilRefused,
} from '../src/journey.js';

test('signing up leads to the trial, before and after the webhook of the payment', async ({ page, harness }) => {
  const person = somebody('nova');
  await page.goto(`${harness.gateway}/auth`);
  await page.getByRole('tab', { name: 'Cadastrar' }).click();
  await page.getByLabel('Nome completo (opcional)').fill(person.name);
  await page.getByLabel('Email', { exact: true }).fill(person.email);
  const secret = page.getByLabel('Senha', { exact: true });
  for (const [typed, missing] of [
    ['Ab1!', 'Mínimo 8 caracteres'],
    ['abcdef1!', 'Pelo menos 1 letra maiúscula'],
    ['ABCDEF1!', 'Pelo menos 1 letra minúscula'],
    ['Abcdefg!', 'Pelo menos 1 número'],
    ['Abcdefg1', 'Pelo menos 1 caractere especial (!@#$%^&*)'],
  ] as const) {
    await secret.fill(typed);
    await expect(page.getByText(missing)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Criar conta' })).toBeDisabled();
  }
  await secret.fill(person.password);
  await page.getByRole('button', { name: 'Criar conta' }).click();
  await expect(page.getByText('Conta criada com sucesso!')).toBeVisible();
  await expect(page).toHaveURL(/\/adm$/);
  await expect(page.getByRole('heading', { name: 'Assine para começar' })).toBeVisible();
  await expectNoSlots(page);

  const starter = planCard(page, 'Plano Starter');
  await expect(starter.getByText('7 Dias Grátis', { exact: true })).toBeVisible();
  const checkout = await inNewTab(page, () => starter.getByRole('button', { name: 'Testar Grátis' }).click());
  await expect(checkout.getByTestId('checkout-price')).toHaveText(/Teste grátis por 7 dias, depois R\$\s49,00 por mês/);

  // The browser returns before the webhook arrives: the trial is active nevertheless.
  await stripe.holdWebhooks(harness);
  try {
    await payOnCheckout(checkout, cards.mastercard);
    await expect(checkout.getByRole('dialog', { name: 'Tudo pronto para decolar' })).toBeVisible();
    await expect(checkout.getByText('Pagamento realizado com sucesso!')).toBeVisible();
    await expect(checkout.getByText('Sua assinatura foi ativada. Bem-vindo!')).toBeVisible();
    await expect(checkout).toHaveURL(/\/adm$/);
    await expect(slotCounter(checkout, 0, 1)).toBeAttached();
  } finally {
    await stripe.releaseWebhooks(harness);
  }
  await checkout.goto(`${harness.gateway}/planos`);
  const summary = checkout.getByLabel('Sua assinatura');
  await expect(summary.getByText('Período de teste')).toBeVisible();
  await expect(summary).toContainText('Plano Starter');
  await expect(summary).toContainText('Seu teste grátis termina em');
  await expect(planCard(checkout, 'Plano Starter').getByRole('button', { name: 'Plano Atual' })).toBeDisabled();
});

test('a forgotten password is replaced by a recovery mail', async ({ page, browser, harness }) => {
  const person = await registered(harness, 'esquecida');
  const elsewhere = await browser.newContext({ locale: 'pt-BR' });
  const other = await elsewhere.newPage();
  await enter(other, harness, person);
  await expect(other.getByRole('heading', { name: 'Assine para começar' })).toBeVisible();

  await page.goto(`${harness.gateway}/auth`);
  await page.getByLabel('Email', { exact: true }).fill(person.email);
  await page.getByRole('button', { name: 'Esqueci minha senha' }).click();
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(person.email);
  await page.getByRole('button', { name: 'Enviar link' }).click();
  await expect(page.getByText('Email enviado com sucesso!')).toBeVisible();
  await expect(page.getByText('Verifique sua caixa de entrada para redefinir sua senha.')).toBeVisible();

  const link = await linkInMail(harness, person.email, 'Redefina sua senha');
  // A scanner of the mail provider requests the link first, which must not use it up.
  await fetch(link, { method: 'HEAD' });
  await page.goto(link);
  const replace = page.getByRole('button', { name: 'Salvar nova senha' });
  await expect(replace).toBeVisible();
  const fresh = 'Outra!Senha456';
  await page.getByLabel('Nova senha', { exact: true }).fill(fresh);
  await page.getByLabel('Confirmar nova senha', { exact: true }).fill(fresh);
  await replace.click();
  await expect(page.getByText('Senha atualizada')).toBeVisible();
  await expect(page).toHaveURL(/\/adm$/);

  // Sessions on other devices end within the seconds for which a session's state is cached.
  await untilRefused(harness, await tokenOf(other));
  await other.goto(`${harness.gateway}/minha-conta`);
  await expect(other.getByRole('heading', { name: 'Acesso negado' })).toBeVisible();
  await elsewhere.close();

  await chooseInMenu(page, 'Sair');
  await page.goto(`${harness.gateway}/auth`);
  await fillSignIn(page, person);
  await expect(page.getByText('Erro ao fazer login')).toBeVisible();
  await expect(page.getByText('Email ou senha incorretos')).toBeVisible();
  await fillSignIn(page, { email: person.email, password: fresh });
  await expect(page.getByText('Login realizado com sucesso!')).toBeVisible();
  await expect(page).toHaveURL(/\/adm$/);

  // The link works only once.
  const again = await (await browser.newContext({ locale: 'pt-BR' })).newPage();
  await again.goto(link);
  await expect(again.getByText('Este link já foi usado ou expirou. Peça um novo.')).toBeVisible();
  await again.context().close();
});

test('a new e-mail address is used as soon as its owner has confirmed it', async ({ page, harness }) => {
  const person = await registered(harness, 'antiga');
  await provenMailbox(harness, person);
  const fresh = somebody('nova').email;
  await enter(page, harness, person);
  await page.goto(`${harness.gateway}/minha-conta`);
  await page.getByLabel('Novo email').fill('sem-arroba');
  await page.getByRole('button', { name: 'Alterar email' }).click();
  await expect(page.getByText('Email inválido')).toBeVisible();
  await expect(page.getByText('Por favor, insira um email válido.')).toBeVisible();
  await page.getByLabel('Novo email').fill(fresh);
  await page.getByRole('button', { name: 'Alterar email' }).click();
  await expect(page.getByText('Email atualizado')).toBeVisible();

  // Until then the old address stays valid, and its owner gets a mail.
  const signedIn = await publicClient(harness).auth.signInWithPassword({ email: fresh, password: person.password });
  expect(signedIn.error?.code).toBe('invalid_credentials');
  await expect
    .poll(async () => (await mailsTo(harness, person.email)).map(({ subject }) => subject))
    .toContain('Pedido de mudança de e-mail');

  await page.goto(await linkInMail(harness, fresh, 'Confirme seu novo e-mail'));
  await expect(page).toHaveURL(/\/minha-conta#?$/);
  await expect(page.getByText('Email confirmado')).toBeVisible();
  await expect(page.getByText(fresh).first()).toBeVisible();
  await chooseInMenu(page, 'Sair');
  await page.goto(`${harness.gateway}/auth`);
  await fillSignIn(page, person);
  await expect(page.getByText('Email ou senha incorretos')).toBeVisible();
  await fillSignIn(page, { email: fresh, password: person.password });
  await expect(page).toHaveURL(/\/adm$/);
});
