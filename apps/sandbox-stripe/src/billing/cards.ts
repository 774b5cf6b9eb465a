import { createHash } from 'node:crypto';
import { StripeRefusal } from '../objects/errors.js';

/** Why a card is declined, in Stripe's codes. */
export interface Decline {
  code: string;
  decline_code?: string;
  message: string;
}

type Outcome = Decline | 'authenticate' | 'ok';

interface TestCard {
  number: string;
  brand: string;
  country: string;
  /** When it is attached, set up, or used for a first payment with the customer present. */
  setup: Outcome;
  /** A charge with the customer present. */
  onSession: Outcome;
  /** A charge without the customer, such as a renewal. */
  offSession: Outcome;
  /** A charge after successful 3-D Secure. */
  authenticated: 'ok' | Decline;
}

const declined = (decline_code: string, message = 'Your card was declined.'): Decline => ({ code: 'card_declined', decline_code, message });
const insufficient = declined('insufficient_funds', 'Your card has insufficient funds.');
const generic = declined('generic_decline');
const always = (outcome: Decline | 'ok') => ({ setup: outcome, onSession: outcome, offSession: outcome, authenticated: outcome });
const us = { brand: 'visa', country: 'US' };

/** Stripe's test cards by the name in their payment method (`pm_card_{name}`). */
export const testCards: Record<string, TestCard> = {
  visa: { ...us, number: '4242424242424242', ...always('ok') },
  br: { ...us, number: '4000000760000002', country: 'BR', ...always('ok') },
  mastercard: { ...us, number: '5555555555554444', brand: 'mastercard', ...always('ok') },
  chargeCustomerFail: { ...us, number: '4000000000000341', ...always(generic), setup: 'ok' },
  visa_chargeDeclinedInsufficientFunds: { ...us, number: '4000000000009995', ...always(insufficient) },
  visa_chargeDeclined: { ...us, number: '4000000000000002', ...always(generic) },
  chargeDeclinedExpiredCard: { ...us, number: '4000000000000069', ...always({ code: 'expired_card', message: 'Your card has expired.' }) },
  chargeDeclinedIncorrectCvc: {
    ...us,
    number: '4000000000000127',
    ...always({ code: 'incorrect_cvc', message: "Your card's security code is incorrect." }),
  },
  chargeDeclinedProcessingError: {
    ...us,
    number: '4000000000000119',
    ...always({ code: 'processing_error', message: 'An error occurred while processing your card. Try again in a little bit.' }),
  },
  authenticationRequiredOnSetup: {
    ...us,
    number: '4000002500003155',
    setup: 'authenticate',
    onSession: 'authenticate',
    offSession: 'ok',
    authenticated: 'ok',
  },
  authenticationRequired: {
    ...us,
    number: '4000002760003184',
    setup: 'authenticate',
    onSession: 'authenticate',
    offSession: 'authenticate',
    authenticated: 'ok',
  },
  authenticationThenInsufficientFunds: {
    ...us,
    number: '4000008260003178',
    setup: 'authenticate',
    onSession: 'authenticate',
    offSession: insufficient,
    authenticated: insufficient,
  },
};

const byNumber = new Map(Object.entries(testCards).map(([name, card]) => [card.number, name]));

/** Any other number is declined, even a valid one, as in Stripe's test mode. */
const unknownCard: TestCard = {
  ...us,
  number: '',
  ...always(declined('test_mode_live_card', 'Your card was declined. Your request was in test mode, but used a non test card.')),
};

export function cardBehaviour(name: string): TestCard {
  return testCards[name] ?? unknownCard;
}

export interface CardDetails {
  /** Name of the test card; the number itself is not stored. */
  behaviour: string;
  brand: string;
  country: string;
  last4: string;
  fingerprint: string;
  exp_month: number;
  exp_year: number;
}

export function cardError(decline: Decline, more: Record<string, unknown> = {}): StripeRefusal {
  return new StripeRefusal(402, {
    type: 'card_error',
    ...decline,
    doc_url: `https://stripe.com/docs/error-codes/${decline.code.replaceAll('_', '-')}`,
    ...more,
  });
}

function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Reads a card as typed. @throws StripeRefusal (card_error) when the number or the expiry is invalid. */
export function readCard({
  number,
  exp_month,
  exp_year,
  now,
}: {
  number: string;
  exp_month: number;
  exp_year: number;
  /** Seconds since the epoch. */
  now: number;
}): CardDetails {
  const digits = number.replace(/[\s-]/g, '');
  if (!/^\d{12,19}$/.test(digits) || !passesLuhn(digits))
    throw cardError({ code: 'incorrect_number', message: 'Your card number is incorrect.' });
  if (!(exp_month >= 1 && exp_month <= 12))
    throw cardError({ code: 'invalid_expiry_month', message: "Your card's expiration month is invalid." });
  const today = new Date(now * 1000);
  if (exp_year < today.getUTCFullYear() || exp_year > today.getUTCFullYear() + 50)
    throw cardError({ code: 'invalid_expiry_year', message: "Your card's expiration year is invalid." });
  if (exp_year === today.getUTCFullYear() && exp_month < today.getUTCMonth() + 1)
    throw cardError({ code: 'expired_card', message: 'Your card has expired.' });
  const behaviour = byNumber.get(digits) ?? 'unknown';
  const { brand, country } = cardBehaviour(behaviour);
  return {
    behaviour,
    brand,
    country,
    last4: digits.slice(-4),
    fingerprint: createHash('sha256').update(`card:${digits}`).digest('base64url').replace(/[-_]/g, 'x').slice(0, 16),
    exp_month,
    exp_year,
  };
}

/** Reads `12/34`, `12/2034` or `1234`. @returns month 0 when the text is not an expiry. */
export function readExpiry(text: string): { exp_month: number; exp_year: number } {
  const [, month = '0', year = '0'] = /^\s*(\d{1,2})\s*\/?\s*(\d{2}|\d{4})\s*$/.exec(text) ?? [];
  return { exp_month: Number(month), exp_year: year.length === 2 ? 2000 + Number(year) : Number(year) };
}
