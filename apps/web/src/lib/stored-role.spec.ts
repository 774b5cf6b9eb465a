import { isStoredAdminMaster } from './stored-role';

const encode = (value: unknown) => btoa(JSON.stringify(value)).replace(/=+$/, '').replace(/\+/g, '-').replace(/\//g, '_');
const store = (claims: unknown) =>
  localStorage.setItem(
    'sb-decola-auth-token',
    JSON.stringify({ access_token: `${encode({ alg: 'ES256' })}.${encode(claims)}.c2ln`, expires_at: 1 }),
  );

beforeEach(() => localStorage.clear());

it('recognises the stored session of an administrator of the blog, also when its token has expired', () => {
  store({ sub: 'a', app_metadata: { provider: 'email', roles: ['admin', 'admin_master'] } });
  expect(isStoredAdminMaster()).toBe(true);
});

it.each([
  ['a customer', { app_metadata: { provider: 'email' } }],
  ['the role admin, which opens nothing', { app_metadata: { roles: ['admin'] } }],
  ['roles that the person wrote themselves', { user_metadata: { roles: ['admin_master'] } }],
  ['roles that are no list', { app_metadata: { roles: 'admin_master' } }],
])('recognises nobody else: %s', (_, claims) => {
  store(claims);
  expect(isStoredAdminMaster()).toBe(false);
});

it('recognises nobody without a session, or with one that cannot be read', () => {
  expect(isStoredAdminMaster()).toBe(false);
  localStorage.setItem('sb-decola-auth-token', JSON.stringify({ access_token: 'x.%%.y', expires_at: 1 }));
  expect(isStoredAdminMaster()).toBe(false);
  localStorage.setItem('sb-decola-auth-token', '{');
  expect(isStoredAdminMaster()).toBe(false);
});
