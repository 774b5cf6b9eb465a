import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from 'react-router-dom';
import { Toaster } from '../components/ui/toaster';
import { router } from './router';
import { SessionProvider } from './session';

const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: 5_000, retry: 2 } } });

/** Everything beyond the landing page. */
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
