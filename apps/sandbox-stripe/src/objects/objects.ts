/** The members of Stripe's objects that the stand-in reads or writes; the others come from the schema. References are ids. */
export interface StripeObject {
  id: string;
  object: string;
  created: number;
  metadata: Record<string, string>;
  [key: string]: unknown;
}

export interface List<Item> {
  object: 'list';
  data: Item[];
  has_more: boolean;
  url: string;
}

export interface Customer extends StripeObject {
  email: string | null;
  name?: string | null;
  balance: number;
  currency: string | null;
  invoice_settings: { default_payment_method: string | null; custom_fields: null; footer: null; rendering_options: null };
  test_clock?: string | null;
}

export interface Product extends StripeObject {
  name: string;
  active: boolean;
  updated: number;
}

export interface Price extends StripeObject {
  active: boolean;
  currency: string;
  lookup_key: string | null;
  product: string;
  recurring: { interval: 'day' | 'week' | 'month' | 'year'; interval_count: number } | null;
  unit_amount: number;
}

export interface PaymentMethod extends StripeObject {
  customer: string | null;
  card: { brand: string; last4: string; exp_month: number; exp_year: number; fingerprint: string; country: string };
}

export interface SubscriptionItem extends StripeObject {
  current_period_start: number;
  current_period_end: number;
  price: Price;
  quantity: number;
  subscription: string;
}

export type SubscriptionStatus =
  | 'active'
  | 'canceled'
  | 'incomplete'
  | 'incomplete_expired'
  | 'past_due'
  | 'paused'
  | 'trialing'
  | 'unpaid';

export interface Subscription extends StripeObject {
  billing_cycle_anchor: number;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  canceled_at: number | null;
  cancellation_details: { comment: string | null; feedback: string | null; feedback_option: null; reason: string | null };
  collection_method: string;
  currency: string;
  customer: string;
  default_payment_method: string | null;
  ended_at: number | null;
  items: List<SubscriptionItem>;
  latest_invoice: string | null;
  pause_collection: { behavior: string; resumes_at: number | null } | null;
  pending_update: { expires_at: number; subscription_items: SubscriptionItem[] } | null;
  schedule: string | null;
  start_date: number;
  status: SubscriptionStatus;
  test_clock: string | null;
  trial_end: number | null;
  trial_start: number | null;
  trial_settings: {
    end_behavior: { billing_cycle_anchor: string | null; missing_payment_method: 'cancel' | 'create_invoice' | 'pause' };
  } | null;
}

export interface LineItem extends StripeObject {
  amount: number;
  description: string | null;
  period: { start: number; end: number };
  quantity: number | null;
  parent: { subscription_item_details: { proration: boolean } | null } | null;
  pricing: { price_details: { price: string } | null } | null;
}

export interface InvoicePayment extends StripeObject {
  amount_paid: number | null;
  amount_requested: number;
  invoice: string;
  payment: { type: 'payment_intent'; payment_intent: string };
  status: string;
  status_transitions: { canceled_at: number | null; paid_at: number | null };
}

export interface Invoice extends StripeObject {
  amount_due: number;
  amount_paid: number;
  amount_remaining: number;
  attempt_count: number;
  attempted: boolean;
  automatically_finalizes_at: number | null;
  billing_reason: string;
  currency: string;
  customer: string;
  customer_email: string | null;
  ending_balance: number | null;
  lines: List<LineItem>;
  next_payment_attempt: number | null;
  number: string | null;
  parent: {
    type: 'subscription_details';
    quote_details: null;
    subscription_details: { metadata: Record<string, string>; subscription: string };
  } | null;
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';
  status_transitions: {
    finalized_at: number | null;
    marked_uncollectible_at: number | null;
    paid_at: number | null;
    voided_at: number | null;
  };
  total: number;
  hosted_invoice_url?: string | null;
}

export interface PaymentIntent extends StripeObject {
  amount: number;
  customer: string | null;
  latest_charge: string | null;
  payment_method: string | null;
  status: string;
}

export interface SetupIntent extends StripeObject {
  customer: string | null;
  payment_method: string | null;
  status: string;
}

export interface Charge extends StripeObject {
  amount: number;
  amount_refunded: number;
  payment_intent: string;
  refunded: boolean;
  customer: string | null;
}

export interface CheckoutSession extends StripeObject {
  amount_total: number;
  cancel_url: string | null;
  client_reference_id: string | null;
  currency: string;
  customer: string | null;
  customer_email: string | null;
  expires_at: number;
  invoice: string | null;
  mode: 'subscription';
  payment_status: 'no_payment_required' | 'paid' | 'unpaid';
  setup_intent: string | null;
  status: 'complete' | 'expired' | 'open';
  subscription: string | null;
  success_url: string | null;
  url: string | null;
}

export interface PortalConfiguration extends StripeObject {
  active: boolean;
  is_default: boolean;
  updated: number;
  default_return_url: string | null;
  features: {
    customer_update: { enabled: boolean; allowed_updates: string[] };
    invoice_history: { enabled: boolean };
    payment_method_update: { enabled: boolean };
    subscription_cancel: {
      enabled: boolean;
      mode: 'at_period_end' | 'immediately';
      proration_behavior: string;
      cancellation_reason: { enabled: boolean; options: string[] };
    };
    subscription_update: {
      enabled: boolean;
      default_allowed_updates: string[];
      proration_behavior: 'always_invoice' | 'create_prorations' | 'none';
      products: { product: string; prices: string[] }[] | null;
      trial_update_behavior?: string;
    };
  };
}

export interface PortalSession extends StripeObject {
  configuration: string;
  customer: string;
  return_url: string | null;
  url: string;
  flow: {
    type: string;
    subscription_update_confirm: { subscription: string; items: { id: string; price: string }[] } | null;
    subscription_cancel: { subscription: string } | null;
  } | null;
}

export interface WebhookEndpoint extends StripeObject {
  api_version: string | null;
  enabled_events: string[];
  status: 'enabled' | 'disabled';
  url: string;
}

export interface StripeEvent {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: Record<string, unknown>; previous_attributes?: Record<string, unknown> };
  livemode: boolean;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
  [key: string]: unknown;
}

export interface TestClock extends StripeObject {
  frozen_time: number;
  name: string | null;
  status: 'advancing' | 'ready';
  status_details: { advancing?: { target_frozen_time: number } };
}
