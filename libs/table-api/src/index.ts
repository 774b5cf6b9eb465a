export * from './definition.js';
export { denied, RestError } from './errors.js';
export { all, join, name, raw, Sql, sql } from './sql/sql.js';
export { TableApiModule, type TableApiAsyncOptions, type TableApiOptions } from './table-api.module.js';
export { TableService } from './table-service.js';
