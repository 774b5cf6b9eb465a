import './lib/zod-without-eval';
import './styles.css';
import { keepEarlyActions } from './components/early-actions';
import { preloadPage } from './app/page-modules';
import { showStartFailure } from './components/start-failure';
import { visitOf } from './app/visit';
import { afterFirstPaint } from './lib/first-paint';

const container = document.getElementById('root')!;

/** What each kind of visit loads. The landing page and the sign-in page load neither router nor API client nor query cache. */
const starts = {
  landing: () => import('./app/start-landing'),
  'sign-in': () => import('./app/start-sign-in'),
  app: () => import('./app/start-app'),
};

async function start(): Promise<void> {
  const visit = visitOf(window.location);
  // The gateway sends the markup of the landing page and of the sign-in page with the page (`build/prerender.ts`).
  const isPrerendered = container.hasChildNodes();
  const repeatEarlyAction = keepEarlyActions(container);
  try {
    if (visit === 'app') preloadPage(window.location.pathname);
    // The scripts of a page that is already there must not compete with its styles and typeface for the connection.
    else if (isPrerendered) await afterFirstPaint();
    await (await starts[visit]()).start(container);
    repeatEarlyAction();
  } catch {
    // The prerendered landing page stays readable without scripts, and its links work.
    if (visit !== 'landing' || !isPrerendered) showStartFailure(container, () => void start());
  }
}

void start();
