import { lazy, Suspense } from 'react';
import { createBrowserRouter, Outlet, ScrollRestoration } from 'react-router-dom';
import { Waiting } from '../components/ui/surface';
import { FrontPage } from './front-page';
import { AppLayout, RequireSession } from './layout';
import { pageCode } from './page-code';
import { PageFailure } from './page-states';

const AuthPage = lazy(() => pageCode.auth().then((module) => ({ default: module.AuthPage })));
const DashboardPage = lazy(() => pageCode.dashboard().then((module) => ({ default: module.DashboardPage })));
const WizardPage = lazy(() => pageCode.wizard().then((module) => ({ default: module.WizardPage })));
const AccountPage = lazy(() => pageCode.account().then((module) => ({ default: module.AccountPage })));
const AccessDenied = lazy(() => pageCode.account().then((module) => ({ default: module.AccessDenied })));
const PlansPage = lazy(() => pageCode.plans().then((module) => ({ default: module.PlansPage })));
const CanceledPage = lazy(() => pageCode.plans().then((module) => ({ default: module.CanceledPage })));
const PrivacyPage = lazy(() => import('../pages/simple-pages').then((module) => ({ default: module.PrivacyPage })));
const NotFoundPage = lazy(() => import('../pages/simple-pages').then((module) => ({ default: module.NotFoundPage })));
const ComingPage = lazy(() => import('../pages/simple-pages').then((module) => ({ default: module.ComingPage })));

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
      { path: '/blog', element: <ComingPage title="Blog" /> },
      { path: '/blog/:slug', element: <ComingPage title="Artigo" /> },
      { path: '/prize-wheel/:automationId', element: <ComingPage title="Roleta de prêmios" /> },
      { path: '/teste-roleta', element: <ComingPage title="Teste da Roleta!" /> },
      // The one name is for search engines; to a browser the gateway gives this page under both.
      ...['/sitemap', '/sitemap.xml'].map((path) => ({ path, element: <ComingPage title="Mapa do site" /> })),
      {
        element: <RequireSession />,
        children: [
          {
            element: <AppLayout />,
            children: [
              { path: '/adm', element: <DashboardPage /> },
              { path: '/planos', element: <PlansPage /> },
              { path: '/assinatura-cancelada', element: <CanceledPage /> },
              { path: '/automation/blog-automation', element: <ComingPage title="Artigos Automáticos para Blog" isInLayout /> },
              { path: '/automation/:type', element: <WizardPage /> },
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
