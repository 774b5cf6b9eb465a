export * from './account-export.js';
export * from './database.module.js';
export * from './errors.js';
export * from './migrate.js';
export * from './naming.js';
export { transactionWithRetry } from './transaction.js';
