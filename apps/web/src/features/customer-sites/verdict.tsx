import type { TestWebhookAnswer } from '@decola/contracts';
import { Check, Copy, Loader2, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { copyText } from '../../components/copy-text';
import { Button } from '../../components/ui/button';
import { Lamp } from '../../components/ui/lamp';
import { classes } from '../../lib/classes';
import { formatDateTime } from '../../lib/format';
import { toast } from '../../lib/toast';
import { hostOf } from './site-check';
import { checkTexts, cures, verdictTexts as texts } from './texts';

interface VerdictProps {
  /** The address that is or was tested. */
  webhookUrl: string;
  isChecking: boolean;
  /** Undefined while there is none; null when the server could not make the test. */
  answer: TestWebhookAnswer | null | undefined;
  onAgain: () => void;
}

/** What a check of a site has shown: what was proved, or the cause, the steps, and a text for the site's host. */
export function Verdict({ webhookUrl, isChecking, answer, onAgain }: VerdictProps) {
  if (isChecking)
    return (
      <Frame role="status" className="bg-sunken">
        <p className="flex items-center gap-3 font-semibold">
          <Loader2 className="size-5 shrink-0 animate-spin" aria-hidden /> {texts.checking}
        </p>
        <p className="text-sm text-muted">{texts.checkingText}</p>
      </Frame>
    );
  if (answer === undefined) return null;
  if (answer?.success === true) return <Passed answer={answer} />;
  return (
    <Refused
      webhookUrl={webhookUrl}
      error={answer?.error ?? null}
      code={answer?.code ?? null}
      isAnswer={answer !== null}
      onAgain={onAgain}
    />
  );
}

function Frame({ className, ...rest }: { role: 'status' | 'alert'; className: string; children: ReactNode }) {
  return <div className={classes('grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3 rounded-tile p-4 wrap-anywhere', className)} {...rest} />;
}

function Passed({ answer }: { answer: Extract<TestWebhookAnswer, { success: true }> }) {
  const { verified, hint, warnings, categories, site } = answer;
  const isProved = verified !== false;
  const facts = [
    ...(site?.plugin ? [texts.plugin(site.plugin)] : isProved ? [texts.pluginActive] : []),
    ...(isProved ? [texts.signature] : []),
    ...(site?.wp ? [texts.wordPress(site.wp)] : []),
    ...(categories && categories.length > 0 ? [texts.categories(categories.length)] : []),
  ];
  const notes = [...(isProved ? [] : [hint || texts.unproved]), ...(isProved && hint ? [hint] : []), ...(warnings ?? [])];
  return (
    <Frame role="status" className={isProved ? 'inset-ring-[1.5px] inset-ring-success-lamp' : 'inset-ring-[1.5px] inset-ring-warning-lamp'}>
      <Lamp state={isProved ? 'on' : 'warn'}>{isProved ? texts.right : texts.answers}</Lamp>
      <p className="text-lg leading-snug font-semibold text-balance">{checkTexts.passed}</p>
      {facts.length > 0 && (
        <ul className="grid gap-1.5 text-sm">
          {facts.map((fact) => (
            <li key={fact} className="flex gap-2.5">
              <Check className="mt-0.5 size-4 shrink-0 text-success" aria-hidden /> {fact}
            </li>
          ))}
        </ul>
      )}
      {notes.length > 0 && (
        <ul className="grid gap-1.5 text-sm">
          {notes.map((note) => (
            <li key={note} className="flex gap-2.5">
              <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning" aria-hidden /> <span className="min-w-0">{note}</span>
            </li>
          ))}
        </ul>
      )}
    </Frame>
  );
}

interface RefusedProps {
  webhookUrl: string;
  error: string | null;
  code: string | null;
  /** Whether the server has made the test at all. */
  isAnswer: boolean;
  onAgain: () => void;
}

function Refused({ webhookUrl, error, code, isAnswer, onAgain }: RefusedProps) {
  // The moment of the refusal, not of a later rendering.
  const [at] = useState(() => formatDateTime(new Date().toISOString()));
  const host = hostOf(webhookUrl);
  const cure = code === null ? undefined : cures[code];
  const forHost = cure?.forHost?.(host, at);
  const title = isAnswer ? error || checkTexts.invalidAnswer : texts.noAnswerTitle;
  const mail = [title, ...(cure?.steps ?? []).map((step, index) => `${index + 1}. ${step}`), ...(forHost ? ['', forHost] : [])].join('\n');
  const copy = async () => {
    if (await copyText(forHost ?? '')) toast.success(texts.copied);
    else toast.error(texts.copyFailed);
  };
  return (
    <Frame role="alert" className="inset-ring-[1.5px] inset-ring-danger-lamp">
      <Lamp state="stop">{texts.notYet}</Lamp>
      <p className="text-lg leading-snug font-semibold text-balance">{title}</p>
      <p className="text-md text-muted">{isAnswer ? texts.nothingLost : checkTexts.unreachable}</p>
      {cure && (
        <ol className="grid list-decimal gap-1.5 pl-5 text-md marker:font-semibold">
          {cure.steps.map((step) => (
            <li key={step} className="pl-1.5">
              {step}
            </li>
          ))}
        </ol>
      )}
      {forHost && (
        <>
          <p className="rounded-control bg-sunken p-3.5 text-sm leading-relaxed">{forHost}</p>
          <Button variant="secondary" className="justify-self-start" onClick={() => void copy()}>
            <Copy className="size-[18px]" aria-hidden /> {texts.copyText}
          </Button>
        </>
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" onClick={onAgain}>
          {texts.again}
        </Button>
        {isAnswer && (
          <Button asChild variant="quiet" className="whitespace-normal">
            <a href={`mailto:?subject=${encodeURIComponent(texts.subject(host))}&body=${encodeURIComponent(mail)}`}>{texts.mail}</a>
          </Button>
        )}
      </div>
    </Frame>
  );
}
