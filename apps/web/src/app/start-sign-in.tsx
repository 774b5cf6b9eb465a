import { StrictMode } from 'react';
import { SignInPage } from '../features/auth/sign-in-page';
import { loadConfiguration } from '../lib/configuration';
import { preloadPage } from './page-modules';
import { renderOrHydrate } from './render-or-hydrate';
import { showStartFailure } from '../components/start-failure';

const loadApp = () => import('./start-app');

/** Shows the sign-in page to a visitor without a session, and the app as soon as there is one. */
export async function start(container: HTMLElement): Promise<void> {
  await loadConfiguration();
  const root = renderOrHydrate(
    container,
    <StrictMode>
      <SignInPage
        search={window.location.search}
        onPrepare={() => {
          // Ignored here: entering loads them again and reports the failure.
          loadApp().catch(() => undefined);
          preloadPage(window.location.pathname);
        }}
        onSession={() => void enter()}
      />
    </StrictMode>,
  );
  const enter = async () => {
    try {
      await (await loadApp()).start(container, root);
    } catch {
      root.unmount();
      showStartFailure(container, () => window.location.reload());
    }
  };
}
