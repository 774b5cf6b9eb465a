import { type ReactNode, StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { setConfiguration } from '../lib/configuration';
import type { PageData } from './page-data';
import { routeOf } from './route';
import { TrialPage } from './trial/trial-page';
import { WheelPage } from './wheel/wheel-page';

/**
 * Renders the first state of a page, for the gateway. The browser shows it before any script has loaded, and React then takes it over with the same data
 * (`main.tsx`).
 * @param target.search with its question mark
 * @returns empty for a page that is rendered in the browser alone
 */
export function renderPage(target: { pathname: string; search: string }, data: PageData): string {
  setConfiguration(data.configuration);
  const route = routeOf(target);
  if (route?.page === 'wheel') return rendered(<WheelPage automationId={route.automationId} token={route.token} state={data.state} />);
  return route?.page === 'trial' ? rendered(<TrialPage />) : '';
}

const rendered = (page: ReactNode) => renderToString(<StrictMode>{page}</StrictMode>);
