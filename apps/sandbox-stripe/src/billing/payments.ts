import { missing } from '../objects/errors.js';
import type { Charge, Customer, PaymentIntent, PaymentMethod, SetupIntent } from '../objects/objects.js';
import { randomText, type World } from '../objects/world.js';
import { type CardDetails, cardBehaviour, cardError, type Decline, readCard } from './cards.js';
import { testCards } from './cards.js';

export interface BillingDetails {
  name?: string | null;
  email?: string | null;
  tax_id?: string | null;
}

export type PaymentResult =
  | { outcome: 'succeeded'; intent: PaymentIntent }
  | { outcome: 'declined'; intent: PaymentIntent; decline: Decline }
  | { outcome: 'requires_action'; intent: PaymentIntent };

export const authenticationRequired: Decline = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};

/** Cards, intents, charges and refunds. */
export class Payments {
  constructor(private readonly world: World) {}

  /** @throws StripeRefusal when the number or the expiry is invalid. */
  newMethod(card: { number: string; exp_month: number; exp_year: number }, billing: BillingDetails = {}): PaymentMethod {
    return this.methodOf(readCard({ ...card, now: this.world.now() }), billing);
  }

  /** Finds a payment method; for Stripe's ready-made `pm_card_…` it creates a new one. @param param name of the parameter, for the refusal */
  method(id: string, param?: string): PaymentMethod {
    const ready = /^pm_card_(\w+)$/.exec(id)?.[1];
    const card = ready ? testCards[ready] : undefined;
    if (!card) return this.world.get<PaymentMethod>('payment_method', id, param);
    return this.newMethod({ number: card.number, exp_month: 12, exp_year: new Date().getUTCFullYear() + 8 });
  }

  private methodOf(card: CardDetails, billing: BillingDetails): PaymentMethod {
    const method = this.world.make<PaymentMethod>('payment_method', {
      type: 'card',
      allow_redisplay: 'unspecified',
      billing_details: {
        address: null,
        email: billing.email ?? null,
        name: billing.name ?? null,
        phone: null,
        tax_id: billing.tax_id ?? null,
      },
      card: {
        brand: card.brand,
        checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
        country: card.country,
        display_brand: card.brand,
        exp_month: card.exp_month,
        exp_year: card.exp_year,
        fingerprint: card.fingerprint,
        funding: 'credit',
        generated_from: null,
        last4: card.last4,
        networks: { available: [card.brand], preferred: null },
        regulated_status: 'unregulated',
        three_d_secure_usage: { supported: true },
        wallet: null,
      } as unknown as PaymentMethod['card'],
      customer: null,
    });
    this.world.notes<{ behaviour: string }>(method.id).behaviour = card.behaviour;
    return method;
  }

  behaviour(methodId: string) {
    return cardBehaviour(this.world.notes<{ behaviour: string }>(methodId).behaviour ?? 'unknown');
  }

  /** @throws StripeRefusal when the card cannot be stored. */
  attach(method: PaymentMethod, customer: Customer): PaymentMethod {
    if (method.customer === customer.id) return method;
    const { setup } = this.behaviour(method.id);
    if (setup !== 'ok' && setup !== 'authenticate') throw cardError(setup);
    this.world.change(method, { customer: customer.id });
    this.world.emit('payment_method.attached', method);
    return method;
  }

  detach(method: PaymentMethod): PaymentMethod {
    const customerId = method.customer;
    this.world.change(method, { customer: null });
    this.world.emit('payment_method.detached', method, { customer: customerId });
    const customer = customerId ? this.world.find<Customer>('customer', customerId) : undefined;
    if (customer?.invoice_settings.default_payment_method === method.id)
      this.world.change(customer, { invoice_settings: { ...customer.invoice_settings, default_payment_method: null } }, 'customer.updated');
    return method;
  }

  /** Predicts the outcome of a charge without making it. */
  predict(
    methodId: string | null,
    { offSession, authenticated = false }: { offSession: boolean; authenticated?: boolean },
  ): Decline | 'authenticate' | 'ok' {
    if (!methodId)
      return {
        code: 'card_declined',
        decline_code: 'generic_decline',
        message: 'This customer has no attached payment source or default payment method.',
      };
    const behaviour = this.behaviour(methodId);
    if (authenticated) return behaviour.authenticated;
    if (!offSession) return behaviour.onSession;
    return behaviour.offSession;
  }

  setup(customer: Customer, method: PaymentMethod, status: 'requires_action' | 'succeeded'): SetupIntent {
    const intent = this.world.make<SetupIntent>('setup_intent', {
      customer: customer.id,
      payment_method: method.id,
      payment_method_types: ['card'],
      status,
      usage: 'off_session',
      client_secret: null,
    });
    this.world.change(intent, { client_secret: `${intent.id}_secret_${randomText(24)}` });
    if (status === 'succeeded') this.world.emit('setup_intent.succeeded', intent);
    return intent;
  }

  /** Tries to charge an amount. Each attempt that reaches the bank creates a charge object. */
  charge({
    customer,
    methodId,
    amount,
    currency,
    offSession,
    authenticated = false,
    intent: existing,
    description = null,
  }: {
    customer: Customer;
    methodId: string | null;
    amount: number;
    currency: string;
    offSession: boolean;
    authenticated?: boolean;
    intent?: PaymentIntent;
    description?: string | null;
  }): PaymentResult {
    const { world } = this;
    const now = world.now(customer.id);
    const intent =
      existing ??
      world.make<PaymentIntent>('payment_intent', {
        amount,
        currency,
        created: now,
        customer: customer.id,
        capture_method: 'automatic',
        confirmation_method: 'automatic',
        description,
        payment_method_types: ['card'],
        setup_future_usage: 'off_session',
        status: 'requires_payment_method',
      });
    if (!existing) {
      world.change(intent, { client_secret: `${intent.id}_secret_${randomText(24)}` });
      world.emit('payment_intent.created', intent);
    }
    world.change(intent, { payment_method: methodId });
    const predicted = this.predict(methodId, { offSession, authenticated });
    if (predicted === 'ok') {
      const charge = this.createCharge(intent, now, undefined);
      world.change(intent, {
        status: 'succeeded',
        amount_received: amount,
        latest_charge: charge.id,
        last_payment_error: null,
        next_action: null,
      });
      world.emit('payment_intent.succeeded', intent);
      world.emit('charge.succeeded', charge);
      return { outcome: 'succeeded', intent };
    }
    if (predicted === 'authenticate') {
      if (offSession) {
        const charge = this.createCharge(intent, now, authenticationRequired);
        world.change(intent, {
          status: 'requires_payment_method',
          latest_charge: charge.id,
          last_payment_error: { type: 'card_error', ...authenticationRequired },
        });
        world.emit('charge.failed', charge);
        world.emit('payment_intent.payment_failed', intent);
        return { outcome: 'requires_action', intent };
      }
      world.change(intent, {
        status: 'requires_action',
        next_action: { type: 'redirect_to_url', redirect_to_url: { return_url: null, url: `/3ds/${intent.id}` } },
      });
      world.emit('payment_intent.requires_action', intent);
      return { outcome: 'requires_action', intent };
    }
    const charge = this.createCharge(intent, now, predicted);
    world.change(intent, {
      status: 'requires_payment_method',
      latest_charge: charge.id,
      next_action: null,
      last_payment_error: { type: 'card_error', ...predicted, charge: charge.id },
    });
    world.emit('charge.failed', charge);
    world.emit('payment_intent.payment_failed', intent);
    return { outcome: 'declined', intent, decline: predicted };
  }

  private createCharge(intent: PaymentIntent, now: number, decline: Decline | undefined): Charge {
    const method = intent.payment_method ? this.world.find<PaymentMethod>('payment_method', intent.payment_method) : undefined;
    return this.world.make<Charge>('charge', {
      amount: intent.amount,
      amount_captured: decline ? 0 : intent.amount,
      captured: !decline,
      paid: !decline,
      status: decline ? 'failed' : 'succeeded',
      failure_code: decline?.code ?? null,
      failure_message: decline?.message ?? null,
      created: now,
      currency: 'brl',
      customer: intent.customer,
      payment_intent: intent.id,
      payment_method: method?.id ?? null,
      billing_details: {
        address: null,
        email: null,
        name: null,
        phone: null,
        tax_id: null,
        ...(method?.['billing_details'] as object | undefined),
      },
      receipt_url: null,
    });
  }

  /** Refunds a charge. @throws StripeRefusal when nothing is left to refund. */
  refund({
    intentId,
    amount,
    reason,
    metadata,
  }: {
    intentId: string;
    amount?: number;
    reason?: string;
    metadata?: Record<string, string>;
  }) {
    const { world } = this;
    const intent = world.get<PaymentIntent>('payment_intent', intentId, 'payment_intent');
    const charge = intent.latest_charge ? world.find<Charge>('charge', intent.latest_charge) : undefined;
    if (!charge || intent.status !== 'succeeded') throw missing('charge', intentId, 'payment_intent');
    const left = charge.amount - charge.amount_refunded;
    const given = amount ?? left;
    if (given <= 0 || given > left) throw chargeAlreadyRefunded(charge.id);
    const refund = world.make('refund', {
      amount: given,
      charge: charge.id,
      currency: 'brl',
      customer: charge.customer,
      payment_intent: intent.id,
      reason: reason ?? null,
      status: 'succeeded',
      metadata: metadata ?? {},
    });
    world.change(charge, { amount_refunded: charge.amount_refunded + given, refunded: given === left });
    world.emit('refund.created', refund);
    world.emit('charge.refunded', charge);
    return refund;
  }
}

function chargeAlreadyRefunded(chargeId: string) {
  const refusal = missing('charge', chargeId, 'payment_intent');
  Object.assign(refusal.body, {
    code: 'charge_already_refunded',
    message: `Charge ${chargeId} has already been refunded.`,
    param: undefined,
  });
  return refusal;
}
