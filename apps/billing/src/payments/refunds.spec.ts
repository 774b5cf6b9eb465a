import type Stripe from 'stripe';
import { NotRefundableError, notRefundableCodes } from '../stripe/stripe.errors.js';
import { refundInvoice } from './refunds.js';

/** Refunds an invoice with one payment for each of these charges. @param refund Stripe’s answer. */
function invoiceOf(charges: Partial<Stripe.Charge>[], refund: (intent: string) => { amount: number }) {
  const stripe = {
    invoicePayments: { list: () => ({ data: charges.map((_, index) => ({ payment: { payment_intent: `pi_${index}` } })) }) },
    charges: { list: ({ payment_intent: intent }: { payment_intent: string }) => ({ data: [charges[Number(intent.slice(3))]] }) },
    refunds: { create: ({ payment_intent: intent }: { payment_intent: string }) => refund(intent) },
  } as unknown as Stripe;
  return refundInvoice(async (_expected, call) => call(stripe), 'in_1', 'duplicate');
}

const paid = { id: 'ch_0', paid: true, refunded: false, disputed: false };

describe('refunding an invoice', () => {
  it('skips charges that are disputed, refunded or unpaid, and refunds the rest', async () => {
    const asked: string[] = [];
    const charges = [{ ...paid, disputed: true }, { ...paid, refunded: true }, { ...paid, paid: false }, paid];
    const refund = (intent: string) => {
      asked.push(intent);
      return { amount: 14_900 };
    };
    await expect(invoiceOf(charges, refund)).resolves.toEqual({ amounts: [14_900], disputed: ['ch_0'] });
    expect(asked).toEqual(['pi_3']);
  });

  it.each(notRefundableCodes)('continues with the next payment when Stripe answers %s', async (code) => {
    const refund = (intent: string) => {
      if (intent === 'pi_0') throw new NotRefundableError(code);
      return { amount: 8_900 };
    };
    await expect(invoiceOf([paid, { ...paid, id: 'ch_1' }], refund)).resolves.toEqual({
      amounts: [8_900],
      disputed: code === 'charge_already_refunded' ? [] : ['ch_0'],
    });
  });

  it('fails, to be retried, when a later try may succeed', async () => {
    const refund = () => {
      throw new Error('permission');
    };
    await expect(invoiceOf([paid], refund)).rejects.toThrow('permission');
  });
});
