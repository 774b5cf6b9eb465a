/** The code of each page, fetched when the page is asked for. */
export const pageCode = {
  auth: () => import('../features/auth/auth-page'),
  dashboard: () => import('../features/dashboard/dashboard-page'),
  wizard: () => import('../features/wizard/wizard-page'),
  account: () => import('../features/account/account-page'),
  plans: () => import('../features/plans/plan-pages'),
};

const byPath: readonly (readonly [RegExp, keyof typeof pageCode])[] = [
  [/^\/adm$/, 'dashboard'],
  [/^\/auth$/, 'auth'],
  [/^\/automation\//, 'wizard'],
  [/^\/minha-conta$/, 'account'],
  [/^\/(planos|assinatura-cancelada)$/, 'plans'],
];

/** Sends for a page's code while the app's own is still on its way: on a phone one journey to the server is a long time. */
export function sendForPage(pathname: string): void {
  const page = byPath.find(([path]) => path.test(pathname))?.[1];
  // A failure shows when the page itself is asked for.
  if (page) pageCode[page]().catch(() => undefined);
}
