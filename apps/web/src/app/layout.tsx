import { type ReactNode, Suspense, useEffect } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { Waiting } from '../components/ui/surface';
import { Breadcrumb } from './breadcrumb';
import { Header } from './header';
import { PageSkeleton } from './page-states';
import { useSession } from './session';

/**
 * Routes that need a person: the others wait, or lead to the door and back to the page that was asked for. Whoever signs out from
 * here goes to the landing page instead. `otherwise` is shown in place of the way to the door.
 */
export function RequireSession({ otherwise }: { otherwise?: ReactNode }) {
  const { session, isLoading, isLeaving, hasLeft, forgetLeaving } = useSession();
  const { pathname, search, hash } = useLocation();
  useEffect(() => forgetLeaving, [forgetLeaving]);
  if (isLoading) return <Waiting />;
  if (isLeaving) return <Waiting text="Saindo..." />;
  if (!session && hasLeft) return <Navigate to="/" replace />;
  if (!session && otherwise) return otherwise;
  if (!session) return <Navigate to="/auth" state={{ from: pathname + search + hash }} replace />;
  return <Outlet />;
}

export { usePageTitle } from '../lib/page-title';

export function AppLayout() {
  return (
    <>
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-lg focus:bg-surface focus:p-3"
      >
        Ir para o conteúdo
      </a>
      <Header />
      <main id="content" className="mx-auto w-full max-w-[1200px] px-4 py-6 sm:py-10">
        <Breadcrumb />
        {/* The header stays while a page's code is on its way. */}
        <Suspense fallback={<PageSkeleton />}>
          <Outlet />
        </Suspense>
      </main>
    </>
  );
}
