import { type ReactNode, useId } from 'react';
import { Failure, Skeleton } from '../../components/ui/surface';

/** One group of settings: what it is about on the left of wide screens, what can be done on the right. */
export function Settings({ title, description, children }: { title: string; description: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid grid-cols-1 gap-4 border-t border-line pt-8 lg:grid-cols-[20rem_minmax(0,1fr)] lg:gap-10">
      <div>
        <h2 id={id} className="text-lg">
          {title}
        </h2>
        <div className="mt-1 max-w-prose text-[15px] text-muted">{description}</div>
      </div>
      <div className="min-w-0 rounded-2xl border border-line bg-surface p-5 wrap-anywhere sm:p-6">{children}</div>
    </section>
  );
}

interface LoadedProps<Data> {
  query: { data: Data | undefined; isPending: boolean; refetch: () => unknown };
  /** What could not be loaded. */
  failure: string;
  children: (data: Data) => ReactNode;
}

/** Content of one query: lines while it loads, a way out when it failed. */
export function Loaded<Data>({ query, failure, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isPending)
    return (
      <div className="grid gap-3" role="status" aria-label="Carregando...">
        <Skeleton className="h-6 w-1/2" />
        <Skeleton className="h-12" />
      </div>
    );
  return <Failure text={failure} onRetry={() => void query.refetch()} />;
}
