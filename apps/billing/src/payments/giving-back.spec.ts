import type Stripe from 'stripe';
import { NothingToGiveBackError, nothingToGiveBackCodes } from '../stripe/stripe.errors.js';
import { giveBack } from './giving-back.js';

/** An invoice with a payment for each of these charges. @param refund stands for Stripe’s answer. */
function invoiceOf(charges: Partial<Stripe.Charge>[], refund: (intent: string) => { amount: number }) {
  const stripe = {
    invoicePayments: { list: () => ({ data: charges.map((_, index) => ({ payment: { payment_intent: `pi_${index}` } })) }) },
    charges: { list: ({ payment_intent: intent }: { payment_intent: string }) => ({ data: [charges[Number(intent.slice(3))]] }) },
    refunds: { create: ({ payment_intent: intent }: { payment_intent: string }) => refund(intent) },
  } as unknown as Stripe;
  return giveBack(async (_expected, call) => call(stripe), 'in_1', 'duplicate');
}

const paid = { id: 'ch_0', paid: true, refunded: false, disputed: false };

describe('giving back', () => {
  it('passes over what is disputed, refunded or was never paid, and asks Stripe for the rest', async () => {
    const asked: string[] = [];
    const charges = [{ ...paid, disputed: true }, { ...paid, refunded: true }, { ...paid, paid: false }, paid];
    const refund = (intent: string) => {
      asked.push(intent);
      return { amount: 14_900 };
    };
    await expect(invoiceOf(charges, refund)).resolves.toEqual({ amounts: [14_900], disputed: ['ch_0'] });
    expect(asked).toEqual(['pi_3']);
  });

  it.each(nothingToGiveBackCodes)('goes on with the next payment where Stripe answers %s', async (code) => {
    const refund = (intent: string) => {
      if (intent === 'pi_0') throw new NothingToGiveBackError(code);
      return { amount: 8_900 };
    };
    await expect(invoiceOf([paid, { ...paid, id: 'ch_1' }], refund)).resolves.toEqual({
      amounts: [8_900],
      disputed: code === 'charge_already_refunded' ? [] : ['ch_0'],
    });
  });

  it('fails, to be tried again, where Stripe may give back another time', async () => {
    const refund = () => {
      throw new Error('permission');
    };
    await expect(invoiceOf([paid], refund)).rejects.toThrow('permission');
  });
});
