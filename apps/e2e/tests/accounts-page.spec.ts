import { randomUUID } from 'node:crypto';
import { deadline } from '../src/deadlines.js';
import { enter, expect, test } from '../src/journey.js';
import { expectNoSidewaysScroll, Keyboard } from '../src/keyboard.js';
import { accountName, type Customer, customer, network } from '../src/people.js';

test.use({ viewport: { width: 360, height: 740 }, reducedMotion: 'reduce' });

// A worker checks the sessions, by which the accounts get their names and limits.
test.beforeAll(({ harness }) => harness.system.startWorker());
test.afterAll(({ harness }) => harness.system.stopProcess('browser-worker'));

/** What the server stores of the account with this name. */
async function storedAccount({ client }: Customer, username: string) {
  const { data, error } = await client
    .from('instagram_accounts')
    .select('quiet_from,quiet_to,keep_list,paused_until,pause_cause')
    .eq('username', `@${username}`)
    .single<Record<'quiet_from' | 'quiet_to' | 'paused_until' | 'pause_cause', string | null> & { keep_list: string[] }>();
  if (error) throw new Error(error.message);
  return data;
}

test('a customer looks after two accounts on a phone by keyboard alone', async ({ page, harness }) => {
  const me = await customer(harness, { plan: 'pro' });
  const second = accountName('segunda');
  await network.account(harness, { username: second, posts: 1 });
  const session = await network.session(harness, second);
  const stored = await me.client
    .from('instagram_sessions')
    .insert({ user_id: me.userId, session_id: randomUUID(), cookies: { raw_cookie: me.cookie }, username: me.account, is_active: true });
  expect(stored.error).toBeNull();
  const keys = new Keyboard(page);
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const block = (name: string) => page.getByRole('region', { name, exact: true });
  const accounts = page.getByRole('radiogroup', { name: 'Contas' });
  const account = (username: string) => accounts.getByRole('radio', { name: `@${username}` });
  await enter(page, harness, me);

  await test.step('the menu leads to the page', async () => {
    await keys.press(button('Menu da conta'));
    await keys.pick('Contas do Instagram');
    await expect(page.getByRole('heading', { name: 'Contas do Instagram', level: 1 })).toBeFocused();
    await expect(account(me.account)).toBeChecked({ timeout: deadline(30_000) });
    await expectNoSidewaysScroll(page);
  });

  await test.step('another account is connected', async () => {
    await keys.press(button('Adicionar conta'));
    await expect(page.getByLabel('Cookie do Instagram')).toBeFocused();
    await page.keyboard.insertText(session.forms['header'] ?? '');
    await expect(page.getByText('Reconhecido:')).toBeVisible();
    await keys.press(button('Conectar conta'));
    await expect(page.getByRole('heading', { name: `@${second}`, level: 2 })).toBeVisible({ timeout: deadline(30_000) });
    await expect(page.getByText(/^Sessão conferida há /)).toBeVisible({ timeout: deadline(30_000) });
  });

  await test.step('the first one is picked again, and shows its limits', async () => {
    await keys.to(account(second), { back: true });
    await page.keyboard.press('ArrowUp');
    await expect(account(me.account)).toBeChecked();
    await expect(page.getByRole('heading', { name: `@${me.account}`, level: 2 })).toBeVisible();
    const limits = block('Limites de hoje');
    // The system of the journeys has ceilings that no journey reaches, and no warm-up.
    await expect(limits.getByRole('img', { name: 'Seguir hoje: 0 de 1.000.000', exact: true })).toBeVisible();
    await expect(limits.getByRole('img')).toHaveCount(16);
    await expect(block('Aquecimento')).toContainText('ritmo cheio');
    await expectNoSidewaysScroll(page);
  });

  await test.step('quiet hours are refused at their fields while they are too short, then stored', async () => {
    const quiet = block('Horas de silêncio');
    const [from, to] = [quiet.getByRole('textbox', { name: 'Das' }), quiet.getByRole('textbox', { name: 'Às' })];
    await keys.press(button('Mudar'));
    await expect(from).toBeFocused();
    await keys.fill(from, '0100');
    await keys.fill(to, '5h');
    await page.keyboard.press('Enter');
    const refusal = 'A conta precisa descansar pelo menos 6 horas seguidas por dia: de 01:00 às 05:00 são 4 h.';
    await expect(quiet.getByRole('alert')).toHaveText(refusal);
    await expect(from).toBeFocused();
    await expect(to).toHaveAccessibleDescription(new RegExp(refusal));
    await expectNoSidewaysScroll(page);
    await keys.fill(from, '22:00');
    await keys.fill(to, '630');
    await keys.to(quiet.getByLabel('Fuso horário'));
    await page.keyboard.type('Manaus');
    await expect(quiet.getByLabel('Fuso horário')).toHaveValue('America/Manaus');
    await keys.press(quiet.getByRole('button', { name: 'Salvar' }));
    await expect(quiet.getByText('22:00 às 06:30')).toBeVisible();
    await expect(quiet.getByText('horário de Manaus')).toBeVisible();
    await expect(button('Mudar')).toBeFocused();
    expect(await storedAccount(me, me.account)).toMatchObject({ quiet_from: '22:00', quiet_to: '06:30' });
    // The browser's own zone does not replace the chosen one.
    await page.reload();
    await expect(quiet.getByText('horário de Manaus')).toBeVisible();
  });

  await test.step('people are kept: many at once, and one less', async () => {
    const kept = block('Quem nunca deixar de seguir');
    await keys.fill(kept.getByLabel('Adicionar pessoas'), '@torra.fresca, rafa.coa\nlu.serrana');
    await keys.press(kept.getByRole('button', { name: 'Adicionar' }));
    await expect(kept.getByText('3 pessoas', { exact: true })).toBeVisible();
    await keys.press(kept.getByRole('button', { name: 'Tirar @rafa.coa' }));
    await expect(kept.getByRole('button', { name: 'Tirar @lu.serrana' })).toBeFocused();
    await expect(kept.getByRole('listitem')).toHaveText([/@torra\.fresca/, /@lu\.serrana/]);
    await expect.poll(async () => (await storedAccount(me, me.account)).keep_list).toEqual(['torra.fresca', 'lu.serrana']);
  });

  await test.step('the account is paused and resumed', async () => {
    await keys.press(button('Pausar conta'));
    const lengths = page.getByRole('group', { name: 'Por quanto tempo' });
    await expect(lengths.getByRole('radio', { name: '1 dia' })).toBeFocused();
    await keys.choose(lengths, lengths.getByRole('radio', { name: '3 dias' }));
    await keys.press(page.getByRole('button', { name: 'Pausar', exact: true }));
    await expect(button('Retomar agora')).toBeFocused();
    await expect(block('Pausas').getByText(/^Desde hoje, /)).toBeVisible();
    expect((await storedAccount(me, me.account)).pause_cause).toBe('customer');
    await page.keyboard.press('Enter');
    await expect(button('Pausar conta')).toBeFocused();
    await expect(block('Pausas').getByText('Você pausou a conta.')).toBeVisible();
    expect(await storedAccount(me, me.account)).toMatchObject({ paused_until: null, pause_cause: null });
    await expectNoSidewaysScroll(page);
  });
});
