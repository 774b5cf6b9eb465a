import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, FrameLocator, Page } from '@playwright/test';
import { longOnly } from '@decola/testing/sizes';
import { parse } from 'csv-parse/sync';
import { publishWheel } from '../../../scripts/lib/customer.mjs';
import { deadline } from '../src/deadlines.js';
import { enter, expect, test } from '../src/journey.js';
import { customer, type Customer } from '../src/people.js';
import { webhookReceiver } from '../src/webhook-receiver.js';

// The wheel turns as it does for most visitors.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const company = 'Torrefação Aurora';
const prizes = ['Caneca esmaltada', 'Café de 250 g'];

/** Publishes a wheel by its wizard. @returns what its owner copies from the page that follows */
async function publishByWizard(page: Page): Promise<{ link: string; embedCode: string }> {
  await expect(page.getByRole('heading', { name: 'Roleta de Prêmios', level: 1 })).toBeVisible();
  await page.getByLabel('Nome do prêmio 1').fill(prizes[0]!);
  await page.getByLabel(`Unidades de ${prizes[0]}`).fill('2');
  await page.getByLabel(`Tipo de ${prizes[0]}`).selectOption('physical');
  await page.getByRole('button', { name: 'Adicionar prêmio' }).click();
  await page.getByLabel('Nome do prêmio 2').fill(prizes[1]!);
  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.getByRole('switch', { name: 'WhatsApp' }).click();
  await page.getByRole('button', { name: /^Promoção/ }).click();
  await page.getByLabel('Empresa que promove').fill(company);
  await page.getByLabel('Contato para os participantes').fill('oi@aurora.example');
  await page.getByRole('button', { name: 'Criar Automação' }).click();
  await expect(page.getByRole('heading', { name: 'Sua roleta está no ar' })).toBeVisible({ timeout: deadline(30_000) });
  return {
    link: await page.getByLabel('Link da roleta').inputValue(),
    embedCode: await page.getByLabel('Código para o site').inputValue(),
  };
}

async function fillForm(wheel: Page | FrameLocator, handle: string): Promise<void> {
  await wheel.getByRole('textbox', { name: /Instagram/ }).fill(handle);
  await wheel.getByRole('textbox', { name: /WhatsApp/ }).fill('11987654321');
  await wheel.getByRole('checkbox', { name: /aceito o regulamento/ }).check();
  await wheel.getByRole('button', { name: 'Continuar' }).click();
}

/** Spins a wheel whose form was filled, and waits for the prize. */
async function spin(wheel: Page | FrameLocator): Promise<void> {
  await expect(wheel.getByRole('heading', { name: 'Girando a Roleta!' })).toBeVisible();
  await wheel.getByRole('button', { name: 'Girar' }).click();
  await expect(wheel.getByRole('heading', { name: 'Parabéns!' })).toBeVisible({ timeout: deadline(30_000) });
}

/** Fills the form of a wheel's page and spins. @returns the prize and its code, as the visitor reads them */
async function play(wheel: Page | FrameLocator, handle: string): Promise<{ prize: string; code: string }> {
  await expect(wheel.getByRole('heading', { name: 'Seus Dados' })).toBeVisible();
  // What must be filled in is said beside its field. The form is there before its script, which answers the button.
  await expect(async () => {
    await wheel.getByRole('button', { name: 'Continuar' }).click();
    await expect(wheel.getByText('Instagram (@) é obrigatório')).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: deadline(15_000) });
  await expect(wheel.getByText('Aceite o regulamento para continuar')).toBeVisible();
  await fillForm(wheel, handle);
  await spin(wheel);
  const text = (await wheel.getByRole('article').textContent()) ?? '';
  const code = /[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{3}/.exec(text)?.[0] ?? '';
  expect(code).not.toBe('');
  const prize = prizes.find((name) => text.includes(name)) ?? '';
  expect(prize).not.toBe('');
  return { prize, code };
}

/** A page of another site that shows the wheel in a frame, as the wheel's owner pastes its code. */
async function siteWith(embedCode: string): Promise<{ server: Server; url: string }> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><html lang="pt-BR"><title>Café da Ana</title><h1>Café da Ana</h1>${embedCode}</html>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The system is at 127.0.0.1: another host name makes another site of it, whose frames get no storage of their own.
  return { server, url: `http://localhost:${(server.address() as AddressInfo).port}/` };
}

/** A visitor's phone: nobody is signed in there. */
const phone = (browser: Browser) => browser.newContext({ viewport: { width: 360, height: 740 }, locale: 'pt-BR', hasTouch: true });

async function idOfWheel({ client }: Customer): Promise<string> {
  const { data, error } = await client.from('automations').select('id').eq('type', 'prize-extractor').single<{ id: string }>();
  if (error) throw new Error(error.message);
  return data.id;
}

const savedBy = async (page: Page, button: string | RegExp): Promise<Buffer> => {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button }).click()]);
  return readFileSync(await download.path());
};

test('a wheel goes from its wizard to a winner, a lead, a delivered prize and a verified audit, also inside a frame of another site', async ({
  browser,
  page,
  harness,
}) => {
  const me = await customer(harness);
  await enter(page, harness, me);
  await page.goto(`${harness.gateway}/automation/prize-extractor`);
  const { link, embedCode } = await publishByWizard(page);
  const automationId = await idOfWheel(me);
  expect(link).toContain(`${harness.gateway}/prize-wheel/${automationId}`);

  const visitor = await phone(browser);
  const visited = await visitor.newPage();
  await visited.goto(link);
  const first = await play(visited, '@Maria.Silva');
  expect(await visited.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await visitor.close();

  const { server, url } = await siteWith(embedCode);
  const reader = await phone(browser);
  let second: { prize: string; code: string };
  try {
    const site = await reader.newPage();
    await site.goto(url);
    const frame = site.frameLocator('iframe');
    second = await play(frame, 'joao.souza');
    expect(second.code).not.toBe(first.code);
    // Whoever types the winner's handle elsewhere reads the prize, and never its code.
    const stranger = await (await browser.newContext({ viewport: { width: 360, height: 740 } })).newPage();
    await stranger.goto(link, { waitUntil: 'networkidle' });
    await fillForm(stranger, 'maria.silva');
    await expect(stranger.getByRole('heading', { name: 'Parabéns!' })).toBeVisible();
    const shown = (await stranger.getByRole('article').textContent()) ?? '';
    expect(shown).toContain(first.prize);
    expect(shown).not.toContain(first.code);
    await stranger.context().close();
  } finally {
    await reader.close();
    server.close();
  }

  await page.goto(`${harness.gateway}/automation/${automationId}/roleta`);
  const leads = page.getByRole('list', { name: 'Leads' });
  await expect(leads.getByText('@maria.silva')).toBeVisible({ timeout: deadline(30_000) });
  await expect(leads.getByText('@joao.souza')).toBeVisible();
  // Views are stored every few seconds.
  await expect
    .poll(async () => (await me.client.functions.invoke('prize-stats', { body: { automationId } })).data?.totals, {
      timeout: deadline(20_000),
    })
    .toMatchObject({ views: 3, continued: 3, spins: 2, won: 2, delivered: 0 });
  await page.reload();
  const figures = page.getByRole('region', { name: 'Números' });
  await expect(figures.getByRole('listitem').filter({ hasText: 'viram a roleta' })).toContainText('3');
  await expect(figures.getByRole('listitem').filter({ hasText: 'giraram' })).toContainText('2');

  const csv = (await savedBy(page, /^Baixar CSV/)).toString('utf8');
  expect(csv.startsWith('\uFEFF')).toBe(true);
  const rows = parse<Record<string, string>>(csv, { bom: true, columns: true, delimiter: ';' });
  expect(
    rows.map(({ instagram, whatsapp, premio, codigo, situacao }) => ({ instagram, whatsapp, premio, codigo, situacao })).sort(byHandle),
  ).toEqual([
    { instagram: 'joao.souza', whatsapp: '(11) 98765-4321', premio: second.prize, codigo: second.code, situacao: 'A entregar' },
    { instagram: 'maria.silva', whatsapp: '(11) 98765-4321', premio: first.prize, codigo: first.code, situacao: 'A entregar' },
  ]);

  await page.getByRole('textbox', { name: 'Código do prêmio' }).fill(first.code.toLowerCase());
  await page.getByRole('button', { name: 'Conferir', exact: true }).click();
  await page.getByRole('button', { name: 'Marcar como entregue' }).click();
  await expect(page.getByText(`Pronto: ${first.prize} entregue.`)).toBeVisible();

  await page.getByRole('button', { name: 'Encerrar rodada' }).click();
  await page.getByRole('dialog').or(page.getByRole('alertdialog')).getByRole('button', { name: 'Encerrar rodada' }).click();
  await expect(page.getByText('Rodada 1 encerrada')).toBeVisible();
  const audit = (await savedBy(page, 'Baixar auditoria')).toString('utf8');
  await page.goto(`${harness.gateway}/auditoria`);
  const result = page.getByRole('region', { name: 'Resultado' });
  const choose = (lines: string) =>
    page
      .getByLabel('Escolher arquivo')
      .setInputFiles({ name: 'auditoria.jsonl', mimeType: 'application/x-ndjson', buffer: Buffer.from(lines) });
  await choose(audit);
  await expect(result.getByRole('heading', { name: 'Nada foi mudado nesta rodada' })).toBeVisible();
  await page.getByRole('button', { name: 'Outro arquivo' }).click();
  await choose(withOtherInstant(audit, 2));
  await expect(result.getByRole('heading', { name: 'O sorteio 2 foi mudado depois de acontecer' })).toBeVisible();
});

/** The audit file as it would be if somebody wrote another instant into a draw, afterwards. */
const withOtherInstant = (audit: string, number: number): string =>
  audit
    .trimEnd()
    .split('\n')
    .map((text) => {
      const entry = JSON.parse(text) as { line?: string };
      const [kind, ofDraw, instant, ...rest] = JSON.parse(entry.line ?? '[]') as unknown[];
      if (kind !== 'draw' || ofDraw !== number) return text;
      return JSON.stringify({ ...entry, line: JSON.stringify([kind, ofDraw, String(instant).replace(/^\d{4}/, '2020'), ...rest]) });
    })
    .join('\n');

const byHandle = (one: { instagram?: string | undefined }, other: { instagram?: string | undefined }) =>
  (one.instagram ?? '').localeCompare(other.instagram ?? '');

// In the gate coupons are tested in prize-wheel, and webhooks in extraction.
for (const title of longOnly(['a winner gets a coupon that was pasted in the wizard, and the webhook of the owner is told of it, signed']))
  test(title, async ({ browser, page, harness }) => {
    const me = await customer(harness);
    const { id, link } = await publishWheel(harness, me, {
      name: 'Roleta do Café',
      prizes: [{ id: 'vale', name: 'Vale de R$ 10', quantity: 5, type: 'digital', message: 'Use no caixa.' }],
      leadFields: [
        { name: 'instagram', label: 'Instagram (@)', required: true },
        { name: 'whatsapp', label: 'WhatsApp', required: true },
      ],
      promotion: { company, contact: 'oi@aurora.example', authorisation: 'same_prize' },
      consent: { channels: [] },
    });
    await enter(page, harness, me);
    await page.goto(`${harness.gateway}/automation/prize-extractor?edit=${id}`);
    await page.getByRole('button', { name: 'Cupons únicos de Vale de R$ 10' }).click();
    await page.getByLabel('Colar cupons').fill('CAFE-AÇAÍ-1\n\nCAFE-2\nCAFE-AÇAÍ-1\n');
    await page.getByRole('button', { name: 'Guardar cupons' }).click();
    await expect(page.getByText('2 cupons guardados')).toBeVisible();
    await expect(page.getByText('2 cupons · 2 livres')).toBeVisible();

    const receiver = await webhookReceiver(harness.webhookPort);
    try {
      await page.goto(`${harness.gateway}/automation/${id}/roleta`);
      const section = page.getByRole('region', { name: 'Avisos e integrações' });
      await section.getByLabel('Endereço (URL)').fill('http://10.0.0.1/leads');
      await section.getByRole('button', { name: 'Salvar webhook' }).click();
      await expect(section.getByLabel('Endereço (URL)')).toHaveAttribute('aria-invalid', 'true');
      await section.getByLabel('Endereço (URL)').fill(receiver.url);
      await section.getByRole('button', { name: 'Salvar webhook' }).click();
      const secret = (await section.getByText(/^whsec_/).textContent()) ?? '';
      await section.getByRole('button', { name: 'Enviar teste' }).click();
      await expect.poll(() => receiver.events(secret), { timeout: deadline(30_000) }).toMatchObject([{ type: 'webhook.test' }]);

      const visitor = await phone(browser);
      const visited = await visitor.newPage();
      await visited.goto(link, { waitUntil: 'networkidle' });
      await fillForm(visited, '@Maria.Silva');
      await spin(visited);
      await expect(visited.getByText('CAFE-AÇAÍ-1')).toBeVisible();
      const shown = (await visited.getByRole('article').textContent()) ?? '';
      await visitor.close();

      await expect.poll(() => receiver.events(secret).length, { timeout: deadline(30_000) }).toBe(2);
      const told = receiver.events(secret)[1]!;
      expect(told).toMatchObject({
        type: 'lead.captured',
        data: {
          automationId: id,
          wheel: 'Roleta do Café',
          number: 1,
          instagram: 'maria.silva',
          fields: { whatsapp: '+5511987654321' },
          prize: { name: 'Vale de R$ 10', type: 'digital' },
        },
      });
      expect(shown).toContain((told.data['prize'] as { code: string }).code);
      expect(JSON.stringify(receiver.events(secret))).not.toContain('CAFE-');
      // Another key does not verify what was sent.
      expect(() => receiver.events(`whsec_${Buffer.alloc(24, 1).toString('base64')}`)).toThrow('No matching signature found');

      await page.reload();
      await section.getByText(/^Entregas/).click();
      const deliveries = section.getByRole('list', { name: 'Entregas' }).getByRole('listitem');
      await expect(deliveries).toHaveCount(2);
      await expect(deliveries.nth(0)).toContainText('Novo lead nº 1');
      await expect(deliveries.nth(1)).toContainText('Teste');
      for (const each of await deliveries.all()) await expect(each).toContainText(/Recebida.*resposta 204/);
      await expect(section.getByText(secret)).toHaveCount(0);
    } finally {
      await receiver.stop();
    }

    await page.goto(`${harness.gateway}/automation/prize-extractor?edit=${id}`);
    await page.getByRole('button', { name: 'Cupons únicos de Vale de R$ 10' }).click();
    await expect(page.getByText('2 cupons · 1 livre')).toBeVisible();
  });
