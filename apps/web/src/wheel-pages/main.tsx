import './styles.css';
import { type ReactNode, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { setConfiguration } from '../lib/configuration';
import { type PageData, readPageData } from './page-data';
import { routeOf, type WheelRoute } from './route';
import { showStartFailure } from '../components/start-failure';
import { WheelPage } from './wheel/wheel-page';

/** The wheel's page is in this file; the others, which visitors open less often, load their own code. */
async function pageOf(route: WheelRoute, { state }: PageData): Promise<ReactNode> {
  switch (route.page) {
    case 'wheel':
      return <WheelPage automationId={route.automationId} token={route.token} state={state} />;
    case 'trial': {
      const { TrialPage } = await import('./trial/trial-page');
      return <TrialPage />;
    }
    case 'receipt': {
      const { ReceiptPage } = await import('./receipt/receipt-page');
      return <ReceiptPage code={route.code} />;
    }
    case 'privacy': {
      const { PrivacyPage } = await import('./privacy/privacy-page');
      return <PrivacyPage code={route.code} />;
    }
    case 'audit': {
      const { AuditPage } = await import('./audit/audit-page');
      return <AuditPage />;
    }
  }
}

async function start(): Promise<void> {
  const container = document.getElementById('root')!;
  try {
    const route = routeOf(window.location);
    if (!route) throw new Error('no page of the wheel has this address');
    const data = readPageData();
    setConfiguration(data.configuration);
    const page = <StrictMode>{await pageOf(route, data)}</StrictMode>;
    // The gateway has rendered some of these pages with the same data (`server.tsx`).
    if (container.hasChildNodes()) hydrateRoot(container, page);
    else createRoot(container).render(page);
    window.repeatEarlyAction?.();
  } catch {
    showStartFailure(container, () => window.location.reload());
  }
}

void start();
