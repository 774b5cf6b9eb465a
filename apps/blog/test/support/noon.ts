/** Noon in Brasília on today's date of UTC, in ms: tests of days that begin then do not pass midnight. */
export const noonInBrasilia = (): number => Date.parse(`${new Date().toISOString().slice(0, 10)}T15:00:00Z`);
