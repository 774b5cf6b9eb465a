import type { InstagramAccount } from '../features/instagram-accounts/stopped-accounts';

/** A row of `instagram_accounts`: an account that works, unless the test says otherwise. */
export const instagramAccount = (over: Partial<InstagramAccount> = {}): InstagramAccount => ({
  id: '00000000-0000-4000-8000-0000000000a1',
  network_user_id: '4242424242',
  username: '@cafe.da.lia',
  state: 'active',
  check_state: 'good',
  paused_until: null,
  pause_cause: null,
  pause_reason: null,
  resolved_at: null,
  next_check_at: null,
  revives: [],
  quiet_from: null,
  quiet_to: null,
  time_zone: 'America/Sao_Paulo',
  warmup_day: null,
  warmup_days: 14,
  session_checked_at: null,
  halved_until: null,
  ...over,
});
