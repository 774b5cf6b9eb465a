/**
 * Forbids zod to compile its schemas with eval. The content security policy of the site forbids eval, and zod tries whether it works when
 * the first schema is created, which browsers report as a violation.
 *
 * zod reads its settings from this global. `config` of `zod/v4/core` would set it too, but would also put 3.6 kB of zod into the landing
 * page, which uses no schema.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

export {};
