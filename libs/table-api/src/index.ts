export * from './definition/definition.js';
export { denied, refusedFor, RestError } from './errors/errors.js';
export { ownRows, requireOwn } from './definition/own-rows.js';
export { all, join, name, raw, Sql, sql } from './sql/sql.js';
export { TableApiModule, type TableApiAsyncOptions, type TableApiOptions } from './table-api.module.js';
export { TableService } from './requests/table.service.js';
