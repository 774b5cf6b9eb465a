import './styles.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { loadApiClient } from '../../lib/api-client';
import { queryDefaults } from '../../lib/query-defaults';
import { SessionProvider } from '../../session/session';
import { BlogAdmin } from './blog-admin';
import { Part } from './part';

/** Shows the toasts that were published before it had loaded, too. */
const Toaster = lazy(() => import('../../components/ui/toaster').then((module) => ({ default: module.Toaster })));

/**
 * Shows the panel in the list page that the gateway has rendered, and the buttons of its cards. Loaded only by administrators' browsers; what it may do is
 * decided by the server. The page works without it, so a failure leaves the page as visitors see it.
 */
export async function startBlogAdmin(): Promise<void> {
  const container = document.getElementById('blog-admin');
  if (!container) return;
  await loadApiClient();
  const queryClient = new QueryClient({
    defaultOptions: { ...queryDefaults, queries: { ...queryDefaults.queries, staleTime: 5_000, retry: 2 } },
  });
  createRoot(container).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <SessionProvider>
          <BlogAdmin />
        </SessionProvider>
        <Part fallback={null} failure={null}>
          <Toaster />
        </Part>
      </QueryClientProvider>
    </StrictMode>,
  );
}
