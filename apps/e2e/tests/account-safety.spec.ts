import { longOnly } from '@decola/testing/sizes';
import type { Browser, Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { deadline } from '../src/deadlines.js';
import { linkInMail, mailsTo } from '../src/mailbox.js';
import { day, stripe, subscriptionIs, withPlan } from '../src/money.js';
import {
  chooseInMenu,
  enter,
  expect,
  fillSignIn,
  holdSlots,
  type Registered,
  registered,
  test,
  tokenOf,
  untilRefused,
} from '../src/journey.js';

/** Another device, without any stored data. */
const otherBrowser = async (browser: Browser): Promise<Page> => (await browser.newContext({ locale: 'pt-BR' })).newPage();

const settings = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });

/** The code that an authenticator app shows. The server accepts clocks that are one step wrong, and each code only once. */
function codeOf(key: string, stepsAhead = 0): string {
  return new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: Date.now() + stepsAhead * 30_000 });
}

/** Six digits that are not a valid code now. */
function wrongCodeOf(key: string): string {
  const codes = [-2, -1, 0, 1, 2].map((steps) => codeOf(key, steps));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !codes.includes(code))!;
}

test('an authenticator app protects the account: the password alone gives no access', async ({ page, browser, harness }) => {
  const person = await registered(harness, 'duas-etapas');
  const elsewhere = await otherBrowser(browser);
  await enter(elsewhere, harness, person);
  await enter(page, harness, person);
  await page.goto(`${harness.gateway}/minha-conta`);
  const factors = settings(page, 'Verificação em duas etapas');
  await factors.getByRole('button', { name: 'Ativar' }).click();
  const dialog = page.getByRole('dialog', { name: 'Verificação em duas etapas' });
  // The mailbox is not proven yet.
  await dialog.getByRole('button', { name: 'Enviar email de confirmação' }).click();
  await expect(dialog.getByText(`Enviamos o link para ${person.email}`)).toBeVisible();
  await page.goto(await linkInMail(harness, person.email, 'Redefina sua senha'));
  await page.getByLabel('Nova senha', { exact: true }).fill(person.password);
  await page.getByLabel('Confirmar nova senha', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Salvar nova senha' }).click();
  await expect(page.getByText('Senha atualizada')).toBeVisible();
  await untilRefused(harness, await tokenOf(elsewhere));
  await enter(elsewhere, harness, person);
  const token = await tokenOf(elsewhere);
  await page.goto(`${harness.gateway}/minha-conta`);
  await factors.getByRole('button', { name: 'Ativar' }).click();
  await expect(dialog.getByRole('img', { name: 'Código QR para o aplicativo autenticador' })).toBeVisible();
  await dialog.getByText('Não consegue ler? Digite a chave').click();
  const key = (await dialog.getByTestId('totp-secret').innerText()).replaceAll(/\s/g, '');
  await dialog.getByLabel('2. Digite o código que ele mostra').fill(wrongCodeOf(key));
  await dialog.getByRole('button', { name: 'Ativar' }).click();
  await expect(dialog.getByText('Código incorreto. Digite o código que o aplicativo mostra agora.')).toBeVisible();
  await dialog.getByLabel('2. Digite o código que ele mostra').fill(codeOf(key));
  await dialog.getByRole('button', { name: 'Ativar' }).click();
  await expect(page.getByText('Verificação em duas etapas ativada')).toBeVisible();
  await expect(factors.getByText('Ativada', { exact: true })).toBeVisible();
  // Sessions that were opened with the password alone have ended.
  await untilRefused(harness, token);
  await elsewhere.context().close();

  await chooseInMenu(page, 'Sair');
  await expect(page).toHaveURL(`${harness.gateway}/`);
  await page.goto(`${harness.gateway}/auth`);
  await fillSignIn(page, person);
  await expect(page.getByRole('heading', { name: 'Confirme que é você' })).toBeVisible();
  const halfWay = await tokenOf(page);
  const answer = await fetch(`${harness.gateway}/rest/v1/profiles?select=user_id`, {
    headers: { apikey: harness.publishableKey, authorization: `Bearer ${halfWay}` },
  });
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([403, 'insufficient_aal']);
  await page.goto(`${harness.gateway}/minha-conta`);
  await expect(page.getByRole('heading', { name: 'Minha Conta' })).toHaveCount(0);

  await page.goto(`${harness.gateway}/auth`);
  const code = page.getByLabel('Código de 6 números');
  await code.fill('12');
  await page.getByRole('button', { name: 'Confirmar' }).click();
  await expect(page.getByText('Digite os 6 números do código.')).toBeVisible();
  await code.fill(wrongCodeOf(key));
  await page.getByRole('button', { name: 'Confirmar' }).click();
  await expect(page.getByText('Código incorreto. Digite o código que o aplicativo mostra agora.')).toBeVisible();
  await expect(code).toHaveAttribute('aria-invalid', 'true');
  await expect(page).toHaveURL(/\/auth$/);
  await code.fill(codeOf(key, 1));
  await page.getByRole('button', { name: 'Confirmar' }).click();
  await expect(page.getByText('Login realizado com sucesso!')).toBeVisible();
  await expect(page).toHaveURL(/\/adm$/);
  await expect(page.getByRole('heading', { name: 'Assine para começar' })).toBeVisible();

  await page.goto(`${harness.gateway}/minha-conta`);
  const activity = settings(page, 'Atividade');
  for (const line of ['Entrada confirmada com código', 'Código de verificação incorreto', 'Aplicativo autenticador adicionado'])
    await expect(activity.getByText(line).first()).toBeVisible();
});

for (const title of longOnly(['a session that the customer ends on another device is signed out within seconds']))
  test(title, async ({ page, browser, harness }) => {
    const person = await registered(harness, 'sessoes');
    await withPlan(person.client, 'pro');
    await person.client.auth.signOut({ scope: 'local' });
    const other = await otherBrowser(browser);
    await other.clock.install();
    await enter(other, harness, person);
    await expect(other.getByText('Nenhuma automação configurada')).toBeVisible();

    await enter(page, harness, person);
    await page.goto(`${harness.gateway}/minha-conta`);
    const sessions = settings(page, 'Sessões').getByRole('list', { name: 'Sessões' }).getByRole('listitem');
    await expect(sessions).toHaveCount(2);
    await expect(sessions.first()).toContainText('Esta sessão');
    await expect(sessions.first().getByRole('button')).toHaveCount(0);
    await sessions
      .last()
      .getByRole('button', { name: /^Encerrar sessão/ })
      .click();
    await expect(page.getByText('Sessão encerrada', { exact: true }).first()).toBeVisible();
    await expect(sessions).toHaveCount(1);
    await expect(settings(page, 'Sessões').getByText('Você só está conectado aqui.')).toBeVisible();

    // The other browser needs no input: the gateway ends its stream of changes at the next heartbeat, and the requests that its page sends by itself are
    // refused when the cached state of its session has expired.
    await untilRefused(harness, await tokenOf(other));
    await expect(async () => {
      await other.clock.runFor(2_000);
      await expect(other).toHaveURL(/\/auth$/, { timeout: 500 });
    }).toPass({ timeout: deadline(40_000), intervals: [500] });
    await other.context().close();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Minha Conta' })).toBeVisible();
  });

for (const title of longOnly(['a mail that was switched off never comes, and one that comes can be stopped from itself without a session']))
  test(title, async ({ page, browser, harness }) => {
    const subject = 'Desligamos automações: seu plano tem menos slots';
    const [quiet, told] = [await registered(harness, 'sem-avisos'), await registered(harness, 'com-avisos')];
    const wants = async ({ client }: Registered) =>
      (await client.from('profiles').select('notices').single<{ notices: { plan_shrank: boolean } }>()).data?.notices.plan_shrank;
    for (const each of [quiet, told]) {
      await withPlan(each.client, 'pro');
      await holdSlots(each, ['Primeira', 'Segunda']);
    }

    await enter(page, harness, quiet);
    await page.goto(`${harness.gateway}/minha-conta`);
    const notice = settings(page, 'Avisos por e-mail').getByRole('switch', { name: 'Plano ficou menor' });
    await expect(notice).toBeChecked();
    await notice.press('Space');
    await expect(notice).not.toBeChecked();
    await expect.poll(() => wants(quiet)).toBe(false);
    await page.reload();
    await expect(notice).not.toBeChecked();

    // The one who wants no mail is first: when the other mail has come, this one would have come too.
    for (const { client, userId } of [quiet, told]) {
      await stripe.card(harness, userId, 'chargeCustomerFail');
      await stripe.pass(harness, userId, 32 * day);
      await subscriptionIs(client, { subscribed: true, is_past_due: true });
      await stripe.pass(harness, userId, 8 * day);
      await subscriptionIs(client, { subscribed: false });
      await expect
        .poll(async () => (await client.from('automations').select('is_active,pause_cause')).data)
        .toEqual([1, 2].map(() => ({ is_active: false, pause_cause: 'plan' })));
    }
    const mails = async ({ email }: Registered) => (await mailsTo(harness, email)).filter((mail) => mail.subject === subject);
    await expect.poll(async () => (await mails(told)).length).toBe(1);
    expect(await mails(quiet)).toEqual([]);
    const [mail] = await mails(told);
    expect(mail!.text).toContain('as 2 mais novas');

    const link = /https?:\/\/\S+\/avisos-por-e-mail\S+/.exec(mail!.text)![0];
    // A program of the mail provider opens the link first, which must not stop anything.
    await fetch(link);
    const elsewhere = await otherBrowser(browser);
    await elsewhere.goto(link);
    await expect(elsewhere.getByRole('heading', { name: 'Parar de receber este aviso?' })).toBeVisible();
    expect(await wants(told)).toBe(true);
    await elsewhere.getByRole('button', { name: 'Parar de receber' }).click();
    await expect(elsewhere.getByRole('heading', { name: 'Pronto, este aviso não chega mais' })).toBeVisible();
    expect(await wants(told)).toBe(false);
    await elsewhere.context().close();
  });
