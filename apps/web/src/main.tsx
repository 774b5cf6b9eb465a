import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/sora/index.css';
import './styles.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router-dom';
import { Toaster } from 'sonner';
import { router } from './app/router';
import { SessionProvider } from './app/session';
import { Failure } from './components/ui/surface';
import { loadRuntime } from './lib/runtime';

const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: 5_000, retry: 2 } } });
const root = createRoot(document.getElementById('root')!);

async function start(): Promise<void> {
  try {
    await loadRuntime();
  } catch {
    root.render(<Failure text="Não foi possível abrir a página. Verifique sua conexão." onRetry={() => void start()} />);
    return;
  }
  root.render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <SessionProvider>
          <RouterProvider router={router} />
          <Toaster richColors position="top-center" />
        </SessionProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
}

void start();
