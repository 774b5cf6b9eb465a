import Stripe from 'stripe';
import { requestStripe } from './stripe-client.js';
import {
  BillingMisconfiguredError,
  CardRefusedError,
  declineText,
  MissingAtStripeError,
  NotRefundableError,
  ProviderUnavailableError,
} from './stripe.errors.js';

const refusal = (status: number, type: string, more: Record<string, string> = {}) =>
  Stripe.errors.StripeError.generate({ type, statusCode: status, message: 'No such thing', ...more } as never);
const failing = (error: unknown) =>
  requestStripe('customer', () => Promise.reject(error instanceof Error ? error : new Error(String(error))));

describe('an answer of Stripe', () => {
  it('counts as a success only with the expected object and a success status', async () => {
    const answer = { object: 'customer', lastResponse: { statusCode: 200 } };
    await expect(requestStripe('customer', () => Promise.resolve(answer))).resolves.toBe(answer);
    for (const odd of [
      { lastResponse: { statusCode: 503 } },
      { message: 'x', lastResponse: { statusCode: 500 } },
      { object: 'list', lastResponse: { statusCode: 200 } },
    ])
      await expect(requestStripe('customer', () => Promise.resolve(odd))).rejects.toBeInstanceOf(ProviderUnavailableError);
  });

  it('becomes an error by what can be done about it', async () => {
    await expect(failing(refusal(402, 'card_error', { code: 'card_declined', decline_code: 'insufficient_funds' }))).rejects.toBeInstanceOf(
      CardRefusedError,
    );
    await expect(failing(refusal(404, 'invalid_request_error', { code: 'resource_missing' }))).rejects.toBeInstanceOf(MissingAtStripeError);
    await expect(failing(refusal(400, 'invalid_request_error', { code: 'parameter_unknown' }))).rejects.toBeInstanceOf(
      BillingMisconfiguredError,
    );
    for (const code of ['charge_already_refunded', 'charge_disputed', 'refund_disputed_payment'])
      await expect(failing(refusal(400, 'invalid_request_error', { code }))).rejects.toBeInstanceOf(NotRefundableError);
    await expect(failing(refusal(401, 'invalid_request_error'))).rejects.toBeInstanceOf(BillingMisconfiguredError);
    await expect(failing(refusal(500, 'api_error'))).rejects.toBeInstanceOf(ProviderUnavailableError);
    await expect(failing(new Stripe.errors.StripeConnectionError({ message: 'cut' }))).rejects.toBeInstanceOf(ProviderUnavailableError);
  });

  it('is either a failure that Stripe stores for 24 hours, or no answer of Stripe at all', async () => {
    await expect(failing(refusal(500, 'api_error'))).rejects.toMatchObject({ isCached: true });
    for (const unanswered of [
      new Stripe.errors.StripeConnectionError({ message: 'cut' }),
      new Stripe.errors.StripeAPIError({ message: 'Invalid JSON received from the Stripe API' }),
    ])
      await expect(failing(unanswered)).rejects.toMatchObject({ isCached: false });
    await expect(requestStripe('customer', () => Promise.resolve({ lastResponse: { statusCode: 503 } }))).rejects.toMatchObject({
      isCached: false,
    });
  });

  it('contributes no e-mail address to a log', async () => {
    const wrong = Stripe.errors.StripeError.generate({
      type: 'invalid_request_error',
      statusCode: 400,
      message: "Invalid email address: 'ana@example'",
    } as never);
    const error: unknown = await failing(wrong).catch((thrown: unknown) => thrown);
    expect((error as BillingMisconfiguredError).reason).toContain("'[e-mail]'");
  });

  it('never reaches a customer in Stripe’s words, only logs and operators', async () => {
    for (const [status, type, reason] of [
      [500, 'api_error', 'StripeAPIError 500'],
      [401, 'invalid_request_error', 'StripeAuthenticationError 401: No such thing'],
    ] as const) {
      const error: unknown = await failing(refusal(status, type)).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ publicMessage: '', message: reason });
    }
  });
});

describe('a declined card', () => {
  it.each([
    ['card_declined', 'insufficient_funds', 'Saldo ou limite insuficiente no cartão.'],
    ['expired_card', undefined, 'Cartão vencido.'],
    ['incorrect_cvc', undefined, 'Código de segurança incorreto.'],
    ['processing_error', undefined, 'O banco não respondeu. Tente novamente.'],
    ['card_declined', 'stolen_card', 'O cartão foi recusado. Use outro cartão.'],
    ['card_declined', 'fraudulent', 'O cartão foi recusado. Use outro cartão.'],
  ])('%s/%s gets the text "%s"', (code, declineCode, text) => expect(declineText(new CardRefusedError(code, declineCode))).toBe(text));

  it('may need the customer to authenticate with the bank', () => {
    expect(new CardRefusedError('card_declined', 'authentication_required').needsAuthentication).toBe(true);
    expect(new CardRefusedError('subscription_payment_intent_requires_action', undefined).needsAuthentication).toBe(true);
    expect(new CardRefusedError('card_declined', 'generic_decline').needsAuthentication).toBe(false);
  });
});
