import { visitOf } from './visit';

const visit = (address: string) => visitOf(new URL(address, 'https://decola.example'));

afterEach(() => localStorage.clear());

it.each([
  ['/', 'landing'],
  ['/?plan=pro', 'landing'],
  ['/auth', 'sign-in'],
  ['/auth?mode=sign-up&plan=pro', 'sign-in'],
  ['/adm', 'app'],
  ['/planos', 'app'],
  // Links of mails.
  ['/#access_token=a&type=signup', 'app'],
  ['/?code=abc', 'app'],
  ['/auth#error=access_denied&error_code=otp_expired', 'app'],
  ['/auth#message=Confirmation+link+accepted.&sb=', 'app'],
])('%s is a visit to the part %s', (address, expected) => {
  expect(visit(address)).toBe(expected);
});

it('opens the app at /auth for a visitor who has a session', () => {
  localStorage.setItem('sb-localhost-auth-token', '{}');
  expect(visit('/auth')).toBe('app');
});
