export * from './broker.js';
export * from './callers.js';
export * from './clock.js';
export * from './database.js';
export * from './events.js';
export * from './infrastructure.js';
export * from './redis.js';
export * from './waiting.js';
