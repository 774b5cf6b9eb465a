import { readConfig } from './config.js';

it('needs its two ports only, and treats an empty value as missing', () => {
  expect(readConfig({ PORT: '4202', SMTP_PORT: '4203', DATA_DIR: '' })).toEqual({ PORT: 4202, SMTP_PORT: 4203, HOST: '127.0.0.1' });
});

it('names each wrong value', () => {
  expect(() => readConfig({ PORT: 'many', SMTP_PORT: '' })).toThrow(/PORT[\s\S]*SMTP_PORT/);
});
