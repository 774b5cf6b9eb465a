import { Failure, Skeleton } from '../components/ui/surface';

/** In place of a page whose code is on its way: a title and cards, below the header that is already there. */
export function PageSkeleton() {
  return (
    <div role="status" aria-label="Carregando..." className="grid gap-6">
      <Skeleton className="h-9 w-56" />
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        <Skeleton className="h-48" />
        <Skeleton className="hidden h-48 sm:block" />
        <Skeleton className="hidden h-48 lg:block" />
        <Skeleton className="hidden h-48 lg:block" />
      </div>
      <Skeleton className="h-36" />
    </div>
  );
}

/** A page that broke, or whose code could not be fetched (a new version may be out): loading it anew is the cure for both. */
export function PageFailure() {
  return (
    <main className="mx-auto grid min-h-screen max-w-lg content-center p-4">
      <Failure text="Não foi possível abrir esta página. Verifique sua conexão." onRetry={() => window.location.reload()} />
    </main>
  );
}
