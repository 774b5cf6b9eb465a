import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from 'react-router-dom';
import { Toaster } from '../components/ui/toaster';
import { queryDefaults } from '../lib/query-defaults';
import { SessionProvider } from '../session/session';
import { router } from './router';

const queryClient = new QueryClient({
  defaultOptions: { ...queryDefaults, queries: { ...queryDefaults.queries, staleTime: 5_000, retry: 2 } },
});

/** All pages but the landing page. */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        <RouterProvider router={router} />
        <Toaster />
      </SessionProvider>
    </QueryClientProvider>
  );
}
