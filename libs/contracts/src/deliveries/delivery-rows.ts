import type { DeliveryState } from './delivery-states.js';

/** What a site told about itself. */
export interface SiteCapabilities {
  categories: string[];
  authors: { id: number; name: string }[];
  seoPlugin: string | null;
  /** False: the site asks search engines not to list it. */
  blogPublic: boolean | null;
  warnings: string[];
  /** Whether the plugin asks for articles by itself; absent where it did not say. */
  pickup?: boolean | null;
}

/** A row of `sites` over rest/v1. */
export interface Site {
  id: string;
  user_id: string;
  site_key: string;
  /** The webhook address as its owner typed it. */
  origin_url: string;
  host: string;
  /** The address that is called; null before the first answer. */
  door: string | null;
  /** `plugin`: our plugin for WordPress; `other`: another receiver; null: not known yet. */
  kind: 'plugin' | 'other' | null;
  plugin_version: string | null;
  capabilities: SiteCapabilities | null;
  /** When it last answered. */
  checked_at: string | null;
  problem_code: string | null;
  problem_reason: string | null;
  /** Why calls of ours do not get in, so that the site has to ask for articles; null: they do, as far as we know. */
  pickup_code?: string | null;
  /** When the site's plugin last asked for articles. */
  pickup_asked_at?: string | null;
  created_at: string;
}

/** A row of `deliveries` over rest/v1. */
export interface Delivery {
  id: string;
  user_id: string;
  blog_automation_id: string | null;
  article_id: string;
  site_id: string;
  revision: number;
  state: DeliveryState;
  code: string | null;
  /** The sentence that the customer reads; null when the state says it all. */
  reason: string | null;
  /** Attempts made so far. */
  attempt: number;
  next_attempt_at: string | null;
  post_id: number | null;
  public_url: string | null;
  edit_url: string | null;
  seen_at: string | null;
  created_at: string;
  updated_at: string;
}

/** A row of `delivery_attempts` over rest/v1: one call to a site. */
export interface DeliveryAttempt {
  id: string;
  delivery_id: string;
  user_id: string;
  operation: string;
  /** Null: no answer came. */
  status: number | null;
  /** Null: it succeeded. */
  code: string | null;
  ms: number;
  /** The first 500 bytes of the answer. */
  excerpt: string | null;
  at: string;
}
