/**
 * People that an account follows a day at most, by the days since its first session with us; the last row has no `untilDay`. Our own
 * cautious choice: the network publishes no numbers. The ceilings of automations and the landing page's chart both use it.
 */
export const followWarmUp = [
  { untilDay: 3, perDay: 10 },
  { untilDay: 14, perDay: 25 },
  { untilDay: null, perDay: 60 },
] as const;

/** Days for which ceilings are halved after the network blocked an action. */
export const halvedDaysAfterBlock = 14;
