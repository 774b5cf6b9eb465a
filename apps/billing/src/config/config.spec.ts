import { ConfigurationError, loadConfig } from '@decola/service-kit';
import { configSchema, refundConfigSchema } from './config.js';

const key = Buffer.alloc(32, 3).toString('base64');
const valid = {
  PORT: '4102',
  DATABASE_URL: 'postgres://billing@localhost/decola',
  RABBITMQ_URL: 'amqp://localhost',
  INTERNAL_SIGNING_KEY: key,
  SITE_URL: 'http://127.0.0.1:8080',
  STRIPE_SECRET_KEY: 'sk_test_a-b_c',
  STRIPE_WEBHOOK_SECRETS: 'whsec_a, whsec_b ',
  STRIPE_API_BASE: 'http://127.0.0.1:4201',
  STRIPE_LIVEMODE: 'false',
  TRIAL_PEPPER: key,
};
const load = (changes: Record<string, string>) => loadConfig('billing', configSchema, { ...valid, ...changes });

describe('the configuration', () => {
  it('allows a stand-in with test keys, and trims the secrets', () => {
    expect(load({})).toMatchObject({ STRIPE_WEBHOOK_SECRETS: ['whsec_a', 'whsec_b'], STRIPE_LIVEMODE: false });
    expect(load({ STRIPE_API_BASE: 'http://sandbox:4201' })).toBeDefined();
    expect(load({ STRIPE_API_BASE: '', STRIPE_SECRET_KEY: 'rk_live_abc', STRIPE_LIVEMODE: 'true' })).toBeDefined();
  });

  it.each([
    ['a stand-in with a live key', { STRIPE_SECRET_KEY: 'rk_live_abc', STRIPE_LIVEMODE: 'true' }, 'STRIPE_API_BASE'],
    ['plain http to a far host', { STRIPE_API_BASE: 'http://stripe.example.com' }, 'STRIPE_API_BASE'],
    ['live mode with a test key', { STRIPE_LIVEMODE: 'true' }, 'STRIPE_LIVEMODE'],
    ['test mode with a live key', { STRIPE_API_BASE: '', STRIPE_SECRET_KEY: 'sk_live_abc' }, 'STRIPE_LIVEMODE'],
    ['no webhook secret', { STRIPE_WEBHOOK_SECRETS: '' }, 'STRIPE_WEBHOOK_SECRETS'],
  ])('refuses %s', (_name, changes, variable) => {
    let problem: unknown;
    try {
      load(changes);
    } catch (error) {
      problem = error;
    }
    expect(problem).toBeInstanceOf(ConfigurationError);
    expect((problem as Error).message).toContain(variable);
    expect((problem as Error).message).not.toContain('live_abc');
  });

  it('is checked for the refund command too, which has its own key', () => {
    const refund = (changes: Record<string, string>) => loadConfig('billing refund', refundConfigSchema, { ...valid, ...changes });
    expect(refund({ STRIPE_WEBHOOK_SECRETS: '', TRIAL_PEPPER: '' })).toMatchObject({ STRIPE_SECRET_KEY: 'sk_test_a-b_c' });
    expect(() => refund({ STRIPE_SECRET_KEY: 'sk_live_abc' })).toThrow('STRIPE_API_BASE');
    expect(() => refund({ STRIPE_SECRET_KEY: '' })).toThrow('STRIPE_SECRET_KEY');
  });
});
