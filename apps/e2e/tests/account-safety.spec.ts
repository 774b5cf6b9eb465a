import type { Browser, Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { withPlan } from '../src/money.js';
import { chooseInMenu, enter, expect, fillSignIn, registered, test, tokenOf, untilRefused } from '../src/journey.js';

/** Another device, with nothing of the first one in it. */
const otherBrowser = async (browser: Browser): Promise<Page> => (await browser.newContext({ locale: 'pt-BR' })).newPage();

const settings = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });

/** The code that an authenticator app shows; a clock may go wrong by one step, and a code counts once. */
function codeOf(key: string, stepsAhead = 0): string {
  return new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: Date.now() + stepsAhead * 30_000 });
}

/** Six digits that are no code around now. */
function wrongCodeOf(key: string): string {
  const codes = [-2, -1, 0, 1, 2].map((steps) => codeOf(key, steps));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !codes.includes(code))!;
}

test('an authenticator app protects the account: the password alone opens nothing', async ({ page, browser, harness }) => {
  const person = await registered(harness, 'duas-etapas');
  const elsewhere = await otherBrowser(browser);
  await enter(elsewhere, harness, person);
  const token = await tokenOf(elsewhere);
  await enter(page, harness, person);
  await page.goto(`${harness.gateway}/minha-conta`);
  const factors = settings(page, 'Verificação em duas etapas');
  await factors.getByRole('button', { name: 'Ativar' }).click();
  const dialog = page.getByRole('dialog', { name: 'Verificação em duas etapas' });
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
  // Whoever was in with the password alone is out.
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

test('a session that the customer ends elsewhere is thrown out within seconds', async ({ page, browser, harness }) => {
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

  // Nobody touches the other browser: what its page asks for by itself is refused once the check of its session is not fresh any more.
  await untilRefused(harness, await tokenOf(other));
  await other.clock.runFor(15_000);
  await expect(other).toHaveURL(/\/auth$/);
  await other.context().close();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Minha Conta' })).toBeVisible();
});
