import { Failure, Skeleton } from '../components/ui/surface';
import { fallbackTexts as texts } from './texts';

/** Placeholder for a page whose module is loading: a title and cards below the header. */
export function PageSkeleton() {
  return (
    <div role="status" aria-label={texts.loading} className="grid gap-6">
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

/** Shown when a page throws, or when its module cannot be loaded because a new version was deployed. A reload helps in both cases. */
export function PageFailure() {
  return (
    <main className="mx-auto grid min-h-screen max-w-lg content-center p-4">
      <Failure text={texts.failed} onRetry={() => window.location.reload()} />
    </main>
  );
}
