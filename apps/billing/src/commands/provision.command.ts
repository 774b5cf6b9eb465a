import { dataSourceOptions } from '@decola/database';
import { ConfigurationError, loadConfig } from '@decola/service-kit';
import { DataSource } from 'typeorm';
import { provision } from '../provisioning/provisioning.js';
import { configSchema } from '../config/config.js';
import { connectStripe } from '../stripe/stripe-client.js';

// The first run creates the webhook endpoint, so its secret cannot be configured yet.
const environment = {
  ...process.env,
  PORT: process.env['PORT'] ?? '0',
  STRIPE_WEBHOOK_SECRETS: process.env['STRIPE_WEBHOOK_SECRETS'] || 'whsec_none',
};

try {
  const config = loadConfig('billing provision', configSchema, environment);
  const dataSource = await new DataSource(dataSourceOptions({ url: config.DATABASE_URL })).initialize();
  try {
    const done = await provision({ dataSource, stripe: connectStripe(config), siteUrl: config.SITE_URL });
    for (const line of done.length > 0 ? done : ['nothing to do']) console.log(`billing: ${line}`);
  } finally {
    await dataSource.destroy();
  }
} catch (error) {
  console.error(error instanceof ConfigurationError || error instanceof Error ? error.message : error);
  process.exit(1);
}
