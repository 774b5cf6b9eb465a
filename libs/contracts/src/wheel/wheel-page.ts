/*
 * What the public pages of a wheel need of the contracts, without zod: `@decola/contracts/wheel-page`. A schema would be half as large as everything else
 * that they load.
 */
export * from './consent-texts.js';
export * from './lead-fields.js';
export * from './masked-handle.js';
export * from './page-answers.js';
export * from './prize-code.js';
export * from './refusal.js';
