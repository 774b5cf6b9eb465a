import type { GatewayConfig } from './config.js';

export type ServiceName = 'identity' | 'billing' | 'automations' | 'extraction' | 'prize-wheel' | 'blog';

/** A map, for names come from outside: `constructor` is no table. */
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
  automation_actions: 'automations',
  blog_automations: 'automations',
  instagram_sessions: 'automations',
  extracted_data: 'extraction',
  prize_wheel_participations: 'prize-wheel',
  blog_articles: 'blog',
  user_keywords: 'blog',
  user_tokens: 'blog',
});

const databaseFunctions = byName({
  get_available_slots: 'automations',
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
  'prize-extractor': 'prize-wheel',
  'test-webhook': 'blog',
  'generate-blog-articles': 'blog',
  'generate-article-image': 'blog',
  'migrate-blog-images': 'blog',
  'clean-blog-articles': 'blog',
});

/** Every table that is served, for tests that go over all of them. */
export const servedTables = [...tables.keys()];

export type Route =
  | { api: 'auth'; service: ServiceName }
  | { api: 'rest'; service: ServiceName }
  | { api: 'rest'; service: null; refusal: 'unknown-table' | 'unknown-function' | 'invalid-path'; name: string }
  | { api: 'functions'; service: ServiceName; name: string }
  | { api: 'functions'; service: null; own?: 'export-account' }
  | { api: 'storage'; service: ServiceName; isPublic: boolean }
  | { api: 'webhook'; service: ServiceName }
  | { api: 'unknown' }
  | { api: 'site' };

/** Where a request belongs, by its path alone. */
export function routeOf(path: string): Route {
  if (path === '/webhooks/stripe') return { api: 'webhook', service: 'billing' };
  if (path.startsWith('/webhooks/')) return { api: 'unknown' };
  const [, api, version, ...rest] = path.split('/');
  if (version !== 'v1' || !['auth', 'rest', 'functions', 'storage', 'realtime'].includes(api ?? '')) return { api: 'site' };
  switch (api) {
    case 'auth':
      return { api: 'auth', service: 'identity' };
    case 'rest': {
      const [first = '', second, ...more] = rest;
      if (first === 'rpc') {
        const service = second === undefined ? undefined : databaseFunctions.get(second);
        if (more.length > 0 || !second) return { api: 'rest', service: null, refusal: 'invalid-path', name: path };
        return service ? { api: 'rest', service } : { api: 'rest', service: null, refusal: 'unknown-function', name: second };
      }
      if (second !== undefined || first === '') return { api: 'rest', service: null, refusal: 'invalid-path', name: path };
      const service = tables.get(first);
      return service ? { api: 'rest', service } : { api: 'rest', service: null, refusal: 'unknown-table', name: first };
    }
    case 'functions': {
      const [name = '', ...more] = rest;
      // Made here, of what all services give.
      if (name === 'export-account' && more.length === 0) return { api: 'functions', service: null, own: name };
      const service = more.length === 0 ? serverFunctions.get(name) : undefined;
      return service ? { api: 'functions', service, name } : { api: 'functions', service: null };
    }
    case 'storage': {
      const [kind, access, bucket] = rest;
      if (kind !== 'object' || (bucket !== 'extractions' && access !== 'extractions')) return { api: 'unknown' };
      return { api: 'storage', service: 'extraction', isPublic: access === 'sign' || access === 'public' };
    }
    default:
      return { api: 'unknown' };
  }
}

export function addressOf(config: GatewayConfig, service: ServiceName): string {
  const addresses: Record<ServiceName, string> = {
    identity: config.IDENTITY_URL,
    billing: config.BILLING_URL,
    automations: config.AUTOMATIONS_URL,
    extraction: config.EXTRACTION_URL,
    'prize-wheel': config.PRIZE_WHEEL_URL,
    blog: config.BLOG_URL,
  };
  return addresses[service];
}
