import { StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { loadApiClient } from '../lib/api-client';
import { App } from './app';

/** Shows the app: every page but the landing page, and the sign-in page of visitors who have no session. @param root where another page stands so far */
export async function start(container: HTMLElement, root?: Root): Promise<void> {
  await loadApiClient();
  (root ?? createRoot(container)).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
