import { lazy, Suspense } from 'react';
import { createBrowserRouter, Outlet, ScrollRestoration } from 'react-router-dom';
import { Waiting } from '../components/ui/surface';
import { RequireSession } from '../session/require-session';
import { FrontPage } from './front-page';
import { AppLayout } from './layout';
import { PageFailure } from './page-fallbacks';
import { pageModules } from './page-modules';

const AuthPage = lazy(() => pageModules.auth().then((module) => ({ default: module.AuthPage })));
const DashboardPage = lazy(() => pageModules.dashboard().then((module) => ({ default: module.DashboardPage })));
const AutomationPage = lazy(() => pageModules.automation().then((module) => ({ default: module.AutomationPage })));
const WheelPage = lazy(() => pageModules.wheelOwner().then((module) => ({ default: module.WheelPage })));
const WizardPage = lazy(() => pageModules.wizard().then((module) => ({ default: module.WizardPage })));
const BlogWizardPage = lazy(() => pageModules.blogWizard().then((module) => ({ default: module.BlogWizardPage })));
const ArticlesPage = lazy(() => pageModules.articles().then((module) => ({ default: module.ArticlesPage })));
const AccountsPage = lazy(() => pageModules.accounts().then((module) => ({ default: module.AccountsPage })));
const AccountPage = lazy(() => pageModules.account().then((module) => ({ default: module.AccountPage })));
const AccessDenied = lazy(() => pageModules.account().then((module) => ({ default: module.AccessDenied })));
const PlansPage = lazy(() => pageModules.plans().then((module) => ({ default: module.PlansPage })));
const CanceledPage = lazy(() => pageModules.plans().then((module) => ({ default: module.CanceledPage })));
const PrivacyPage = lazy(() => import('../pages/legal/privacy-page').then((module) => ({ default: module.PrivacyPage })));
const TermsPage = lazy(() => import('../pages/legal/terms-page').then((module) => ({ default: module.TermsPage })));
const NotFoundPage = lazy(() => import('../pages/simple-pages').then((module) => ({ default: module.NotFoundPage })));
const UnsubscribePage = lazy(() => import('../pages/unsubscribe-page').then((module) => ({ default: module.UnsubscribePage })));

/** All paths must be in `appPagePaths` of `@decola/contracts`, because the gateway answers 404 for every other path. */
export const router = createBrowserRouter([
  {
    element: (
      <Suspense fallback={<Waiting />}>
        <Outlet />
        <ScrollRestoration />
      </Suspense>
    ),
    errorElement: <PageFailure />,
    children: [
      { path: '/', element: <FrontPage /> },
      { path: '/auth', element: <AuthPage /> },
      { path: '/politica-de-privacidade', element: <PrivacyPage /> },
      { path: '/termos-de-uso', element: <TermsPage /> },
      { path: '/avisos-por-e-mail', element: <UnsubscribePage /> },
      {
        element: <RequireSession />,
        children: [
          {
            element: <AppLayout />,
            children: [
              { path: '/adm', element: <DashboardPage /> },
              { path: '/contas', element: <AccountsPage /> },
              { path: '/planos', element: <PlansPage /> },
              { path: '/assinatura-cancelada', element: <CanceledPage /> },
              { path: '/artigos', element: <ArticlesPage /> },
              { path: '/automation/blog-automation', element: <BlogWizardPage /> },
              { path: '/automation/:type', element: <WizardPage /> },
              { path: '/automation/:automationId/diary', element: <AutomationPage /> },
              { path: '/automation/:automationId/roleta', element: <WheelPage /> },
            ],
          },
        ],
      },
      {
        element: <RequireSession otherwise={<AccessDenied />} />,
        children: [{ element: <AppLayout />, children: [{ path: '/minha-conta', element: <AccountPage /> }] }],
      },
      { path: '*', element: <NotFoundPage /> },
    ],
  },
]);
