import { articleImagesBucket, blogImagesBucket, livePath, pickupPath } from '@decola/contracts';
import type { GatewayConfig } from '../config/config.js';

export type ServiceName = 'identity' | 'billing' | 'automations' | 'extraction' | 'prize-wheel' | 'blog';

/** A `Map`, not an object: names come from clients, and `constructor` must not be found. */
const byName = (names: Record<string, ServiceName>): ReadonlyMap<string, ServiceName> => new Map(Object.entries(names));

const tables = byName({
  profiles: 'identity',
  user_roles: 'identity',
  user_sessions: 'identity',
  security_events: 'identity',
  subscription_plans: 'billing',
  subscriptions: 'billing',
  automations: 'automations',
  automation_runs: 'automations',
  run_diary: 'automations',
  previews: 'automations',
  blog_automations: 'automations',
  instagram_sessions: 'automations',
  instagram_accounts: 'automations',
  account_usage: 'automations',
  account_growth: 'automations',
  account_activity: 'automations',
  account_pauses: 'automations',
  follow_backs: 'automations',
  extracted_data: 'extraction',
  leads: 'extraction',
  prize_wheel_participations: 'prize-wheel',
  blog_articles: 'blog',
  article_runs: 'blog',
  customer_articles: 'blog',
  article_refreshes: 'blog',
  refresh_proposals: 'blog',
  sites: 'blog',
  deliveries: 'blog',
  delivery_attempts: 'blog',
  topics: 'blog',
  user_keywords: 'blog',
  user_tokens: 'blog',
});

const databaseFunctions = byName({
  get_available_slots: 'automations',
  import_keep_list: 'automations',
  preview_automation: 'automations',
  get_latest_extraction: 'extraction',
  get_extracted_slots: 'extraction',
  generate_random_token: 'blog',
  increment_article_views: 'blog',
});

const serverFunctions = byName({
  'check-subscription': 'billing',
  'customer-portal': 'billing',
  'create-checkout': 'billing',
  'change-plan': 'billing',
  'delete-account': 'identity',
  unsubscribe: 'identity',
  'prize-extractor': 'prize-wheel',
  'prize-receipt': 'prize-wheel',
  'prize-redemption': 'prize-wheel',
  'prize-codes': 'prize-wheel',
  'lead-privacy': 'prize-wheel',
  'prize-audit': 'prize-wheel',
  'wheel-round': 'prize-wheel',
  'prize-stats': 'prize-wheel',
  'lead-webhook': 'extraction',
  'test-webhook': 'blog',
  'retry-delivery': 'blog',
  'withdraw-article': 'blog',
  'revoke-previous-token': 'blog',
  'generate-blog-articles': 'blog',
  'generate-article-image': 'blog',
  'migrate-blog-images': 'blog',
  'clean-blog-articles': 'blog',
  'decide-article': 'blog',
  'update-article': 'blog',
  'preview-topics': 'blog',
  'retry-article': 'blog',
  'refresh-article': 'blog',
});

/** Functions that write, illustrate or clean articles: they take up to two minutes. */
const articleFunctions: ReadonlySet<string> = new Set([
  'generate-blog-articles',
  'generate-article-image',
  'migrate-blog-images',
  'clean-blog-articles',
  'preview-topics',
]);

export const isArticleFunction = (name: string): boolean => articleFunctions.has(name);

/** First two path segments of every API that clients know. `realtime` is known so that it gets an API's 404, not a page. */
export const apiPrefixes = ['/auth/v1', '/rest/v1', '/functions/v1', '/storage/v1', '/realtime/v1', livePath] as const;

export type Route =
  | { api: 'auth'; service: ServiceName }
  | { api: 'rest'; service: ServiceName; name: string }
  | { api: 'rest'; service: null; refusal: 'unknown-table' | 'unknown-function' | 'invalid-path'; name: string }
  | { api: 'functions'; service: ServiceName; name: string }
  | { api: 'functions'; service: null; own?: 'export-account' | 'live' }
  | { api: 'storage'; service: ServiceName; isPublic: boolean }
  | { api: 'webhook'; service: ServiceName }
  | { api: 'unknown' }
  | { api: 'site' };

/** Routes of the APIs: every request to them is limited and authenticated. */
export type ApiRoute = Exclude<Route, { api: 'site' } | { api: 'unknown' } | { api: 'webhook' }>;

/** Routes that are forwarded to a service. */
export type ForwardedRoute = Extract<ApiRoute, { service: ServiceName }>;

/** Finds the route of a request by its path, percent-encoded as it was sent. */
export function routeOf(path: string): Route {
  if (path === '/webhooks/stripe') return { api: 'webhook', service: 'billing' };
  if (path === pickupPath) return { api: 'webhook', service: 'blog' };
  if (path.startsWith('/webhooks/')) return { api: 'unknown' };
  const [, api, version, ...rest] = path.split('/');
  if (!apiPrefixes.some((prefix) => prefix === `/${api}/${version}`)) return { api: 'site' };
  switch (api) {
    case 'auth':
      return { api: 'auth', service: 'identity' };
    case 'rest': {
      const [first = '', second, ...more] = rest;
      if (first === 'rpc') {
        const service = second === undefined ? undefined : databaseFunctions.get(second);
        if (more.length > 0 || !second) return { api: 'rest', service: null, refusal: 'invalid-path', name: path };
        return service
          ? { api: 'rest', service, name: `rpc/${second}` }
          : { api: 'rest', service: null, refusal: 'unknown-function', name: second };
      }
      if (second !== undefined || first === '') return { api: 'rest', service: null, refusal: 'invalid-path', name: path };
      const service = tables.get(first);
      return service ? { api: 'rest', service, name: first } : { api: 'rest', service: null, refusal: 'unknown-table', name: first };
    }
    case 'functions': {
      const [name = '', ...more] = rest;
      // The gateway answers this one itself, with data of all services.
      if (name === 'export-account' && more.length === 0) return { api: 'functions', service: null, own: name };
      const service = more.length === 0 ? serverFunctions.get(name) : undefined;
      return service ? { api: 'functions', service, name } : { api: 'functions', service: null };
    }
    case 'storage': {
      const [kind, access, bucket, ...more] = rest;
      // A picture of a failure: no link opens it, only the token of its customer.
      if (kind === 'object' && access === 'pictures' && bucket && more.length === 0)
        return { api: 'storage', service: 'automations', isPublic: false };
      // A picture of an article of the blog, or of a customer's site: everybody may read it. Nothing else of these buckets is offered.
      if (kind === 'object' && access === 'public' && (bucket === blogImagesBucket || bucket === articleImagesBucket))
        return more.length === 1 && more[0] !== '' ? { api: 'storage', service: 'blog', isPublic: true } : { api: 'unknown' };
      if (kind !== 'object' || (bucket !== 'extractions' && access !== 'extractions')) return { api: 'unknown' };
      return { api: 'storage', service: 'extraction', isPublic: access === 'sign' || access === 'public' };
    }
    // The gateway answers this one itself, too; its refusals have the format of functions.
    case 'live':
      return rest.length === 0 ? { api: 'functions', service: null, own: 'live' } : { api: 'unknown' };
    default:
      return { api: 'unknown' };
  }
}

/** URL of a service inside the cluster. */
export function serviceUrl(config: GatewayConfig, service: ServiceName): string {
  const urls: Record<ServiceName, string> = {
    identity: config.IDENTITY_URL,
    billing: config.BILLING_URL,
    automations: config.AUTOMATIONS_URL,
    extraction: config.EXTRACTION_URL,
    'prize-wheel': config.PRIZE_WHEEL_URL,
    blog: config.BLOG_URL,
  };
  return urls[service];
}
