import { hour } from '../objects/calendar.js';
import { invalid, StripeRefusal } from '../objects/errors.js';
import type { Customer, PortalConfiguration, PortalSession, Price, Subscription } from '../objects/objects.js';
import { randomText, type World } from '../objects/world.js';

interface ConfigurationParameters {
  features?: Partial<Record<keyof PortalConfiguration['features'] | 'subscription_pause', Record<string, unknown>>>;
  business_profile?: Record<string, unknown>;
  default_return_url?: string;
  login_page?: { enabled: boolean };
  metadata?: Record<string, string>;
  name?: string;
  active?: boolean;
}

const noConfiguration =
  'No configuration provided and your test mode default configuration has not been created. Provide a configuration or create your default by saving your customer portal settings in test mode at https://dashboard.stripe.com/test/settings/billing/portal.';

/** A portal session expires after five minutes without use, and after an hour in any case. In seconds. */
const idleLife = 300;

/** Configurations and sessions of the customer portal. */
export class Portal {
  constructor(
    private readonly world: World,
    private readonly publicUrl: () => string,
  ) {}

  configure(parameters: ConfigurationParameters, existing?: PortalConfiguration): PortalConfiguration {
    const { world } = this;
    const { features: given = {} } = parameters;
    const before = existing?.features as unknown as Record<string, Record<string, unknown>> | undefined;
    const feature = (name: string, defaults: Record<string, unknown>) => ({
      ...defaults,
      ...before?.[name],
      ...(given as Record<string, Record<string, unknown> | undefined>)[name],
    });
    const cancel = feature('subscription_cancel', { enabled: false, mode: 'at_period_end', proration_behavior: 'none' });
    const reason = (cancel['cancellation_reason'] ?? {}) as { enabled?: boolean; options?: string[] };
    const update = feature('subscription_update', {
      enabled: false,
      default_allowed_updates: [],
      proration_behavior: 'none',
      products: [],
    });
    for (const { prices } of (update['products'] as { prices: string[] }[] | null) ?? [])
      for (const price of prices) world.get<Price>('price', price, 'features[subscription_update][products]');
    const values = {
      active: parameters.active ?? existing?.active ?? true,
      application: null,
      business_profile: {
        headline: null,
        privacy_policy_url: null,
        terms_of_service_url: null,
        ...(existing?.['business_profile'] as object | undefined),
        ...parameters.business_profile,
      },
      default_return_url: parameters.default_return_url ?? existing?.default_return_url ?? null,
      features: {
        customer_update: feature('customer_update', { enabled: false, allowed_updates: [] }),
        invoice_history: feature('invoice_history', { enabled: false }),
        payment_method_update: feature('payment_method_update', { enabled: false, payment_method_configuration: null }),
        subscription_cancel: {
          ...cancel,
          cancellation_reason: { enabled: reason.enabled ?? false, feedback_options: [], options: reason.options ?? [] },
        },
        subscription_pause: feature('subscription_pause', { enabled: false, duration: { interval_options: [], type: 'indefinite' } }),
        subscription_update: {
          billing_cycle_anchor: null,
          schedule_at_period_end: { conditions: [] },
          trial_update_behavior: 'end_trial',
          ...update,
          products: ((update['products'] as object[] | null) ?? []).map((product) => ({
            adjustable_quantity: { enabled: false, maximum: null, minimum: 1 },
            ...product,
          })),
        },
      } as unknown as PortalConfiguration['features'],
      login_page: { enabled: parameters.login_page?.enabled ?? false, url: null },
      metadata: parameters.metadata ?? existing?.metadata ?? {},
      name: parameters.name ?? (existing?.['name'] as string | null | undefined) ?? null,
      updated: world.now(),
    };
    if (existing) {
      world.change(existing, values);
      world.emit('billing_portal.configuration.updated', existing);
      return existing;
    }
    const configuration = world.make<PortalConfiguration>('billing_portal.configuration', { ...values, is_default: false });
    world.emit('billing_portal.configuration.created', configuration);
    return configuration;
  }

  /** @throws StripeRefusal when no configuration is given and the account has no default. */
  open(parameters: {
    customer?: string;
    configuration?: string;
    return_url?: string;
    locale?: string;
    flow_data?: {
      type: string;
      subscription_update_confirm?: { subscription: string; items: { id: string; price: string; quantity?: number }[] };
      subscription_cancel?: { subscription: string };
      subscription_update?: { subscription: string };
    };
  }): PortalSession {
    const { world } = this;
    const customer = world.get<Customer>('customer', parameters.customer ?? '', 'customer');
    const configuration = parameters.configuration
      ? world.get<PortalConfiguration>('billing_portal.configuration', parameters.configuration, 'configuration')
      : this.default();
    if (!configuration) throw new StripeRefusal(400, { type: 'invalid_request_error', message: noConfiguration }, true);
    const flow = parameters.flow_data;
    if (flow?.subscription_update_confirm)
      world.get<Subscription>(
        'subscription',
        flow.subscription_update_confirm.subscription,
        'flow_data[subscription_update_confirm][subscription]',
      );
    if (flow && !/^(payment_method_update|subscription_cancel|subscription_update|subscription_update_confirm)$/.test(flow.type))
      throw invalid(`This flow is not available: ${flow.type}`, 'flow_data[type]');
    const id = world.newId('billing_portal.session');
    const token = randomText(40);
    const session = world.make<PortalSession>('billing_portal.session', {
      id,
      configuration: configuration.id,
      customer: customer.id,
      created: world.now(),
      flow: flow
        ? ({
            after_completion: { hosted_confirmation: null, redirect: null, type: 'portal_homepage' },
            customer_update: null,
            subscription_cancel: flow.subscription_cancel ? { retention: null, subscription: flow.subscription_cancel.subscription } : null,
            subscription_pause: null,
            subscription_update: flow.subscription_update ?? null,
            subscription_update_confirm: flow.subscription_update_confirm
              ? {
                  discounts: null,
                  items: flow.subscription_update_confirm.items.map((item) => ({ quantity: 1, ...item })),
                  subscription: flow.subscription_update_confirm.subscription,
                }
              : null,
            type: flow.type,
          } as unknown as PortalSession['flow'])
        : null,
      locale: parameters.locale ?? null,
      return_url: parameters.return_url ?? configuration.default_return_url,
      url: `${this.publicUrl()}/p/session/${token}`,
    });
    Object.assign(world.notes<PortalNotes>(session.id), { token, usedMs: Date.now() });
    return session;
  }

  private default(): PortalConfiguration | undefined {
    const { world } = this;
    const [existing] = world.all<PortalConfiguration>('billing_portal.configuration', ({ is_default }) => is_default);
    if (existing) return existing;
    if (!world.settings.portal_default) return undefined;
    const configuration = this.configure({
      features: {
        customer_update: { enabled: true, allowed_updates: ['name', 'address'] },
        invoice_history: { enabled: true },
        payment_method_update: { enabled: true },
        subscription_cancel: { enabled: true },
      },
    });
    world.change(configuration, { is_default: true });
    return configuration;
  }

  /** The session of a link, unless it has expired; each use extends it. */
  byToken(token: string): PortalSession | undefined {
    const { world } = this;
    const [session] = world.all<PortalSession>('billing_portal.session', ({ id }) => world.notes<PortalNotes>(id).token === token);
    if (!session) return undefined;
    const notes = world.notes<PortalNotes>(session.id);
    const now = Date.now();
    if (now - (notes.usedMs ?? 0) > idleLife * 1000 || now - session.created * 1000 > hour * 1000) return undefined;
    notes.usedMs = now;
    return session;
  }
}

interface PortalNotes {
  token: string;
  usedMs: number;
}
