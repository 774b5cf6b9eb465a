import { type ReactNode, useId } from 'react';
import { Failure, Skeleton } from '../../components/ui/surface';
import { settingsTexts as texts } from './texts';

/** A group of settings in the panel of the page; on wide screens the title is to the left of the content. */
export function SettingsSection({ title, description, children }: { title: string; description: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid grid-cols-1 gap-4 px-4 py-6 sm:px-6 lg:grid-cols-[300px_minmax(0,1fr)] lg:gap-12 lg:p-8">
      <div>
        <h2 id={id} className="text-lg">
          {title}
        </h2>
        <div className="mt-1 max-w-prose text-md text-muted">{description}</div>
      </div>
      <div className="max-w-[560px] min-w-0 wrap-anywhere [&_button]:whitespace-normal">{children}</div>
    </section>
  );
}

interface LoadedProps<Data> {
  query: { data: Data | undefined; isPending: boolean; refetch: () => unknown };
  /** Message for a query that failed. */
  failure: string;
  children: (data: Data) => ReactNode;
}

/** Content of a query, with a skeleton while it loads and a retry button when it failed. */
export function QueryContent<Data>({ query, failure, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isPending)
    return (
      <div className="grid gap-3" role="status" aria-label={texts.loading}>
        <Skeleton className="h-6 w-1/2" />
        <Skeleton className="h-12" />
      </div>
    );
  return <Failure text={failure} onRetry={() => void query.refetch()} />;
}
