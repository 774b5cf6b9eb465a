import { Link as LinkIcon, Mail } from 'lucide-react';
import { lazy, Suspense, useId } from 'react';
import { Button } from '../../components/ui/button';
import { Skeleton } from '../../components/ui/surface';
import { toast } from '../../lib/toast';
import { useUser } from '../../session/session';
import { computerTexts as texts } from './texts';

const QrCode = lazy(() => import('../../components/qr-code').then((module) => ({ default: module.QrCode })));

/** The short address for people who type it, and the complete link for people who send it to themselves. */
function addresses(): { typed: string; link: string } {
  const { host, href, pathname, search } = window.location;
  return { typed: `${host}${search.includes('edit=') ? '/adm' : pathname}`, link: href };
}

/** Shown on phones: how to open this page on a computer, where a cookie can be copied. An account that is connected there is then offered here. */
export function ContinueOnComputer({ tool }: { tool: string }) {
  const { email } = useUser();
  const title = useId();
  const { typed, link } = addresses();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      toast.success(texts.copied);
    } catch {
      toast.error(texts.copyFailed);
    }
  };
  const mail = `mailto:${email ?? ''}?subject=${encodeURIComponent(texts.subject(tool))}&body=${encodeURIComponent(link)}`;
  return (
    <section aria-labelledby={title} className="grid grid-cols-1 gap-4 rounded-tile bg-sunken p-4">
      <div>
        <h3 id={title} className="text-lg">
          {texts.title}
        </h3>
        <p className="mt-1 text-md text-muted">{texts.text}</p>
      </div>
      <div className="flex flex-wrap items-center gap-3.5">
        <Suspense fallback={<Skeleton className="size-24 shrink-0 rounded-lg" />}>
          <QrCode text={link} label={texts.qr} />
        </Suspense>
        <p className="min-w-0 flex-1 basis-32">
          <span className="block text-sm text-muted">{texts.type}</span>
          <span className="block leading-snug font-semibold tracking-normal [overflow-wrap:anywhere]">{typed}</span>
        </p>
      </div>
      <div className="grid grid-cols-1 gap-2 [&>*]:whitespace-normal!">
        <Button asChild variant="secondary">
          <a href={mail}>
            <Mail className="size-4.5" aria-hidden /> {texts.mail}
          </a>
        </Button>
        <Button variant="secondary" onClick={() => void copy()}>
          <LinkIcon className="size-4.5" aria-hidden /> {texts.copy}
        </Button>
      </div>
    </section>
  );
}
