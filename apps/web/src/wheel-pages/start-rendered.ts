import { keepEarlyActions } from '../components/early-actions';
import { showStartFailure } from '../components/start-failure';
import { afterFirstPaint } from '../lib/first-paint';

declare global {
  interface Window {
    /** Repeats what a person did before React took the page over; missing on a page that was not rendered by the gateway. */
    repeatEarlyAction?: () => void;
  }
}

/** Address of the page's own script (`main.tsx`), which the build writes into the element of this one. */
const { entry } = (document.currentScript as HTMLScriptElement).dataset;

// On a page that the gateway has rendered, the script with React must not compete with its styles and typeface for the connection.
window.repeatEarlyAction = keepEarlyActions(document.documentElement);
void afterFirstPaint()
  .then(() => import(/* @vite-ignore */ entry!))
  .catch(() => showStartFailure(document.getElementById('root')!, () => window.location.reload()));
