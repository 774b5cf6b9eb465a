/**
 * The folders of every service, lowest layer first. A folder imports only from folders before it, so no two folders can import each other.
 * `apps/e2e/src/tree.spec.ts` refuses any other import, and a folder that is missing here.
 *
 * Folders with the same meaning have the same name in every service:
 * - `config`: the environment's schema; `texts`: sentences that customers read;
 * - `migrations`: changes of the database, oldest first; `export`: the service's part of a person's data export;
 * - `commands`: entry points for operators, one `*.command.ts` each.
 */
export const layers = {
  automations: [
    'safety',
    'config',
    'texts',
    'migrations',
    'keep-list',
    'tools',
    'automation-state',
    'customers',
    'pictures',
    'notices',
    'entitlements',
    'accounts',
    'sessions',
    'automations',
    'blog',
    'ledger',
    'extractions',
    'dispatch',
    'previews',
    'runs',
    'subscriptions',
    'erasure',
    'schedule',
    'export',
    'commands',
  ],
  billing: [
    ...['config', 'texts', 'stripe', 'catalogue', 'migrations', 'accounts', 'payments', 'subscriptions', 'checkout', 'portal'],
    ...['plan-changes', 'subscription-check', 'stripe-events', 'reconciliation', 'account-events', 'provisioning', 'export', 'commands'],
  ],
  blog: [
    ...[
      'texts',
      'config',
      'calendar',
      'migrations',
      'customers',
      'blog-automations',
      'articles',
      'cleaning',
      'model',
      'images',
      'views',
      'site',
    ],
    ...[
      'mails',
      'tokens',
      'signatures',
      'sites',
      'webhook-test',
      'deliveries',
      'topics',
      'runs',
      'customer-articles',
      'writing',
      'keywords',
    ],
    ...['due-articles', 'approvals', 'article-owners', 'refreshes', 'erasure', 'export', 'commands'],
  ],
  'browser-worker': ['config', 'network', 'browser', 'driver', 'accounts', 'runs', 'sources', 'canary', 'tools', 'commands'],
  extraction: [
    'config',
    'texts',
    'migrations',
    'automations',
    'files',
    'lists',
    'webhooks',
    'mails',
    'leads',
    'extracted-data',
    'retention',
    'export',
    'commands',
  ],
  gateway: ['config', 'texts', 'routing', 'refusals', 'limits', 'proxy', 'tokens', 'site', 'blog', 'export', 'live', 'requests'],
  identity: [
    'config',
    'texts',
    'migrations',
    'auth-protocol',
    'security-events',
    'users',
    'limits',
    'mails',
    'tokens',
    'sessions',
    'factors',
    'auth',
    'account',
    'profiles',
    'export',
    'commands',
  ],
  'prize-wheel': [
    'config',
    'texts',
    'refusals',
    'migrations',
    'keys',
    'consent',
    'promotion',
    'options',
    'draws',
    'figures',
    'limits',
    'owners',
    'coupons',
    'receipts',
    'privacy',
    'jobs',
    'visits',
    'wheels',
    'participations',
    'export',
    'commands',
  ],
  'sandbox-mailbox': ['config', 'mails', 'server'],
  'sandbox-model': ['config', 'random', 'prose', 'requests', 'structured', 'pictures', 'state', 'api', 'control', 'server'],
  'sandbox-network': ['population', 'texts', 'build', 'config', 'state', 'browser', 'calls', 'site', 'control', 'server'],
  'sandbox-stripe': ['config', 'objects', 'billing', 'webhooks', 'api', 'pages', 'control', 'server'],
  web: [
    ...[
      'lib',
      'components',
      'wheel-pages',
      'session',
      'features/notices',
      'features/pictures',
      'features/instagram-accounts',
      'features/preview',
      'features/plans',
      'features/account',
    ],
    ...[
      'features/auth',
      'features/dashboard',
      'features/automation',
      'features/wheel-owner',
      'features/accounts-page',
      'features/wizard',
      'features/blog-admin',
      'features/customer-sites',
      'features/blog-wizard',
      'features/articles',
      'blog-pages',
      'pages',
      'app',
    ],
  ],
};

/** Files at the root of a service's `src`: they start it, and only they import each other. */
export const boot = ['main.ts', 'app.module.ts'];

/** The same for the libraries that have folders. Their `index.ts` and Nest modules stand at the root, above all folders. */
export const libraryLayers = {
  contracts: [
    'messages',
    'fields',
    'tools',
    'site',
    'runs',
    'sessions',
    'articles',
    'deliveries',
    'automations',
    'billing',
    'extraction',
    'identity',
    'live',
    'wheel',
  ],
  'table-api': ['sql', 'errors', 'definition', 'grammar', 'requests'],
};

/**
 * The libraries that a project may import by their name `@decola/…`, by the project or its kind (`service`, `sandbox`). Nobody imports an app, except
 * that `wordpress-plugin` starts a real WordPress for tests.
 */
export const projectImports = {
  service: ['contracts', 'service-kit', 'messaging', 'mailer', 'outgoing-http', 'database', 'table-api', 'testing', 'wordpress-plugin'],
  // Only what is safe in a browser.
  web: ['contracts', 'testing'],
  // A stand-in must not share code with what it tests: both would be wrong together.
  sandbox: ['testing'],
  e2e: ['contracts', 'testing', 'wordpress-plugin'],
  'wordpress-plugin': ['testing'],
  // Libraries form layers.
  contracts: [],
  'service-kit': ['contracts'],
  database: ['contracts', 'service-kit'],
  messaging: ['contracts', 'service-kit', 'database', 'testing'],
  mailer: ['contracts', 'service-kit', 'database', 'testing'],
  'outgoing-http': ['service-kit'],
  'table-api': ['contracts', 'service-kit', 'database', 'testing'],
  testing: ['contracts', 'service-kit', 'database'],
};

/** Those of them that only tests import: in a `*.spec.*` file, in a folder for tests, or in `e2e`, where everything is one. */
export const importedByTests = ['testing', 'wordpress-plugin'];
