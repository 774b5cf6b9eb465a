import 'reflect-metadata';
import { bootService } from '@decola/service-kit';
import { billingService } from './app.module.js';

await bootService(billingService);
