import Fastify from 'fastify';
import { Api } from './api.js';
import { Checkout } from './checkout.js';
import { registerControl } from './control.js';
import { DueWork } from './due-work.js';
import { StripeRefusal } from './errors.js';
import { includables } from './expand.js';
import { Invoices } from './invoices.js';
import { registerPages } from './pages.js';
import { Payments } from './payments.js';
import { Portal } from './portal.js';
import { registerPortalPages } from './portal-pages.js';
import { routes } from './routes/index.js';
import type { Parts } from './routes/shared.js';
import { SnapshotFile } from './snapshot-file.js';
import { Subscriptions } from './subscriptions.js';
import { Webhooks } from './webhooks.js';
import { World, type WorldSnapshot } from './world.js';

export interface StripeOptions {
  /** The package has no path prefix: the stand-in needs a port of its own. 0 takes a free one. */
  port: number;
  host?: string;
  /** Address that customers' browsers use. Default: the address it listens on. */
  publicUrl?: string;
  /** Folder that keeps all objects over a restart. Default: `SANDBOX_DATA_DIR`; without one they live in memory. */
  dataDir?: string;
  /** One line per request. Default: errors only, to standard error. */
  log?: (line: Record<string, unknown>) => void;
}

export interface StripeSandbox {
  url: string;
  stop(): Promise<void>;
}

/** How often what became due on the real clock is looked for. */
const dueEveryMs = 1_000;

const complain = (line: Record<string, unknown>) => {
  if (line['level'] === 'error') process.stderr.write(`stripe sandbox: ${String(line['message'])}\n`);
};

/** Stripe for a developer's machine and for tests: the same package, another address. */
export async function startStripe({
  port,
  host = '127.0.0.1',
  publicUrl,
  dataDir = process.env['SANDBOX_DATA_DIR'],
  log = complain,
}: StripeOptions): Promise<StripeSandbox> {
  let address = publicUrl ?? '';
  const world = new World();
  const snapshot = new SnapshotFile<WorldSnapshot>(dataDir, 'stripe.json', () => world.snapshot());
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
  registerPages(app, parts);
  registerPortalPages(app, parts);
  registerControl(app, { ...parts, api, publicUrl: () => address });

  const kept = snapshot.read();
  if (kept) world.load(kept);
  world.onChange = () => snapshot.touch();
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
