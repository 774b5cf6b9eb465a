import { readFile } from 'node:fs/promises';
import AxeBuilder from '@axe-core/playwright';
import { longOnly } from '@decola/testing/sizes';
import { until } from '../../../scripts/lib/customer.mjs';
import { makeDue } from '../src/database.js';
import { deadline } from '../src/deadlines.js';
import { enter, expect, test } from '../src/journey.js';
import { expectNoSidewaysScroll, Keyboard } from '../src/keyboard.js';
import { type Customer, customer, follower, stateOf } from '../src/people.js';

test.use({ viewport: { width: 360, height: 740 } });
test.afterAll(({ harness }) => harness.system.stopProcess('browser-worker'));

/** People whom the automation followed, newest first, as its owner reads them. Others may have been skipped, for example private ones. */
async function reached({ client }: Customer, automationId: string): Promise<string[]> {
  const { data, error } = await client
    .from('run_diary')
    .select('target_username')
    .eq('automation_id', automationId)
    .eq('outcome', 'confirmed')
    .order('at', { ascending: false });
  if (error) throw new Error(error.message);
  return (data as { target_username: string }[]).map(({ target_username: name }) => name);
}

for (const title of longOnly(['the page of an automation by keyboard alone, on a phone']))
  test(title, async ({ page, harness }) => {
    await harness.system.startWorker();
    const me = await customer(harness);
    const { id } = (await follower(me, { rowsPerLaunch: 2 })) as { id: string };
    await until('the first run', async () => ((await stateOf(me, id)).last_run?.confirmed === 2 ? true : undefined), {
      timeoutMs: deadline(60_000),
    });
    const [second = '', first = ''] = await reached(me, id);
    await enter(page, harness, me);
    await expect(page).toHaveURL(/\/adm$/);
    const keyboard = new Keyboard(page);

    // From the card to the page.
    await keyboard.press(page.getByRole('link', { name: 'Diário de Seguir' }));
    await expect(page.getByRole('heading', { level: 1, name: 'Seguir' })).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`/automation/${id}/diary$`));
    const diary = page.getByRole('region', { name: 'Diário' });
    await expect(diary.getByText('1 execução', { exact: true })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expect(diary.getByRole('link', { name: `@${first}` })).toBeVisible();
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(violations.map(({ id: rule, nodes }) => [rule, ...nodes.map(({ html }) => html)])).toEqual([]);

    // The newest run is open. It closes and opens.
    const run = diary.getByRole('button', { name: /2 de 2 confirmadas/ });
    await keyboard.press(run);
    await expect(run).toHaveAttribute('aria-expanded', 'false');
    await expect(diary.getByRole('link', { name: `@${first}` })).toHaveCount(0);
    await page.keyboard.press('Enter');
    await expect(diary.getByRole('link', { name: `@${second}` })).toBeVisible();

    // Filter, and back to everything.
    await keyboard.press(diary.getByRole('button', { name: /^Não deram certo/ }), { back: true });
    await expect(diary.getByRole('heading', { name: 'Nada em “Não deram certo”' })).toBeVisible();
    await keyboard.press(diary.getByRole('button', { name: 'Limpar filtros' }));
    const search = diary.getByLabel('Buscar pessoa');
    await expect(search).toBeFocused();

    // Search, and the file of what was found.
    await keyboard.fill(search, `@${first}`);
    await expect(diary.getByText('1 linha', { exact: true })).toBeVisible();
    await expect(page).toHaveURL(/busca=/);
    await expectNoSidewaysScroll(page);
    const downloading = page.waitForEvent('download');
    await keyboard.press(diary.getByRole('button', { name: 'Baixar CSV' }));
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^diario-seguir-\d{4}-\d\d-\d\d\.csv$/);
    const [head, ...rows] = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    expect(head).toBe('\uFEFFdata;hora;acao;instagram;post;resultado;motivo;texto');
    expect(rows.map((row) => row.split(';').slice(2, 6))).toEqual([['Seguir', first, '', 'Seguindo']]);
    await page.reload();
    await expect(diary.getByText('1 linha', { exact: true })).toBeVisible();
    await keyboard.fill(search, '');

    // The next run shows itself.
    await expect(diary.getByText('1 execução', { exact: true })).toBeVisible();
    await makeDue(harness, id);
    await expect(diary.getByText('2 execuções', { exact: true })).toBeVisible({ timeout: deadline(60_000) });

    // Off, with the reason; and deletion can be thought over.
    await keyboard.toggle(page.getByRole('switch', { name: 'Ligar ou desligar Seguir' }), { back: true });
    await expect(page.getByText('Automação desativada')).toBeVisible();
    await expect(page.getByText('Você desligou esta automação. Ligue quando quiser que ela continue.')).toBeVisible();
    const remove = page.getByRole('button', { name: 'Excluir Seguir' });
    await keyboard.press(remove, { back: true });
    await expect(page.getByRole('dialog', { name: 'Excluir automação' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(remove).toBeFocused();
  });

test('an automation of nobody, or of somebody else, is not found', async ({ page, harness }) => {
  const me = await customer(harness);
  const other = await customer(harness);
  const { id } = (await follower(other)) as { id: string };
  await enter(page, harness, me);
  for (const unknown of [id, '00000000-0000-4000-8000-000000000000', 'nada']) {
    await page.goto(`${harness.gateway}/automation/${unknown}/diary`);
    await expect(page.getByRole('heading', { level: 1, name: 'Automação não encontrada' })).toBeVisible();
  }
});
