import { parseRequestTarget, splitRequestTarget } from './request-target.js';

describe('parseRequestTarget', () => {
  it.each([
    '/',
    '//',
    '//mal.example/x',
    '/rest/v1/automations?select=*&or=(id.eq.1,name.eq."a,b")',
    '/blog/a%C3%A7%C3%A3o?x=a%20b',
    '/auth/v1/%74oken',
    '/a;b?c=d?e',
    '/%00',
    '/?utm_campaign=50%off',
    '/planos?x=%ff',
  ])('accepts %s unchanged', (target) => expect(parseRequestTarget(target, 'decola.test')).toBe(target));

  it.each([
    '/auth/v1/token#x',
    '/auth/v1/token?grant_type=password#x',
    '/auth/v1\\token',
    '/auth/v1/to\tken',
    '/auth/v1/to\x7fken',
    '/auth/v1/to\x0cken',
    '/auth/v1/açúcar',
    '/auth/v1/%zz',
    '/auth/v1/%c3',
    '/%',
    '/rest/v1/automations?name=eq.%zz',
    '/rest/v1/automations?name=eq.%ff',
    'http://mal.example/auth/v1/token',
    'http://mal.example',
    'http://decola.test@mal.example/',
    'https://decola.test:1/',
    'ftp://decola.test/',
    'auth/v1/token',
    '*',
    '',
  ])('refuses %j', (target) => expect(parseRequestTarget(target, 'decola.test')).toBeNull());

  it('reduces a target in absolute form to its path when it names the request’s host', () => {
    expect(parseRequestTarget('http://Decola.test/auth/v1/token?x=1', 'decola.test')).toBe('/auth/v1/token?x=1');
    expect(parseRequestTarget('http://decola.test', 'decola.test')).toBe('/');
    expect(parseRequestTarget('http://decola.test?x', 'decola.test')).toBe('/?x');
    expect(parseRequestTarget('http://decola.test/', undefined)).toBeNull();
  });

  it('returns a target that splitRequestTarget splits at the first question mark', () => {
    expect(splitRequestTarget('/a?b?c')).toEqual({ path: '/a', query: 'b?c' });
    expect(splitRequestTarget('/a')).toEqual({ path: '/a', query: '' });
  });
});
