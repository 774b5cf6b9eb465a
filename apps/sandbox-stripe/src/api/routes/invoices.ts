import type { SubscriptionChanges } from '../../billing/subscription-changes.js';
import { invalid } from '../../objects/errors.js';
import type { Parameters } from '../../objects/form.js';
import type { Invoice, InvoicePayment, Subscription } from '../../objects/objects.js';
import type { Parts } from '../parts.js';
import { type Handler, matchesTime, page, text, type TimeFilter } from './parameters.js';

export function invoiceRoutes({ world, invoices, subscriptions, payments }: Parts): Record<string, Handler> {
  const methodFor = (invoice: Invoice, parameters: Parameters): string | null => {
    const wanted = text(parameters, 'payment_method');
    if (wanted) return payments.method(wanted, 'payment_method').id;
    const id = invoice.parent?.subscription_details.subscription;
    return id ? subscriptions.methodOf(world.get<Subscription>('subscription', id)) : null;
  };
  return {
    'GET /v1/invoices': (_path, parameters) => {
      const { customer, status, subscription } = parameters as { customer?: string; status?: string; subscription?: string };
      return page(
        world.all<Invoice>(
          'invoice',
          (invoice) =>
            (customer === undefined || invoice.customer === customer) &&
            (status === undefined || invoice.status === status) &&
            (subscription === undefined || invoice.parent?.subscription_details.subscription === subscription) &&
            matchesTime(invoice.created, parameters['created'] as TimeFilter),
        ),
        parameters,
        '/v1/invoices',
      );
    },
    'POST /v1/invoices/create_preview': (_path, parameters) => {
      const { subscription_details: details = {} } = parameters as { subscription_details?: SubscriptionChanges };
      const id = text(parameters, 'subscription');
      if (!id) throw invalid('Missing required param: subscription.', 'subscription', 'parameter_missing');
      return subscriptions.preview(world.get<Subscription>('subscription', id, 'subscription'), details);
    },
    'GET /v1/invoices/{id}': ({ id = '' }) => world.get('invoice', id),
    'POST /v1/invoices/{id}/pay': ({ id = '' }, parameters) => {
      const invoice = world.get<Invoice>('invoice', id);
      return invoices.pay(invoice, {
        methodId: methodFor(invoice, parameters),
        offSession: (parameters['off_session'] as boolean | undefined) ?? true,
      });
    },
    'POST /v1/invoices/{id}/void': ({ id = '' }) => invoices.void(world.get<Invoice>('invoice', id)),
    'POST /v1/invoices/{id}/finalize': ({ id = '' }) => invoices.finalize(world.get<Invoice>('invoice', id)),
    'GET /v1/invoice_payments': (_path, parameters) => {
      const invoice = text(parameters, 'invoice');
      const { payment: wanted, status } = parameters as { payment?: { payment_intent?: string }; status?: string };
      return page(
        world.all<InvoicePayment>(
          'invoice_payment',
          (each) =>
            (invoice === undefined || each.invoice === invoice) &&
            (status === undefined || each['status'] === status) &&
            (wanted?.payment_intent === undefined || each.payment.payment_intent === wanted.payment_intent),
        ),
        parameters,
        '/v1/invoice_payments',
      );
    },
    'GET /v1/invoice_payments/{id}': ({ id = '' }) => world.get('invoice_payment', id),
  };
}
