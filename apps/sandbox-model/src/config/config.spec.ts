import { readConfig } from './config.js';

it('needs a port only, and treats an empty value as missing', () => {
  expect(readConfig({ PORT: '4204', SEED: '' })).toMatchObject({ PORT: 4204, HOST: '127.0.0.1', SEED: '20261121', TOKENS_PER_SECOND: 0 });
});

it('names each wrong value', () => {
  expect(() => readConfig({ PORT: 'many', TOKENS_PER_SECOND: '-1' })).toThrow(/PORT[\s\S]*TOKENS_PER_SECOND/);
});
