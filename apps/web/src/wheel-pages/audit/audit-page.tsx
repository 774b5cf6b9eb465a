import { Loader2 } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Button } from '../../components/ui/button';
import { Dial } from '../../components/ui/dial';
import { Notice } from '../../components/ui/surface';
import { usePageTitle } from '../../lib/page-title';
import { AuditFileError } from './audit-file';
import { AuditResult } from './audit-result';
import { DrawTable } from './draw-table';
import { FileDrop } from './file-drop';
import { type OwnDraw, ownDrawOf, type OwnVerdict, ownVerdict } from './own-draw';
import { publishedAudit } from './published-audit';
import { SiteFrame } from './site-frame';
import {
  auditTexts,
  checkingTexts,
  chooseTexts,
  explainTexts,
  fileProblemTexts,
  insecurePage,
  publishedTexts,
  verifyingFailed,
} from './texts';
import { type VerifiedAudit, verifyAudit } from './verify-audit';

interface Verified {
  audit: VerifiedAudit;
  own: (OwnDraw & { verdict: OwnVerdict }) | null;
  elapsedMs: number;
}

type State =
  | { step: 'choose'; problem: string | null; canRetry?: boolean }
  | { step: 'working'; name: string; text: string; progress?: { checked: number; lines: number } }
  | ({ step: 'done' } & Verified);

const fetching: State = { step: 'working', name: publishedTexts.fileName, text: publishedTexts.fetching };

/**
 * Verifies the draws of a wheel from its audit file, which does not leave the device. A link of a receipt names the draw to look for, and the wheel
 * whose published file is fetched: `?numero=128&impressao=9f2c…&roleta=…`.
 */
export function AuditPage() {
  usePageTitle(auditTexts.documentTitle);
  const [{ own, automationId }] = useState(() => {
    const search = new URLSearchParams(window.location.search);
    return { own: ownDrawOf(search), automationId: search.get('roleta') };
  });
  const [state, setState] = useState<State>(automationId === null ? { step: 'choose', problem: null } : fetching);
  // Only the last file that was chosen is shown.
  const latest = useRef(0);
  const open = useRef<VerifiedAudit>(undefined);
  const verify = useCallback(
    async (file: Blob, name: string) => {
      latest.current += 1;
      const mine = latest.current;
      const show = (next: State) => {
        if (mine === latest.current) setState(next);
      };
      open.current?.close();
      show({ step: 'working', name, text: checkingTexts.reading });
      const startedAt = performance.now();
      try {
        const audit = await verifyAudit(file, (checked, lines) =>
          show({ step: 'working', name, text: checkingTexts.checking(checked, lines), progress: { checked, lines } }),
        );
        open.current = audit;
        const verdict = own && { ...own, verdict: await ownVerdict(audit, own) };
        show({ step: 'done', audit, own: verdict, elapsedMs: performance.now() - startedAt });
      } catch (error) {
        const problem =
          error instanceof AuditFileError
            ? fileProblemTexts[error.problem]
            : window.isSecureContext === false
              ? insecurePage
              : verifyingFailed;
        show({ step: 'choose', problem });
      }
    },
    [own],
  );
  const showPublished = useCallback(
    (published: Blob | 'not_published' | 'failed') => {
      if (published instanceof Blob) return void verify(published, publishedTexts.fileName);
      setState({
        step: 'choose',
        problem: published === 'not_published' ? publishedTexts.notPublished : publishedTexts.failed,
        canRetry: published === 'failed',
      });
    },
    [verify],
  );
  useEffect(() => {
    if (automationId !== null) void publishedAudit(automationId).then(showPublished);
    return () => open.current?.close();
  }, [automationId, showPublished]);
  const retry = (id: string) => {
    setState(fetching);
    void publishedAudit(id).then(showPublished);
  };
  return (
    <SiteFrame>
      <header className="mb-6 grid max-w-[720px] gap-2.5">
        <h1 className="text-[clamp(2rem,1.3rem+3vw,3.25rem)] leading-[1.02] font-[670] tracking-[-0.038em]">{auditTexts.title}</h1>
        <p className="text-lg text-muted">{auditTexts.lead}</p>
      </header>
      {state.step === 'choose' && (
        <div className="grid gap-4">
          {state.problem !== null && (
            <div role="alert">
              <Notice tone="danger">
                <p>{state.problem}</p>
                {state.canRetry && automationId !== null && (
                  <Button variant="secondary" className="mt-3" onClick={() => retry(automationId)}>
                    {chooseTexts.again}
                  </Button>
                )}
              </Notice>
            </div>
          )}
          <FileDrop onFile={(file) => void verify(file, file.name)} />
        </div>
      )}
      {state.step === 'working' && <Working {...state} />}
      {state.step === 'done' && <Done {...state} onOther={() => setState({ step: 'choose', problem: null })} />}
      <ol className="mt-10 grid gap-5 min-[56.25rem]:grid-cols-3 min-[56.25rem]:gap-8">
        {explainTexts.map(({ title, text }, index) => (
          <li key={title} className="grid grid-cols-[44px_minmax(0,1fr)] items-start gap-3.5">
            <Dial state="idle" size="small">
              <b className="text-sm">{index + 1}</b>
            </Dial>
            <div>
              <b className="block font-[620]">{title}</b>
              <p className="text-md text-muted">{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </SiteFrame>
  );
}

/** Screen readers hear once that it began, and can ask how far it has come: a sentence for every step would drown everything else. */
function Working({ name, text, progress }: Extract<State, { step: 'working' }>) {
  const said = progress && {
    'aria-valuemin': 0,
    'aria-valuemax': progress.lines,
    'aria-valuenow': progress.checked,
    'aria-valuetext': text,
  };
  return (
    <section className="lit flex items-center gap-3.5 rounded-panel p-5 shadow-2">
      <Loader2 className="size-6 shrink-0 animate-spin text-muted" aria-hidden />
      <div className="min-w-0">
        <p role="status" className={progress ? 'sr-only' : 'font-[620]'}>
          {progress ? checkingTexts.reading : text}
        </p>
        {progress && (
          <p role="progressbar" aria-label={auditTexts.progress} {...said} className="font-[620] tabular-nums">
            {text}
          </p>
        )}
        <p className="text-sm wrap-anywhere text-muted">{name}</p>
      </div>
    </section>
  );
}

function Done({ audit, own, elapsedMs, onOther }: Verified & { onOther: () => void }) {
  return (
    <>
      <AuditResult report={audit.report} own={own} elapsedMs={elapsedMs} />
      {audit.report.draws > 0 ? (
        <DrawTable audit={audit} firstNumber={own?.number ?? null} onOther={onOther} />
      ) : (
        <Button variant="secondary" className="mt-4" onClick={onOther}>
          {chooseTexts.other}
        </Button>
      )}
    </>
  );
}
