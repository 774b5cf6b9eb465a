import { clsx } from 'clsx';
import { handleField, type SpinAnswer, type StateAnswer, type VisitRefusal } from '@decola/contracts/wheel-page';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { PrizeWheel } from '../../components/prize-wheel';
import { LightButton } from '../light-button';
import { useWheelTurn } from '../../components/use-wheel-turn';
import { CallError } from '../call-function';
import { PageFrame } from '../page-frame';
import { forgetVisit, keepVisit, newSpinKey, readKeptVisit } from './kept-visit';
import { PrizeList } from './prize-list';
import type { Won } from './prize-pass';
import { formTexts, spinTexts, visitProposals as texts } from './texts';
import { checkEarlier, spinOnce, type WheelAddress } from './visit-calls';
import { type FormAnswers, Rules, VisitForm } from './visit-form';

/** A short wait only disables the button; a longer one turns the wheel; a long one says why nothing is lost. */
const [turnsAfterMs, explainsAfterMs] = [400, 5_000];
const defaultWaitSeconds = 60;

const loadPass = () => import('./prize-pass');
const PrizePass = lazy(() => loadPass().then((module) => ({ default: module.PrizePass })));

const SoundSwitch = lazy(() => import('./sound-switch').then((module) => ({ default: module.SoundSwitch })));

type Phase = 'form' | 'wheel' | 'spinning' | 'confirming' | 'result';

const handleKey = (handle: string) =>
  `@${handle
    .replace(/^[\s@]+/, '')
    .trim()
    .toLowerCase()}`;

interface ParticipationProps {
  address: WheelAddress;
  answer: StateAnswer;
  /** Asks for the wheel's state again. */
  onRefresh: () => void;
}

/** One participation after the other: form, wheel, result. */
export function Participation({ address, answer: { wheel, formToken }, onRefresh }: ParticipationProps) {
  const { automationId, token } = address;
  const [phase, setPhase] = useState<Phase>('form');
  const [answers, setAnswers] = useState<FormAnswers | null>(null);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [alert, setAlert] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [isWaiting, setWaiting] = useState(false);
  const [won, setWon] = useState<Won | null>(null);
  /** A prize that the wheel has not: it was changed since the page was loaded. */
  const [extra, setExtra] = useState<{ id: string; name: string } | null>(null);
  /** The participation that is under way; a new handle gets a new key. */
  const visit = useRef<{ handle: string; spinKey: string } | null>(null);
  const wantsSkip = useRef(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const { ref, rotation, turn, land, skip, stop } = useWheelTurn(-180 / Math.max(1, wheel.prizes.length));

  const slices = [...wheel.prizes, ...(extra ? [{ ...extra, isAvailable: true }] : [])];
  const isSpinning = phase === 'spinning' || phase === 'confirming';

  /** The index of a prize among the slices; a prize that is not there gets a slice of its own, the last one. */
  const sliceOf = useCallback(
    ({ id, name }: { id: string; name: string }): [index: number, count: number] => {
      const index = wheel.prizes.findIndex((prize) => prize.id === id);
      setExtra(index < 0 ? { id, name } : null);
      return index < 0 ? [wheel.prizes.length, wheel.prizes.length + 1] : [index, wheel.prizes.length];
    },
    [wheel.prizes],
  );

  const show = useCallback(
    (earlier: Omit<SpinAnswer, 'success'>, handle: string) => {
      setWon({ ...earlier, handle });
      void land(...sliceOf(earlier.winner), 0);
      setPhase('result');
    },
    [land, sliceOf],
  );

  // Somebody who reloads the page in the middle of a spin, or comes back later, sees what was drawn for them.
  useEffect(() => {
    const kept = wheel.isEvent ? null : readKeptVisit(automationId);
    if (!kept) return undefined;
    visit.current = kept;
    let isCurrent = true;
    checkEarlier({ automationId, token }, kept.handle, kept.spinKey)
      .then((answer) => {
        if (isCurrent && answer.success && answer.earlier && visit.current === kept) show(answer.earlier, kept.handle);
      })
      .catch(() => undefined); // then the form is there
    return () => {
      isCurrent = false;
    };
  }, [automationId, token, wheel.isEvent, show]);

  // Each part of the page begins with its heading.
  const part = isSpinning ? 'wheel' : phase;
  const shown = useRef(part);
  useEffect(() => {
    if (shown.current === part) return;
    shown.current = part;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [part]);

  const skipTurn = useCallback(() => {
    wantsSkip.current = true;
    skip();
  }, [skip]);
  useEffect(() => {
    if (!isSpinning) return undefined;
    const escape = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') skipTurn();
    };
    window.addEventListener('keydown', escape);
    return () => window.removeEventListener('keydown', escape);
  }, [isSpinning, skipTurn]);

  const wait = (seconds: number) => {
    setAlert(texts.tooMany(seconds));
    setWaiting(true);
    setTimeout(() => {
      setWaiting(false);
      setAlert('');
    }, seconds * 1_000);
  };
  const failed = (error: unknown) => {
    setPhase('form');
    const { status, message, retryAfter } = error instanceof CallError ? error : new CallError(200);
    if (status === 429 || (status === 503 && retryAfter !== null)) wait(retryAfter ?? defaultWaitSeconds);
    else setAlert(message || formTexts.failed);
  };
  const refused = ({ error, field }: VisitRefusal) => {
    setPhase('form');
    if (field) setProblems({ [field]: error });
    else setAlert(error || formTexts.failed);
  };
  const keyFor = (handle: string) => {
    const { current } = visit;
    const own = current?.handle === handleKey(handle) ? current : { handle: handleKey(handle), spinKey: newSpinKey() };
    visit.current = own;
    if (!wheel.isEvent) keepVisit(automationId, own);
    return own.spinKey;
  };

  /** @param onNone nothing was won yet with this handle */
  const check = async (handle: string, onNone: () => void) => {
    setAlert('');
    setProblems({});
    setBusy(true);
    try {
      const answer = await checkEarlier(address, handle, keyFor(handle));
      if (!answer.success) refused(answer);
      else if (answer.earlier) show(answer.earlier, handle);
      else onNone();
    } catch (error) {
      failed(error);
    } finally {
      setBusy(false);
    }
  };
  const start = (given: FormAnswers) => {
    setAnswers(given);
    void check(given.leadData[handleField.name]!, () => setPhase('wheel'));
  };
  const seeEarlier = (handle: string) => void check(handle, () => setProblems({ [handleField.name]: texts.noEarlier }));

  const spin = async () => {
    void loadPass();
    const { leadData, consent, site } = answers!;
    const handle = leadData[handleField.name]!;
    wantsSkip.current = false;
    setPhase('spinning');
    const timers = [setTimeout(turn, turnsAfterMs), setTimeout(() => setPhase('confirming'), explainsAfterMs)];
    try {
      const answer = await spinOnce(address, {
        leadData,
        spinKey: keyFor(handle),
        formToken,
        site,
        ...(wheel.consent && { consent: { version: wheel.consent.version, ...consent } }),
      });
      timers.forEach(clearTimeout);
      if (!answer.success) {
        stop();
        return refused(answer);
      }
      setPhase('spinning');
      const landed = land(...sliceOf(answer.winner));
      if (wantsSkip.current) skip();
      await landed;
      setWon({ ...answer, handle });
      setPhase('result');
    } catch (error) {
      timers.forEach(clearTimeout);
      stop();
      failed(error);
    }
  };

  const again = () => {
    forgetVisit(automationId);
    visit.current = null;
    setAnswers(null);
    setWon(null);
    setExtra(null);
    setPhase('form');
    onRefresh();
  };

  const status = {
    form: '',
    wheel: '',
    spinning: texts.spinning,
    confirming: texts.confirming,
    result: won ? texts.won(won.winner.name) : '',
  };
  return (
    <PageFrame company={wheel.promotion.company} logo={wheel.theme.logo} isBeside={phase === 'form'}>
      {phase !== 'result' && (
        <h1 ref={heading} tabIndex={-1} className="title">
          {phase === 'form' ? wheel.name : spinTexts.title}
        </h1>
      )}
      <p role="status" className={clsx(isSpinning ? '-mt-1.5 mb-3.5 min-h-6 text-center text-md text-muted' : 'sr-only')}>
        {status[phase]}
      </p>
      <div className={clsx('dome', part === 'wheel' && 'whole', phase === 'result' && 'result')}>
        <div>
          <PrizeWheel ref={ref} slices={slices} rotation={rotation} theme={wheel.theme} isLit={phase === 'result'} />
        </div>
      </div>
      {phase === 'form' && (
        <>
          <VisitForm
            wheel={wheel}
            answers={answers}
            problems={problems}
            alert={alert}
            isBusy={isBusy}
            isWaiting={isWaiting}
            onEdit={(field) => setProblems(({ [field]: _, ...rest }) => rest)}
            onProblems={setProblems}
            onContinue={start}
            onSeeEarlier={seeEarlier}
          />
          <div className="below mt-5 w-full">
            <PrizeList wheel={wheel} />
            <Rules wheel={wheel} />
          </div>
        </>
      )}
      {part === 'wheel' && (
        <div className="mt-4 grid w-full max-w-95 justify-items-center gap-1">
          <LightButton size="large" className="w-full" disabled={isSpinning} onClick={() => void spin()}>
            {texts.spin}
          </LightButton>
          <LightButton variant="quiet" className={clsx(!isSpinning && 'invisible')} onClick={skipTurn}>
            {texts.skip}
          </LightButton>
          <Suspense>
            <SoundSwitch wheel={ref} slices={slices.length} isTurning={isSpinning} />
          </Suspense>
        </div>
      )}
      {phase === 'result' && won && (
        <Suspense>
          <PrizePass won={won} company={wheel.promotion.company} wheelName={wheel.name} isCodeMailed={wheel.isCodeMailed} onAgain={again} />
        </Suspense>
      )}
    </PageFrame>
  );
}
