import { dataSourceOptions } from '@decola/database';
import { ConfigurationError, loadConfig } from '@decola/service-kit';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { refundConfigSchema } from '../config/config.js';
import { withdrawContract } from '../subscriptions/withdrawal.js';
import { connectStripe } from '../stripe/stripe-client.js';

const usage = 'usage: refund.command.js <user id> [--anyway]   refunds a contract and ends it; --anyway: also after the withdrawal period';

const [user, ...flags] = process.argv.slice(2);
const userId = z.uuid().safeParse(user);
if (!userId.success || flags.some((flag) => flag !== '--anyway')) {
  console.error(usage);
  process.exit(2);
}
try {
  const config = loadConfig('billing refund', refundConfigSchema, process.env);
  const dataSource = await new DataSource(dataSourceOptions({ url: config.DATABASE_URL })).initialize();
  try {
    const done = await withdrawContract({
      dataSource,
      stripe: connectStripe(config),
      userId: userId.data,
      now: new Date(),
      anyway: flags.includes('--anyway'),
    });
    for (const line of done.length > 0 ? done : ['everything was refunded before']) console.log(`billing: ${line}`);
  } finally {
    await dataSource.destroy();
  }
} catch (error) {
  console.error(error instanceof ConfigurationError || error instanceof Error ? error.message : error);
  process.exit(1);
}
