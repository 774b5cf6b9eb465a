import type { FastifyInstance } from 'fastify';
import type { Api, Fault } from '../api/api.js';
import type { Parts } from '../api/parts.js';
import { routes } from '../api/routes/index.js';
import { testCards } from '../billing/cards.js';
import { StripeRefusal } from '../objects/errors.js';
import type { Customer, StripeEvent, TestClock } from '../objects/objects.js';
import { apiVersion } from '../objects/schema.js';
import { randomText, type Settings, type WorldSnapshot } from '../objects/world.js';
import { document, escape } from '../pages/html.js';
import { show } from '../pages/requests.js';
import type { DeliveryPolicy } from '../webhooks/webhooks.js';

const base = '/_emulator/api';

interface Seed {
  catalogue?: { id: string; name: string; metadata?: Record<string, string>; prices?: { lookup_key: string; unit_amount: number }[] }[];
  /** URL of a webhook endpoint. */
  endpoint?: string;
}

const isLoopback = (address: string) => address === '127.0.0.1' || address === '::1' || address === '::ffff:127.0.0.1';

/** The control interface for tests, and a page for developers. Both answer on the loopback interface only. */
export function registerControl(app: FastifyInstance, parts: Parts & { api: Api; publicUrl: () => string }): void {
  const { world, webhooks, api, dueWork, subscriptions, payments } = parts;

  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/_emulator/') && !request.url.startsWith('/_emulator/health') && !isLoopback(request.ip))
      await reply
        .status(403)
        .send({ error: { type: 'invalid_request_error', message: 'The control interface answers on the loopback only.' } });
  });

  app.get('/_emulator/health', () => ({ status: 'up', api_version: apiVersion }));
  app.post(`${base}/reset`, () => {
    webhooks.reset();
    api.reset();
    world.reset();
    return { ok: true };
  });
  app.get(`${base}/state`, () => world.snapshot());
  app.put<{ Body: WorldSnapshot }>(`${base}/snapshot`, ({ body }) => {
    world.load(body);
    return { ok: true };
  });
  app.post<{ Body: Seed }>(`${base}/seed`, ({ body }) => {
    const calls = routes(parts);
    const made = (call: string, parameters: Record<string, unknown>) => calls[call]?.({}, parameters) as { id: string; secret?: string };
    const prices: Record<string, string> = {};
    for (const { prices: given = [], ...product } of body.catalogue ?? []) {
      if (!world.find('product', product.id)) made('POST /v1/products', product);
      for (const { lookup_key: key, unit_amount: amount } of given)
        prices[key] = made('POST /v1/prices', {
          product: product.id,
          currency: 'brl',
          unit_amount: amount,
          recurring: { interval: 'month' },
          tax_behavior: 'inclusive',
          lookup_key: key,
          transfer_lookup_key: true,
        }).id;
    }
    const endpoint = body.endpoint ? made('POST /v1/webhook_endpoints', { url: body.endpoint, enabled_events: ['*'] }) : undefined;
    return { prices, endpoint: endpoint && { id: endpoint.id, secret: endpoint.secret } };
  });
  app.post<{ Params: { id: string }; Body: { finish?: boolean } | undefined }>(
    `${base}/webhook_endpoints/:id/rotate`,
    ({ params, body }) => {
      world.get('webhook_endpoint', params.id);
      const [newest = ''] = world.secrets.get(params.id) ?? [];
      const secrets = body?.finish ? [newest] : [`whsec_${randomText(32)}`, newest];
      world.secrets.set(params.id, secrets);
      world.onChange();
      return { secrets };
    },
  );
  app.post<{ Params: { id: string }; Body: { seconds: number } }>(`${base}/customers/:id/shift`, ({ params, body }) => {
    const customer = world.get<Customer>('customer', params.id);
    if (!(body.seconds >= 0)) throw new StripeRefusal(400, { type: 'invalid_request_error', message: 'seconds must be a positive number' });
    const before = world.events.length;
    world.shift(customer.id, Math.floor(body.seconds));
    dueWork.run(customer, world.now(customer.id));
    return { events: world.events.slice(before).map(({ id, type }) => ({ id, type })) };
  });
  app.post<{ Params: { id: string }; Body: { number: string } }>(`${base}/customers/:id/default-card`, ({ params, body }) => {
    const customer = world.get<Customer>('customer', params.id);
    const number = testCards[body.number]?.number ?? body.number;
    const method = payments.newMethod({ number, exp_month: 12, exp_year: new Date().getUTCFullYear() + 8 });
    world.change(method, { customer: customer.id });
    world.emit('payment_method.attached', method);
    subscriptions.setDefaultMethod(customer, method);
    return { id: method.id };
  });
  app.post<{ Body: Partial<DeliveryPolicy> }>(`${base}/webhooks/policy`, ({ body }) => {
    webhooks.setPolicy(body);
    return webhooks.policy;
  });
  app.get(`${base}/webhooks/held`, () => webhooks.heldEvents());
  app.post<{ Body: { order?: 'fifo' | 'lifo' | string[] } }>(`${base}/webhooks/release`, async ({ body }) => ({
    released: await webhooks.release(body?.order ?? 'fifo'),
  }));
  app.post<{ Body: { event: Partial<StripeEvent> } }>(`${base}/webhooks/send`, async ({ body }) => {
    const event = {
      id: world.newId('event'),
      object: 'event',
      api_version: apiVersion,
      created: world.now(),
      data: { object: { object: 'unknown' } },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type: 'unknown',
      ...body.event,
    } as StripeEvent;
    await webhooks.redeliver(event);
    return { id: event.id };
  });
  app.post<{ Params: { id: string } }>(`${base}/events/:id/redeliver`, async ({ params }) => {
    const event = world.events.find(({ id }) => id === params.id);
    if (!event) throw new StripeRefusal(404, { type: 'invalid_request_error', message: `No such event: '${params.id}'` });
    await webhooks.redeliver(event);
    return { ok: true };
  });
  app.post<{ Body: Partial<Fault> }>(`${base}/faults`, ({ body }) => {
    api.faults.push({ times: 1, when: 'before', ...body });
    return { faults: api.faults.length };
  });
  app.delete(`${base}/faults`, () => {
    api.faults = [];
    return { faults: 0 };
  });
  app.post<{ Body: { enabled: boolean } }>(`${base}/portal/default`, ({ body }) => {
    world.settings.portal_default = body.enabled;
    world.onChange();
    return { enabled: body.enabled };
  });
  app.post<{ Body: Partial<Settings> }>(`${base}/settings`, ({ body }) => {
    Object.assign(world.settings, body);
    world.onChange();
    return world.settings;
  });
  app.get(`${base}/deliveries`, () => webhooks.deliveries);
  app.get(`${base}/requests`, () => api.requests);

  app.get('/_emulator/', async (_request, reply) => {
    const objects = world.snapshot().objects.slice(-200).reverse();
    const clocks = world.all<TestClock>('test_helpers.test_clock');
    const deliveries = [...webhooks.deliveries].slice(-100).reverse();
    return show(
      reply,
      document(
        'Emulador do Stripe',
        `<section><h1>Emulador do Stripe</h1><p class="soft">API ${apiVersion}, ${objects.length} objetos recentes, ${world.events.length} eventos</p></section>
<section><h2>Entregas</h2><table><tbody>${deliveries
          .map(
            (each) =>
              `<tr><td>${escape(each.type)}</td><td>${escape(each.url)}</td><td>${each.attempt}ª</td><td>${each.status ?? escape(each.error ?? '')}</td></tr>`,
          )
          .join('')}</tbody></table></section>
<section><h2>Eventos</h2><table><tbody>${world.events
          .slice(-100)
          .reverse()
          .map(
            (event) =>
              `<tr><td>${event.id}</td><td>${escape(event.type)}</td><td><form method="post" action="${base}/events/${event.id}/redeliver"><button class="quiet">Reenviar</button></form></td></tr>`,
          )
          .join('')}</tbody></table></section>
<section><h2>Relógios de teste</h2>${
          clocks.length > 0
            ? `<table><tbody>${clocks
                .map(
                  (clock) =>
                    `<tr><td>${clock.id}</td><td>${escape(typeof clock['name'] === 'string' ? clock['name'] : '')}</td><td class="number">${new Date(clock.frozen_time * 1000).toISOString()}</td><td>${escape(clock.status)}</td></tr>`,
                )
                .join('')}</tbody></table>`
            : '<p class="soft">Nenhum: todos os clientes seguem a hora real.</p>'
        }</section>
<section><h2>Objetos</h2><table><tbody>${objects
          .map(
            (object) =>
              `<tr><td>${escape(object.object)}</td><td>${escape(object.id)}</td><td>${escape(typeof object['status'] === 'string' ? object['status'] : '')}</td></tr>`,
          )
          .join('')}</tbody></table></section>`,
        'wide',
      ),
    );
  });
  app.get('/', async (_request, reply) => reply.redirect('/_emulator/', 302));
}
