import type { StateAnswer } from '@decola/contracts/wheel-page';
import { useCallback, useEffect, useState } from 'react';
import { usePageHeight } from '../use-page-height';
import { LoadingPage } from './loading-page';
import { Participation } from './participation';
import { StopCard } from './stop-card';
import { stateTexts, visitProposals } from './texts';
import { askForState, isRefusal, isState } from './visit-calls';
import { CallError } from '../call-function';
import { whenSeen } from './when-seen';

type Loaded = { answer: StateAnswer } | { stop: string; hint: string; mayRetry: boolean } | 'loading';

/** What an answer to `state` means for the page. @param state null when the gateway got none in time */
function loadedFrom(state: unknown): Loaded {
  if (state === null || state === undefined) return 'loading';
  if (isState(state)) return { answer: state };
  if (isRefusal(state)) return { stop: state.error, hint: visitProposals.askSender, mayRetry: false };
  return { stop: stateTexts.unexpected, hint: visitProposals.nothingSpent, mayRetry: true };
}

function loadedFromFailure(error: unknown): Loaded {
  const failure = error instanceof CallError ? error : new CallError(200);
  if (failure.status === 429 || (failure.status === 503 && failure.retryAfter !== null))
    return { stop: visitProposals.tooMany(failure.retryAfter ?? 60), hint: visitProposals.nothingSpent, mayRetry: true };
  const isUnexpected = failure.status !== null && failure.status < 500;
  return { stop: isUnexpected ? stateTexts.unexpected : stateTexts.failed, hint: visitProposals.nothingSpent, mayRetry: true };
}

interface WheelPageProps {
  automationId: string;
  token: string | null;
  /** The answer of `prize-extractor` that came with the page; null without one. */
  state: unknown;
}

/** The public page of a wheel. Its first state is rendered by the gateway, so nothing here may depend on the browser before the first effect. */
export function WheelPage({ automationId, token, state }: WheelPageProps) {
  const [loaded, setLoaded] = useState(() => loadedFrom(state));
  // Counts as a view; the question of the gateway does not, because nobody may be looking.
  const load = useCallback(
    () =>
      askForState({ automationId, token }, true)
        .then(loadedFrom, loadedFromFailure)
        .then((answered) => setLoaded(answered)),
    [automationId, token],
  );
  usePageHeight();

  const [wasLoaded] = useState(loaded !== 'loading');
  useEffect(() => {
    if (!wasLoaded) void load();
    else if (isState(state)) return whenSeen(() => void askForState({ automationId, token }, true).catch(() => undefined));
    return undefined;
  }, [automationId, load, state, token, wasLoaded]);

  if (loaded === 'loading') return <LoadingPage />;
  if ('stop' in loaded) {
    const retry = () => {
      setLoaded('loading');
      void load();
    };
    return <StopCard text={loaded.stop} hint={loaded.hint} onRetry={loaded.mayRetry ? retry : undefined} />;
  }
  // For the next visitor at this browser. Without an answer the page goes on with what it knows.
  const refresh = async () => {
    const answer = await askForState({ automationId, token }, false).catch(() => null);
    if (answer) setLoaded(loadedFrom(answer));
  };
  return <Participation address={{ automationId, token }} answer={loaded.answer} onRefresh={() => void refresh()} />;
}
