import type { LeadPrivacyAnswer, LeadPrivacyData } from '@decola/contracts/wheel-receipt';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../components/ui/button';
import { Card, Failure, Notice, Skeleton } from '../../components/ui/surface';
import { configuration } from '../../lib/configuration';
import { usePageTitle } from '../../lib/page-title';
import { saveFile } from '../../lib/save-file';
import { CallError, callFunction } from '../call-function';
import { CodeForm } from '../code-form';
import { PageFrame } from '../page-frame';
import { Facts } from '../pass';
import { momentOf } from '../receipt/dates';
import { useCodePage } from '../use-code-page';
import { EraseDialog } from './erase-dialog';
import { consentTexts, copyFileTexts, eraseTexts, privacyTexts as texts } from './texts';

type Shown = Extract<LeadPrivacyAnswer, { data: LeadPrivacyData }>;
type Channel = keyof typeof consentTexts.channels;
type Question = { action: 'see' | 'copy' | 'erase' } | { action: 'withdraw'; channel: Channel };

type State =
  | { step: 'loading' }
  | { step: 'unknown' }
  | { step: 'erased' }
  | { step: 'failed'; text: string }
  | ({ step: 'shown' } & Pick<Shown, 'wheelName' | 'company' | 'data'>);

const ask = (code: string, question: Question) => callFunction<LeadPrivacyAnswer>('lead-privacy', { code, ...question });

/** What an answer says about the page. */
function stateOf(answer: LeadPrivacyAnswer): State {
  if (!answer.success) return { step: answer.code === 'erased' ? 'erased' : 'unknown' };
  if (!('data' in answer)) return { step: 'erased' };
  return { step: 'shown', wheelName: answer.wheelName, company: answer.company, data: answer.data };
}

/** `+5511987654321` as people write it; every other answer as it is. */
const phoneText = (value: string) => value.replace(/^\+55(\d{2})(\d{4,5})(\d{4})$/, '($1) $2-$3');

const sentenceOf = (error: unknown, usual: string) => (error instanceof CallError && error.message) || usual;

/** What is stored about the winner of a prize, for whoever has its code: see, take a copy, withdraw a channel, erase. */
export function PrivacyPage({ code: first }: { code: string }) {
  const { code, attempt, open, retry } = useCodePage(first, '/meus-dados');
  return <LoadedPage key={attempt} code={code} onCode={open} onRetry={retry} />;
}

function LoadedPage({ code, onCode, onRetry }: { code: string; onCode: (code: string) => void; onRetry: () => void }) {
  const [state, setState] = useState<State>({ step: 'loading' });
  useEffect(() => {
    let isCurrent = true;
    ask(code, { action: 'see' }).then(
      (answer) => isCurrent && setState(stateOf(answer)),
      (error: unknown) => isCurrent && setState({ step: 'failed', text: sentenceOf(error, texts.failed) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [code]);
  switch (state.step) {
    case 'unknown':
      return <CodeForm code={code} action={texts.open} onCode={onCode} />;
    case 'erased':
      return <Erased code={code} />;
    case 'shown':
      return <Data code={code} {...state} onState={setState} />;
    default:
      return (
        <PageFrame>
          <h1 className="title">{texts.title}</h1>
          {state.step === 'failed' ? (
            <div className="w-full">
              <Failure text={state.text} onRetry={onRetry} />
            </div>
          ) : (
            <Card className="grid w-full gap-3">
              <p role="status" className="sr-only">
                {texts.loading}
              </p>
              <Skeleton className="h-16 w-full" />
              <Skeleton className="h-40 w-full" />
            </Card>
          )}
        </PageFrame>
      );
  }
}

interface DataProps extends Pick<Shown, 'wheelName' | 'company' | 'data'> {
  code: string;
  onState: (state: State) => void;
}

function Data({ code, wheelName, company, data, onState }: DataProps) {
  usePageTitle(texts.documentTitle);
  const [busy, setBusy] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isErasing, setErasing] = useState(false);
  const run = async (name: string, usual: string, work: () => Promise<void>) => {
    setBusy(name);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      setProblem(sentenceOf(error, usual));
    } finally {
      setBusy(null);
    }
  };
  const copy = () =>
    run('copy', copyFileTexts.failed, async () => {
      const answer = await ask(code, { action: 'copy' });
      if (!answer.success || !('data' in answer)) return onState(stateOf(answer));
      const content = { promocao: answer.wheelName, empresa: answer.company, ...answer.data };
      saveFile(new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' }), copyFileTexts.fileName(code));
    });
  const withdraw = (channel: Channel) =>
    run(channel, consentTexts.failed, async () => onState(stateOf(await ask(code, { action: 'withdraw', channel }))));
  const erase = async () => {
    await run('erase', eraseTexts.failed, async () => onState(stateOf(await ask(code, { action: 'erase' }))));
    setErasing(false);
  };
  return (
    <PageFrame company={company ?? ''}>
      <h1 className="title">{texts.title}</h1>
      <Card className="wraps grid w-full grid-cols-[minmax(0,1fr)] gap-5 shadow-3">
        <p>{texts.keeps(company, wheelName, data.retainedUntil)}</p>
        {problem !== null && (
          <div role="alert">
            <Notice tone="danger">{problem}</Notice>
          </div>
        )}
        <section aria-labelledby="guardado" className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <h2 id="guardado" className="text-lg">
            {texts.stored}
          </h2>
          <Facts
            facts={[
              [texts.handle, data.handle],
              ...data.fields.map(({ label, value }) => [label, phoneText(value)] as const),
              [texts.prize, data.prize.name],
              [texts.number, texts.numberValue(data.number)],
              [texts.drawnAt, momentOf(data.drawnAt)],
            ]}
          />
          <Button variant="secondary" isBusy={busy === 'copy'} aria-describedby="copia" onClick={() => void copy()}>
            {busy !== 'copy' && <Download className="size-[18px]" aria-hidden />}
            {copyFileTexts.copy}
          </Button>
          <p id="copia" className="text-sm text-muted">
            {copyFileTexts.hint}
          </p>
        </section>
        <Consent company={company} data={data} busy={busy} onWithdraw={(channel) => void withdraw(channel)} />
        <section
          aria-labelledby="apagar"
          className="grid grid-cols-[minmax(0,1fr)] justify-items-start gap-2 pt-5 shadow-[0_-1px_0_var(--line)]"
        >
          <h2 id="apagar" className="text-lg">
            {eraseTexts.title}
          </h2>
          <p className="text-md text-muted">{eraseTexts.text}</p>
          <Button variant="quiet" className="-ml-3 text-danger" onClick={() => setErasing(true)}>
            {eraseTexts.open}
          </Button>
        </section>
      </Card>
      <p className="mt-4 text-center text-sm text-muted">{texts.operator(configuration().productName)}</p>
      <Button asChild variant="quiet" className="mt-2 max-w-full text-center whitespace-normal">
        <a href={`/comprovante/${code}`}>{texts.receipt}</a>
      </Button>
      {isErasing && (
        <EraseDialog company={company} isBusy={busy === 'erase'} onErase={() => void erase()} onClose={() => setErasing(false)} />
      )}
    </PageFrame>
  );
}

const channels = Object.keys(consentTexts.channels) as Channel[];

function Consent({
  company,
  data: { consent },
  busy,
  onWithdraw,
}: {
  company: string | null;
  data: LeadPrivacyData;
  busy: string | null;
  onWithdraw: (channel: Channel) => void;
}) {
  const known = consent ? channels.filter((channel) => consent.channels.includes(channel) || consent.withdrawn[channel] !== undefined) : [];
  return (
    <section aria-labelledby="aceite" className="grid grid-cols-[minmax(0,1fr)] gap-2 pt-5 shadow-[0_-1px_0_var(--line)]">
      <h2 id="aceite" className="text-lg">
        {consentTexts.title}
      </h2>
      {consent === null && <p className="text-md text-muted">{consentTexts.none}</p>}
      {consent?.accepted && consent.at !== null && <p className="text-md text-muted">{consentTexts.rules(momentOf(consent.at))}</p>}
      {consent !== null && consent.channels.length === 0 && <p className="text-md text-muted">{consentTexts.noNews(company)}</p>}
      <ul>
        {known.map((channel) => {
          const name = consentTexts.channels[channel];
          const withdrawnAt = consent?.withdrawn[channel];
          const isAllowed = consent?.channels.includes(channel);
          return (
            <li
              key={channel}
              className="flex min-h-14 flex-wrap items-center justify-between gap-x-3 py-1.5 not-first:shadow-[0_-1px_0_var(--line)]"
            >
              <span className="text-md font-semibold">{name}</span>
              {isAllowed ? (
                <Button
                  variant="secondary"
                  isBusy={busy === channel}
                  aria-label={consentTexts.withdrawLabel(name)}
                  onClick={() => onWithdraw(channel)}
                >
                  {consentTexts.withdraw}
                </Button>
              ) : (
                <span role="status" className="text-sm text-muted">
                  {withdrawnAt === undefined ? '' : consentTexts.withdrawnAt(momentOf(withdrawnAt))}
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Erased({ code }: { code: string }) {
  usePageTitle(eraseTexts.doneTitle);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <PageFrame>
      <Card className="mt-6 grid w-full justify-items-center gap-2 text-center">
        <h1 ref={heading} tabIndex={-1} className="text-xl">
          {eraseTexts.doneTitle}
        </h1>
        <p className="text-muted">{eraseTexts.doneText}</p>
        <Button asChild variant="secondary" className="mt-3">
          <a href={`/comprovante/${code}`}>{texts.receipt}</a>
        </Button>
      </Card>
    </PageFrame>
  );
}
