import { readConfig } from './config.js';

it('needs a port only, and treats an empty value as missing', () => {
  expect(readConfig({ PORT: '4201', DATA_DIR: '' })).toEqual({ PORT: 4201, HOST: '127.0.0.1' });
});

it('names each wrong value', () => {
  expect(() => readConfig({ PORT: 'many' })).toThrow(/PORT/);
});
