/** SQL over a row `s` of instagram_sessions: a run may use it. It was neither deleted nor replaced, and no stop holds it. */
export const isUsableSession = `s.is_active and s.envelope is not null and s.held_cause is null`;
