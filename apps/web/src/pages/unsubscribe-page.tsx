import type { NoticeCause } from '@decola/contracts';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { Button } from '../components/ui/button';
import { Notice } from '../components/ui/surface';
import { type ApiError, callFunction } from '../lib/api-client';
import { usePageTitle } from '../lib/page-title';
import { PublicPage } from './public-page';
import { unsubscribeTexts as texts } from './texts';

/**
 * Where the link in the footer of a mail leads that its reader may stop. It works without a session, and stops nothing before the button is pressed: programs
 * that check mails open every link.
 */
export function UnsubscribePage() {
  usePageTitle(texts.title);
  const [parameters] = useSearchParams();
  const token = parameters.get('token') ?? '';
  const stop = useMutation<{ cause: NoticeCause }, ApiError>({
    mutationFn: () => callFunction(`unsubscribe?token=${encodeURIComponent(token)}`),
  });
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that had the focus is gone.
  useEffect(() => {
    if (stop.isSuccess) heading.current?.focus();
  }, [stop.isSuccess]);
  const isInvalid = token === '' || stop.error?.code === 'invalid_token';
  return (
    <PublicPage className="mx-auto grid w-full max-w-xl grid-cols-1 content-center px-4">
      <section className="grid gap-5 lit rounded-panel p-6 shadow-2 sm:p-9">
        <h1 ref={heading} tabIndex={-1} className="text-2xl wrap-anywhere outline-none">
          {stop.isSuccess ? texts.stopped.title : texts.title}
        </h1>
        <div role="status" className="grid gap-5 empty:hidden">
          {stop.isSuccess && <p>{texts.stopped.byCause[stop.data.cause] ?? texts.stopped.other}</p>}
        </div>
        {!stop.isSuccess && !isInvalid && (
          <>
            <p>{texts.explanation}</p>
            {stop.isError && <Alert>{texts.failed}</Alert>}
            <Button size="large" className="justify-self-start max-sm:w-full" isBusy={stop.isPending} onClick={() => stop.mutate()}>
              {stop.isError ? texts.retry : texts.stop}
            </Button>
          </>
        )}
        {isInvalid && <Alert>{texts.invalid}</Alert>}
        <p className="text-md text-muted">
          {texts.changeMind.before}{' '}
          <Link to="/minha-conta" className="link">
            {texts.changeMind.link}
          </Link>
        </p>
      </section>
    </PublicPage>
  );
}

function Alert({ children }: { children: ReactNode }) {
  return (
    <div role="alert">
      <Notice>{children}</Notice>
    </div>
  );
}
