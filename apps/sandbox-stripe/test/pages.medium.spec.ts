import { testChromiumPath } from '@decola/testing';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, chromium, type Page } from 'playwright';
import type Stripe from 'stripe';
import { testStripe, type TestStripe } from './support/stripe.js';

describe('the hosted pages in a browser without scripts, 360 px wide', () => {
  let sandbox: TestStripe;
  let stripe: Stripe;
  let browser: Browser;
  let priceId: string;

  beforeAll(async () => {
    sandbox = await testStripe();
    ({ stripe } = sandbox);
    await stripe.products.create({ id: 'decola_starter', name: 'Plano Starter' });
    const price = await stripe.prices.create({
      product: 'decola_starter',
      currency: 'brl',
      unit_amount: 4900,
      recurring: { interval: 'month' },
    });
    priceId = price.id;
    browser = await chromium.launch({ executablePath: testChromiumPath(), args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
    await sandbox?.stop();
  });

  const openPage = async (scripts = false): Promise<Page> => {
    const context = await browser.newContext({ javaScriptEnabled: scripts, viewport: { width: 360, height: 740 } });
    return context.newPage();
  };

  async function newSession(trialDays?: number) {
    const customer = await stripe.customers.create({ email: 'ana@example.com' });
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: customer.id,
      line_items: [{ price: priceId, quantity: 1 }],
      success_url: `${sandbox.url}/_emulator/health?success=true`,
      cancel_url: `${sandbox.url}/_emulator/health?canceled=true`,
      ...(trialDays ? { subscription_data: { trial_period_days: trialDays } } : {}),
    });
    return { customer, session };
  }

  async function fillIn(page: Page, card: string): Promise<void> {
    await page.getByLabel('Número do cartão').fill(card);
    await page.getByLabel('Validade').fill('12/34');
    await page.getByLabel('Código (CVC)').fill('123');
    await page.getByLabel('Nome no cartão').fill('Ana Souza');
  }

  it('can be completed by keyboard, after a declined card, with 3-D Secure', async () => {
    const { session, customer } = await newSession(7);
    const page = await openPage();
    await page.goto(session.url!);
    expect(await page.getByTestId('checkout-price').textContent()).toMatch(/^Teste grátis por 7 dias, depois R\$\s49,00 por mês$/);
    expect(await page.getByLabel('E-mail').inputValue()).toBe('ana@example.com');
    await fillIn(page, '4000000000009995');
    await page.getByTestId('checkout-submit').press('Enter');
    expect(await page.getByRole('alert').textContent()).toBe('Saldo ou limite insuficiente no cartão.');
    await fillIn(page, '4000002500003155');
    await page.getByTestId('checkout-submit').click();
    await page.getByTestId('3ds-complete').click();
    expect(page.url()).toContain('success=true');
    const [subscription] = (await stripe.subscriptions.list({ customer: customer.id })).data;
    expect(subscription).toMatchObject({ status: 'trialing' });
    await page.goto(`${sandbox.url}/c/pay/${session.id}`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Assinatura concluída');
  });

  it('lead back without a purchase', async () => {
    const { session } = await newSession();
    const page = await openPage();
    await page.goto(session.url!);
    await page.getByTestId('checkout-cancel').click();
    expect(page.url()).toContain('canceled=true');
  });

  it('fit the width and are accessible', async () => {
    const { session, customer } = await newSession();
    const page = await openPage(true);
    const look = async (url: string) => {
      await page.goto(url);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect({ url, width }).toEqual({ url, width: 360 });
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
    };
    await look(session.url!);
    await fillIn(page, '4242424242424242');
    await page.getByTestId('checkout-submit').click();
    const [invoice] = (await stripe.invoices.list({ customer: customer.id })).data;
    await look(invoice!.hosted_invoice_url!);
    await look(`${invoice!.hosted_invoice_url!}/pdf`);
    await look(`${sandbox.url}/_emulator/`);
    const configuration = await stripe.billingPortal.configurations.create({
      features: {
        customer_update: { enabled: true, allowed_updates: ['name', 'address', 'phone', 'tax_id'] },
        invoice_history: { enabled: true },
        payment_method_update: { enabled: true },
        subscription_cancel: { enabled: true, cancellation_reason: { enabled: true, options: ['too_expensive', 'other'] } },
      },
    });
    const portal = await stripe.billingPortal.sessions.create({
      customer: customer.id,
      configuration: configuration.id,
      return_url: sandbox.url,
    });
    await look(portal.url);
    const insideOf = 'Math.max(...[...document.querySelectorAll("section table")].map((table) => table.getBoundingClientRect().right))';
    expect(await page.evaluate(insideOf)).toBeLessThanOrEqual(344);
    await page.getByLabel('Telefone').fill('+55 11 91234-5678');
    await page.getByLabel('Cidade').fill('São Paulo');
    await page.getByLabel('CPF ou CNPJ').fill('123');
    await page.getByTestId('portal-details-submit').press('Enter');
    expect(await page.getByRole('alert').textContent()).toBe('Confira o CPF (11 dígitos) ou CNPJ (14 dígitos).');
    await page.goto(portal.url);
    await page.getByLabel('Telefone').fill('+55 11 91234-5678');
    await page.getByLabel('Cidade').fill('São Paulo');
    await page.getByLabel('CPF ou CNPJ').fill('123.456.789-09');
    await page.getByTestId('portal-details-submit').press('Enter');
    expect(await page.getByRole('status').textContent()).toBe('Dados de cobrança salvos.');
    expect(await stripe.customers.retrieve(customer.id, { expand: ['tax_ids'] })).toMatchObject({
      phone: '+55 11 91234-5678',
      address: { city: 'São Paulo', country: 'BR', line1: null },
      tax_ids: { data: [{ type: 'br_cpf', value: '123.456.789-09' }] },
    });
    await look(`${portal.url}/cancel`);
    await page.getByTestId('portal-cancel-confirm').click();
    expect(await page.getByTestId('portal-when').textContent()).toMatch(/^Sua assinatura termina em /);
    await page.getByTestId('portal-renew').click();
    expect(await page.getByTestId('portal-when').textContent()).toMatch(/^Próxima cobrança em /);
  });
});
