import Stripe from 'stripe';
import { asked } from './stripe-client.js';
import {
  BillingMisconfiguredError,
  CardRefusedError,
  declineText,
  MissingAtStripeError,
  NothingToGiveBackError,
  ProviderUnavailableError,
} from './stripe.errors.js';

const refusal = (status: number, type: string, more: Record<string, string> = {}) =>
  Stripe.errors.StripeError.generate({ type, statusCode: status, message: 'No such thing', ...more } as never);
const failing = (error: unknown) => asked('customer', () => Promise.reject(error instanceof Error ? error : new Error(String(error))));

describe('what Stripe answers', () => {
  it('is believed only as the expected object with a success status', async () => {
    const answer = { object: 'customer', lastResponse: { statusCode: 200 } };
    await expect(asked('customer', () => Promise.resolve(answer))).resolves.toBe(answer);
    for (const odd of [
      { lastResponse: { statusCode: 503 } },
      { message: 'x', lastResponse: { statusCode: 500 } },
      { object: 'list', lastResponse: { statusCode: 200 } },
    ])
      await expect(asked('customer', () => Promise.resolve(odd))).rejects.toBeInstanceOf(ProviderUnavailableError);
  });

  it('is told apart by what can be done about it', async () => {
    await expect(failing(refusal(402, 'card_error', { code: 'card_declined', decline_code: 'insufficient_funds' }))).rejects.toBeInstanceOf(
      CardRefusedError,
    );
    await expect(failing(refusal(404, 'invalid_request_error', { code: 'resource_missing' }))).rejects.toBeInstanceOf(MissingAtStripeError);
    await expect(failing(refusal(400, 'invalid_request_error', { code: 'parameter_unknown' }))).rejects.toBeInstanceOf(
      BillingMisconfiguredError,
    );
    for (const code of ['charge_already_refunded', 'charge_disputed', 'refund_disputed_payment'])
      await expect(failing(refusal(400, 'invalid_request_error', { code }))).rejects.toBeInstanceOf(NothingToGiveBackError);
    await expect(failing(refusal(401, 'invalid_request_error'))).rejects.toBeInstanceOf(BillingMisconfiguredError);
    await expect(failing(refusal(500, 'api_error'))).rejects.toBeInstanceOf(ProviderUnavailableError);
    await expect(failing(new Stripe.errors.StripeConnectionError({ message: 'cut' }))).rejects.toBeInstanceOf(ProviderUnavailableError);
  });

  it('is Stripe’s own failure, which it keeps for a day, or none at all', async () => {
    await expect(failing(refusal(500, 'api_error'))).rejects.toMatchObject({ isAnswer: true });
    for (const unanswered of [
      new Stripe.errors.StripeConnectionError({ message: 'cut' }),
      new Stripe.errors.StripeAPIError({ message: 'Invalid JSON received from the Stripe API' }),
    ])
      await expect(failing(unanswered)).rejects.toMatchObject({ isAnswer: false });
    await expect(asked('customer', () => Promise.resolve({ lastResponse: { statusCode: 503 } }))).rejects.toMatchObject({
      isAnswer: false,
    });
  });

  it('brings no e-mail address into a log', async () => {
    const wrong = Stripe.errors.StripeError.generate({
      type: 'invalid_request_error',
      statusCode: 400,
      message: "Invalid email address: 'ana@example'",
    } as never);
    const error: unknown = await failing(wrong).catch((thrown: unknown) => thrown);
    expect((error as BillingMisconfiguredError).reason).toContain("'[e-mail]'");
  });

  it('never reaches a page in its own words', async () => {
    const error: unknown = await failing(refusal(500, 'api_error')).catch((thrown: unknown) => thrown);
    expect((error as Error).message).toBe('');
  });
});

describe('a refused card', () => {
  it.each([
    ['card_declined', 'insufficient_funds', 'Saldo ou limite insuficiente no cartão.'],
    ['expired_card', undefined, 'Cartão vencido.'],
    ['incorrect_cvc', undefined, 'Código de segurança incorreto.'],
    ['processing_error', undefined, 'O banco não respondeu. Tente novamente.'],
    ['card_declined', 'stolen_card', 'O cartão foi recusado. Use outro cartão.'],
    ['card_declined', 'fraudulent', 'O cartão foi recusado. Use outro cartão.'],
  ])('%s/%s is told as "%s"', (code, declineCode, text) => expect(declineText(new CardRefusedError(code, declineCode))).toBe(text));

  it('may want the customer at the bank', () => {
    expect(new CardRefusedError('card_declined', 'authentication_required').wantsAuthentication).toBe(true);
    expect(new CardRefusedError('subscription_payment_intent_requires_action', undefined).wantsAuthentication).toBe(true);
    expect(new CardRefusedError('card_declined', 'generic_decline').wantsAuthentication).toBe(false);
  });
});
