/**
 * Path of the stream of changes at the gateway: server-sent events for the person of the access token. Events: `changed` (data: `LiveChange`),
 * `resync` (changes may have been missed: read everything again), `bye` (data: `LiveBye`; the gateway closes the stream next).
 */
export const livePath = '/live/v1';

/** Streams that one person may have open at a replica of the gateway; more are refused with 429. */
export const maxLiveStreams = 6;

/** REST tables and functions whose changes are announced. A page may hear of others from a newer service. */
export const liveTables = [
  'account_activity',
  'account_growth',
  'account_pauses',
  'account_usage',
  'article_refreshes',
  'article_runs',
  'automation_runs',
  'automations',
  'blog_automations',
  'customer_articles',
  'deliveries',
  'delivery_attempts',
  'extracted_data',
  'follow_backs',
  'get_available_slots',
  'get_extracted_slots',
  'get_latest_extraction',
  'instagram_accounts',
  'instagram_sessions',
  'leads',
  'previews',
  'run_diary',
  'refresh_proposals',
  'sites',
  'topics',
] as const;

/** Data of the event `changed`. */
export interface LiveChange {
  /** Names of REST tables and functions whose rows changed. */
  tables: string[];
  /** The automation that all of the changes are about; null when they are about several, or about none. */
  automation_id: string | null;
  /** The Instagram account that all of the changes are about; null when they are about several, or about none. */
  account_id: string | null;
}

/**
 * Why the gateway closes a stream. `restart`: this replica stops, others go on. `token`: the access token has expired. `session`: the session has
 * ended, or cannot be checked now. `broker`: changes cannot be heard now. A client that does not read is disconnected without a word.
 */
export type LiveByeReason = 'restart' | 'token' | 'session' | 'broker';

/** Data of the event `bye`. */
export interface LiveBye {
  reason: LiveByeReason;
}
