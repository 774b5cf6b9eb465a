/** Configuration of a trial: short pauses, but long enough for the network, which suspects automation when two actions of an account are too close together. */
const unreachable = 1_000_000;
const open = Object.fromEntries(
  ['follow', 'unfollow', 'like', 'comment', 'view-story', 'message', 'list-page', 'page-view'].map((kind) => [kind, unreachable]),
);

export const overrides = {
  automations: {
    ACTION_GAP_MS: '300-400',
    PAGE_GAP_MS: '100-300',
    SCHEDULER_INTERVAL_MS: '300',
    QUIET_HOURS: 'null',
    CEILINGS: JSON.stringify({ byAge: [{ untilDay: null, perDay: open }], perHour: open, halvedDays: 14 }),
  },
  'browser-worker': { LEASE_TTL_MS: '3000' },
};
