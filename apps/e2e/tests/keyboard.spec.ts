import { enter, expect, test } from '../src/journey.js';
import { expectNoSidewaysScroll, Keyboard } from '../src/keyboard.js';
import { type Customer, customer, stateOf } from '../src/people.js';

test.use({ viewport: { width: 360, height: 740 }, reducedMotion: 'reduce' });

const drafts = 30;

/** Stores drafts, which take no slots. */
async function storeDrafts({ client, userId }: Customer): Promise<void> {
  const rows = Array.from({ length: drafts }, (_, index) => ({
    user_id: userId,
    name: `Rascunho ${index + 1}`,
    type: 'auto-like',
    configuration: { action: 'like', method: 'hashtag', targets: index === 0 ? '#pãodequeijo' : '#cafe' },
    is_draft: true,
    is_active: false,
  }));
  const { error } = await client.from('automations').insert(rows);
  if (error) throw new Error(error.message);
}

test('a customer creates, manages and finds automations on a phone by keyboard alone', async ({ page, harness }) => {
  const me = await customer(harness, { plan: 'pro' });
  const keys = new Keyboard(page);
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const heading = (name: string) => page.getByRole('heading', { name });
  await enter(page, harness, me);

  await test.step('the dashboard of a new customer leads to the wizard', async () => {
    await expect(page.getByText('Nenhuma automação configurada')).toBeVisible();
    await expectNoSidewaysScroll(page);
    await keys.press(page.getByRole('link', { name: 'Use agora: Curtidas Automáticas (1 slot)' }));
    await expect(page).toHaveURL(/\/automation\/auto-like$/);
    await expect(page.getByRole('heading', { name: 'Curtidas Automáticas', level: 1 })).toBeVisible();
  });

  await test.step('the steps are free, and the first one that fails opens with the focus on its problem', async () => {
    await keys.press(page.getByRole('navigation', { name: 'Passos' }).getByRole('button', { name: 'Frequência' }));
    await expect(page.getByRole('heading', { name: 'Frequência', level: 2 })).toBeFocused();
    await keys.press(button('Criar Automação'));
    const cookie = page.getByLabel('Cookie do Instagram');
    await expect(cookie).toBeFocused();
    await expect(cookie).toHaveAccessibleDescription(/Cookie do Instagram é obrigatório/);
    await page.keyboard.insertText(me.cookie);
    await expect(page.getByText('Cookie do Instagram é obrigatório')).toBeHidden();
    await expectNoSidewaysScroll(page);
  });

  await test.step('the other steps are answered with Tab, arrows and the space bar', async () => {
    await keys.press(button('Próximo'));
    const methods = page.getByRole('group', { name: 'Onde encontrar os posts' });
    // This step, too, has a problem since the attempt to create.
    await expect(methods.getByRole('radio').first()).toBeFocused();
    await keys.choose(methods, methods.getByRole('radio', { name: 'Por hashtag' }));
    await keys.fill(page.getByRole('textbox', { name: 'Hashtag' }), '#cafe');
    await keys.press(button('Próximo'));
    const often = page.getByRole('group', { name: 'Frequência de execução' });
    await keys.choose(often, often.getByRole('radio', { name: /recomendado/ }));
    await keys.fill(page.getByLabel('Ações por execução'), '2');
    await expectNoSidewaysScroll(page);
    await keys.press(button('Criar Automação'));
    await expect(page.getByText('Automação criada com sucesso!')).toBeVisible();
    await expect(page).toHaveURL(/\/adm$/);
  });

  const { data } = await me.client.from('automations').select('id').single<{ id: string }>();
  const card = page.getByTestId(`automation-${data?.id}`);
  await test.step('its row is switched, renamed and kept', async () => {
    await expect(heading('Ferramentas')).toBeVisible();
    await expectNoSidewaysScroll(page);
    await keys.toggle(card.getByRole('switch', { name: 'Ligar ou desligar Curtidas Automáticas' }));
    await expect(page.getByText('Automação desativada')).toBeVisible();
    await expect.poll(async () => (await stateOf(me, data?.id ?? '')).is_active).toBe(false);

    await keys.press(card.getByRole('button', { name: 'Curtidas Automáticas', exact: true }), { back: true });
    const field = card.getByRole('textbox', { name: 'Nome da automação' });
    await expect(field).toBeFocused();
    await page.keyboard.insertText(' ');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Nome inválido')).toBeVisible();
    await page.keyboard.insertText('Café da manhã');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Nome atualizado')).toBeVisible();
    await expect(card.getByRole('button', { name: 'Café da manhã', exact: true })).toBeFocused();

    const remove = card.getByRole('button', { name: 'Excluir Café da manhã' });
    await keys.press(remove);
    await expect(page.getByRole('dialog', { name: 'Excluir automação' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(remove).toBeFocused();
  });

  await test.step('a long list is searched, narrowed down and paged', async () => {
    await storeDrafts(me);
    await page.reload();
    const search = page.getByRole('searchbox', { name: 'Buscar automação' });
    await expect(search).toBeVisible();
    const pages = page.getByRole('navigation', { name: 'Páginas da lista' });
    await keys.press(pages.getByRole('button', { name: 'Próximas' }));
    await expect(heading('Suas automações')).toBeFocused();
    await expect(pages.getByText(`26 a ${drafts + 1} de ${drafts + 1}`)).toBeVisible();

    await keys.toggle(button(`Rascunhos ${drafts}`));
    await expect(button(`Rascunhos ${drafts}`)).toHaveAttribute('aria-pressed', 'true');
    await expect(card).toBeHidden();
    await keys.fill(search, 'brigadeiro');
    await expect(page.getByText('Nenhuma automação encontrada')).toBeVisible();
    await keys.press(button('Mostrar todas'));
    await keys.fill(search, 'pao queijo', { back: true });
    await expect(page.getByTestId(/^automation-/)).toHaveCount(1);
    await expect(page).toHaveURL(/busca=pao\+queijo/);
    await expectNoSidewaysScroll(page);
  });

  await test.step('a draft is deleted, and the focus goes to the heading', async () => {
    await keys.press(page.getByRole('button', { name: 'Excluir Rascunho 1', exact: true }));
    await keys.press(page.getByRole('dialog').getByRole('button', { name: 'Excluir', exact: true }));
    await expect(page.getByText('Automação excluída')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await keys.press(button('Mostrar todas'));
    await expect(page.getByTestId(/^automation-/)).toHaveCount(25);
  });
});
