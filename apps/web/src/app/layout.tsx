import { Suspense } from 'react';
import { Outlet } from 'react-router-dom';
import { useLiveUpdates } from '../lib/live';
import { useReportLocale } from '../session/report-locale';
import { useUser } from '../session/session';
import { Breadcrumb } from './breadcrumb';
import { Header } from './header';
import { PageSkeleton } from './page-fallbacks';
import { layoutTexts as texts } from './texts';

/** Header, breadcrumb and content of every page for people who are signed in. */
export function AppLayout() {
  useReportLocale();
  useLiveUpdates(useUser().id);
  return (
    <>
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-control focus:bg-raised focus:px-4 focus:py-3 focus:shadow-2"
      >
        {texts.skipToContent}
      </a>
      <Header />
      <main id="content" className="mx-auto w-[min(1200px,100%-32px)] pt-7 pb-24 md:w-[min(1200px,100%-64px)] lg:pt-11">
        <Breadcrumb />
        {/* This inner boundary keeps the header visible while the page's module loads. */}
        <Suspense fallback={<PageSkeleton />}>
          <Outlet />
        </Suspense>
      </main>
    </>
  );
}
