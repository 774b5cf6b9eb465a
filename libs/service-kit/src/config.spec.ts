import { z } from 'zod';
import { baseConfig, ConfigurationError, loadConfig } from './config.js';

const schema = baseConfig.extend({
  DATABASE_URL: z.url().describe('PostgreSQL of this service'),
  LIMIT: z.coerce.number().int().positive(),
});

describe('loadConfig', () => {
  it('reads numbers and defaults', () => {
    expect(loadConfig('billing', schema, { PORT: '0', DATABASE_URL: 'postgres://x', LIMIT: '5' })).toMatchObject({
      PORT: 0,
      LIMIT: 5,
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
    });
  });

  it('names every missing or wrong variable, and no value', () => {
    const load = () => loadConfig('billing', schema, { PORT: '0', DATABASE_URL: '', LIMIT: 'hunter2' });
    expect(load).toThrow(ConfigurationError);
    expect(load).toThrow(/DATABASE_URL is missing \(PostgreSQL of this service\)[\s\S]*LIMIT /);
    expect(load).not.toThrow(/hunter2/);
  });
});
