import { authEndpointOf } from './auth-endpoints.js';

describe('authEndpointOf', () => {
  it.each([
    ['POST', '/auth/v1/token', { name: 'token', limit: 'token' }],
    ['POST', '/auth/v1/token/', { name: 'token', limit: 'token' }],
    ['POST', '/auth/v1/%74oken', { name: 'token', limit: 'token' }],
    ['GET', '/auth/v1/verify', { name: 'verify', limit: 'verify' }],
    ['POST', '/auth/v1/verify', { name: 'verify', limit: 'verify' }],
    ['POST', '/auth/v1/signup', { name: 'signup', limit: 'account' }],
    ['POST', '/auth/v1/otp', { name: 'otp', limit: 'account' }],
    ['POST', '/auth/v1/recover', { name: 'recover', limit: 'account' }],
    ['POST', '/auth/v1/resend', { name: 'resend', limit: 'account' }],
    ['PUT', '/auth/v1/user', { name: 'user', limit: 'account' }],
    ['POST', '/auth/v1/factors/7/verify', { name: 'factors', limit: 'secondFactor' }],
    ['POST', '/auth/v1/factors/8/challenge', { name: 'factors', limit: 'secondFactor' }],
    ['GET', '/auth/v1/user', null],
    ['POST', '/auth/v1/logout', null],
    ['POST', '/auth/v1/factors', null],
    ['POST', '/auth/v1/constructor', null],
    ['POST', '/auth/v1/%zz', null],
  ] as const)('%s %s', (method, path, endpoint) => {
    expect(authEndpointOf(method, path)).toEqual(endpoint);
  });
});
