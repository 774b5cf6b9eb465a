import 'reflect-metadata';
import { keysCommand } from '@decola/database';
import { sealedCoupons } from '../draws/coupons.js';
import { sealedSeeds } from '../draws/seeds.js';

await keysCommand({
  service: 'prize-wheel',
  sealed: [{ ring: 'SEED_KEY_RING', columns: [sealedSeeds, sealedCoupons], notes: [] }],
});
