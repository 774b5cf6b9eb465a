import { readConfig } from './config.js';

it('has defaults for everything but the port, and treats an empty value as missing', () => {
  expect(readConfig({ PORT: '4200', BUILD: '' })).toMatchObject({ PORT: 4200, HOST: '127.0.0.1', BUILD: 'main' });
  expect(readConfig({ PORT: '4200', DATA_DIR: '' }).DATA_DIR).toBeUndefined();
  expect(() => readConfig({ PORT: '' })).toThrow(/PORT/);
});

it('names each wrong value', () => {
  expect(() => readConfig({ PORT: 'many', BUILD: 'tomorrow' })).toThrow(/PORT[\s\S]*BUILD|BUILD[\s\S]*PORT/);
});
