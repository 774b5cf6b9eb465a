import { readConfig } from './config.js';

it('leaves every part off that has no port, and takes an empty value for none', () => {
  expect(readConfig({ NETWORK_PORT: '4200', STRIPE_PORT: '' })).toMatchObject({ NETWORK_PORT: 4200, HOST: '127.0.0.1', BUILD: 'main' });
  expect(readConfig({ NETWORK_PORT: '4200', STRIPE_PORT: '' }).STRIPE_PORT).toBeUndefined();
});

it('names each wrong value', () => {
  expect(() => readConfig({ NETWORK_PORT: 'many', BUILD: 'tomorrow' })).toThrow(/NETWORK_PORT[\s\S]*BUILD|BUILD[\s\S]*NETWORK_PORT/);
});
