/** Modules of the pages, each loaded on demand. */
export const pageModules = {
  auth: () => import('../features/auth/auth-page'),
  dashboard: () => import('../features/dashboard/dashboard-page'),
  automation: () => import('../features/automation/automation-page'),
  wheelOwner: () => import('../features/wheel-owner/wheel-page'),
  wizard: () => import('../features/wizard/wizard-page'),
  blogWizard: () => import('../features/blog-wizard/blog-wizard-page'),
  articles: () => import('../features/articles/start'),
  accounts: () => import('../features/accounts-page/accounts-page'),
  account: () => import('../features/account/account-page'),
  plans: () => import('../features/plans/plan-pages'),
};

const byPath: readonly (readonly [RegExp, keyof typeof pageModules])[] = [
  [/^\/adm$/, 'dashboard'],
  [/^\/auth$/, 'auth'],
  [/^\/automation\/[^/]+\/diary$/, 'automation'],
  [/^\/automation\/[^/]+\/roleta$/, 'wheelOwner'],
  [/^\/automation\/blog-automation$/, 'blogWizard'],
  [/^\/automation\//, 'wizard'],
  [/^\/artigos$/, 'articles'],
  [/^\/contas$/, 'accounts'],
  [/^\/minha-conta$/, 'account'],
  [/^\/(planos|assinatura-cancelada)$/, 'plans'],
];

/** Loads a page's module in parallel with the app's own, which saves one round trip on the first visit. */
export function preloadPage(pathname: string): void {
  const page = byPath.find(([path]) => path.test(pathname))?.[1];
  // Ignored here: rendering the page imports the module again and reports the failure.
  if (page) pageModules[page]().catch(() => undefined);
}
