import { PageFrame } from '../page-frame';
import { stateTexts } from './texts';

/** The form's shape while its wheel is loaded. */
export function LoadingPage() {
  return (
    <PageFrame isBeside>
      <p role="status" className="sr-only">
        {stateTexts.loading}
      </p>
      <div className="title w-full">
        <div className="skeleton mx-auto h-9 w-64 max-w-full" />
      </div>
      <div className="dome" aria-hidden>
        <div className="skeleton aspect-square rounded-full!" />
      </div>
      <section className="sheet lit grid w-full gap-4 rounded-panel shadow-3" aria-hidden>
        <div className="skeleton h-7 w-40" />
        <div className="skeleton h-12 w-full" />
        <div className="skeleton h-12 w-full" />
        <div className="skeleton mt-2 h-13 w-full" />
      </section>
    </PageFrame>
  );
}
