import Fastify from 'fastify';
import { Api } from '../api/api.js';
import type { Parts } from '../api/parts.js';
import { routes } from '../api/routes/index.js';
import { Checkout } from '../billing/checkout.js';
import { DueWork } from '../billing/due-work.js';
import { Invoices } from '../billing/invoices.js';
import { Payments } from '../billing/payments.js';
import { Portal } from '../billing/portal.js';
import { Subscriptions } from '../billing/subscriptions.js';
import { registerControl } from '../control/control.js';
import { StripeRefusal } from '../objects/errors.js';
import { includables } from '../objects/expand.js';
import { SnapshotFile } from '../objects/snapshot-file.js';
import { World, type WorldSnapshot } from '../objects/world.js';
import { registerHostedPages } from '../pages/hosted-pages.js';
import { registerPortalPages } from '../pages/portal-pages.js';
import { Webhooks } from '../webhooks/webhooks.js';

export interface StripeOptions {
  /** A port of its own is needed, since Stripe's package allows no path prefix. 0 takes a free one. */
  port: number;
  host?: string;
  /** URL for customers' browsers. Default: the address that the server listens on. */
  publicUrl?: string;
  /** Folder in which all objects survive a restart; undefined keeps them in memory only. */
  dataDirectory?: string;
  /** Called once per request and per error. Default: prints errors to standard error. */
  log?: (line: Record<string, unknown>) => void;
}

export interface StripeSandbox {
  url: string;
  stop(): Promise<void>;
}

/** How often work that is due on the real clock is looked for. */
const dueEveryMs = 1_000;

const printErrors = (line: Record<string, unknown>) => {
  if (line['level'] === 'error') process.stderr.write(`stripe sandbox: ${String(line['message'])}\n`);
};

/** Starts a stand-in for Stripe, to which Stripe's own package connects by another address. */
export async function startStripe({
  port,
  host = '127.0.0.1',
  publicUrl,
  dataDirectory,
  log = printErrors,
}: StripeOptions): Promise<StripeSandbox> {
  let address = publicUrl ?? '';
  const world = new World();
  const snapshot = new SnapshotFile<WorldSnapshot>(dataDirectory, 'stripe.json', () => world.snapshot());
  const webhooks = new Webhooks(world);
  const payments = new Payments(world);
  const invoices = new Invoices(world, payments, () => address);
  const subscriptions = new Subscriptions(world, payments, invoices);
  const checkout = new Checkout(world, payments, subscriptions, () => address);
  const portal = new Portal(world, () => address);
  const dueWork = new DueWork(world, subscriptions, invoices, checkout);
  const parts: Parts = { world, payments, invoices, subscriptions, checkout, portal, webhooks, dueWork };
  const api = new Api(
    world,
    routes(parts),
    includables(world, (session) => checkout.lineItems(session)),
    log,
  );

  const app = Fastify({ forceCloseConnections: true, bodyLimit: 16 * 1024 * 1024, routerOptions: { maxParamLength: 300 } });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(body as string));
    } catch (error) {
      done(error as Error);
    }
  });
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof StripeRefusal) return reply.status(error.status).send({ error: error.body });
    log({ level: 'error', message: error instanceof Error ? error.stack : String(error) });
    return reply.status(500).send({ error: { type: 'api_error', message: 'The stand-in failed; see its log.' } });
  });
  api.register(app);
  registerHostedPages(app, parts);
  registerPortalPages(app, parts);
  registerControl(app, { ...parts, api, publicUrl: () => address });

  const kept = snapshot.read();
  if (kept) world.load(kept);
  world.onChange = () => snapshot.writeSoon();
  const url = await app.listen({ port, host });
  address ||= url;
  webhooks.resume();
  const timer = setInterval(() => {
    try {
      dueWork.runAll();
    } catch (error) {
      log({ level: 'error', message: error instanceof Error ? error.stack : String(error) });
    }
  }, dueEveryMs);
  timer.unref();
  return {
    url,
    stop: async () => {
      clearInterval(timer);
      webhooks.stop();
      await app.close();
      snapshot.write();
    },
  };
}
