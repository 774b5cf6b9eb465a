import { articleListAddress } from '@decola/contracts';
import { AlertTriangle } from 'lucide-react';
import type { ReactNode } from 'react';
import { buttonLook } from '../components/ui/looks';
import { articleTexts, listTexts } from './texts';

/** No public article has this address. The page leads to the list at once (`http-equiv="refresh"` in its head); this is what is there until then. */
export function MissingPage() {
  return (
    <section className="no-articles">
      <h1 className="text-xl">{articleTexts.missing}</h1>
      <a href={articleListAddress()} className={buttonLook({ variant: 'secondary' })}>
        {listTexts.all}
      </a>
    </section>
  );
}

const failures = { list: listTexts.failed, article: articleTexts.failed };

/** @param address the address that was asked for; it is loaded again by the button */
export function FailedPage({ what, address }: { what: keyof typeof failures; address: string }) {
  return <Failure text={failures[what]} address={address} />;
}

export function TooManyPage({ address }: { address: string }) {
  return <Failure text={listTexts.tooMany} address={address} />;
}

function Failure({ text, address }: { text: ReactNode; address: string }) {
  return (
    <section role="alert" className="failure">
      <AlertTriangle className="size-8 text-danger" aria-hidden />
      <h1 className="text-xl">{text}</h1>
      <a href={address} className={buttonLook({ variant: 'secondary' })}>
        {listTexts.retry}
      </a>
    </section>
  );
}
