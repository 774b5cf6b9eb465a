import { newSecrets } from '../../../scripts/lib/secrets.mjs';

describe('the secrets of a new clone', () => {
  it('contain a key of Stripe that its stand-in accepts, whichever random bytes it is made of', () => {
    for (let clone = 0; clone < 300; clone += 1) expect(newSecrets()['stripeSecretKey']).toMatch(/^sk_test_[0-9A-Za-z]{24,}$/);
  });
});
