/**
 * Migrations that break rules of migration-rules.mjs, each with the rules and the reason. A migration that is not released yet has its own reason here only
 * when the rule does no harm, for example because the table has few rows and no row of the last release breaks the new rule.
 */

const released = 'it ran everywhere before these rules were checked; what ran is not edited';

/** @type {Record<string, string[]>} rules by service and migration */
const releasedBefore = {
  'automations CheckSessions1763800000000': ['constraint', 'index'],
  'automations WaitForVerdicts1763900000000': ['index'],
  'automations ConnectAccounts1764100000000': ['constraint', 'index'],
  'automations HoldSessionsAfterStops1764110000000': ['constraint', 'index'],
  'automations KeepLedgerKeys1764120000000': ['constraint', 'index'],
  'automations LookAgainAndCountViews1764200000000': ['index'],
  'automations KeepStatesWhole1764610000000': ['constraint'],
  'automations KnowTargetsOfEveryKind1764700000000': ['constraint'],
  'automations ShowDiaryAndAccounts1764800000000': ['index'],
  'automations TellBlogOfAutomations1764910000000': ['constraint', 'index'],
  'billing ContactOfAccount1763900000000': ['constraint'],
  'billing ContactTold1764200000000': ['constraint'],
  'billing ParkEvents1764400000000': ['constraint'],
  'blog CopyBlogAutomations1764910000000': ['constraint', 'rewrite'],
  'blog ShowArticles1764980000000': ['index', 'rewrite'],
  'blog PriceArticles1764990000000': ['index'],
  'blog WriteForCustomers1765000000000': ['constraint'],
  'extraction EndPassesByPages1764200000000': ['constraint', 'index'],
  'extraction KeepLeads1764820000000': ['index'],
  'extraction FollowLeads1764840000000': ['constraint', 'index', 'set not null'],
  'identity BoundSecurityEvents1763720000000': ['constraint', 'index'],
  'identity CreateFactors1763810000000': ['index'],
  'prize-wheel DrawPrizes1764800000000': ['constraint', 'index'],
  'prize-wheel LimitVisits1764820000000': ['index'],
  'prize-wheel FollowPrizes1764830000000': ['index'],
  'prize-wheel ForgetNetworks1764850000000': ['index'],
};

/** @type {Record<string, { rules: string[], because: string }>} by service and migration */
export const migrationExceptions = {
  ...Object.fromEntries(Object.entries(releasedBefore).map(([migration, rules]) => [migration, { rules, because: released }])),
  'identity QueueMails1763820000000': {
    rules: ['index', 'mandatory'],
    because: 'it ran everywhere; while it did, replicas of the release before could mail no link and no code (this is why the rules exist)',
  },
};
