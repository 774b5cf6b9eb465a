import { Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { pathWithPlan, signUpPath } from '../../lib/chosen-plan';
import { configuration } from '../../lib/configuration';
import { hasStoredSession } from '../../lib/stored-session';
import { Footer } from '../footer';
import { Closing } from './closing';
import { Hero } from './hero';
import { LandingHeader } from './landing-header';
import { Plans } from './plans';
import { Testimonials } from './promises';
import { Protection } from './protection';
import { Questions } from './questions';
import { Steps } from './steps';
import { landingTexts } from './texts';
import { Tools } from './tools';
import { WheelTrial } from './wheel-trial';

const unchanging = () => () => undefined;
/** The value while the build prerenders the page, which is for visitors without a session. */
const nobodyIsKnown = () => false;

/**
 * The first page of most visitors. It loads neither router nor API client nor query cache, so that it stays within the build's weight
 * limit; its links are plain links.
 */
export function LandingPage() {
  const { productName } = configuration();
  const [isPaused, setPaused] = useState(false);
  useEffect(() => {
    document.title = landingTexts.title(productName);
  }, [productName]);
  const isKnown = useSyncExternalStore(unchanging, hasStoredSession, nobodyIsKnown);
  const startPath = isKnown ? '/adm' : signUpPath;
  return (
    <div className={isPaused ? 'still' : undefined}>
      <a
        href="#inicio"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-control focus:bg-raised focus:p-3 focus:shadow-2"
      >
        {landingTexts.skipToContent}
      </a>
      <LandingHeader signUpPath={startPath} />
      <main>
        <Hero signUpPath={startPath} isPaused={isPaused} onPause={setPaused} />
        {/* React takes over each boundary of the prerendered page in a task of its own, so that none blocks the page for long. */}
        <Suspense>
          <Tools />
        </Suspense>
        <Suspense>
          <WheelTrial />
        </Suspense>
        <Suspense>
          <Steps />
        </Suspense>
        <Suspense>
          <Protection />
        </Suspense>
        <Suspense>
          <Plans pathToPlan={(plan) => pathWithPlan(isKnown ? '/planos' : signUpPath, plan)} />
        </Suspense>
        <Suspense>
          <Testimonials />
        </Suspense>
        <Suspense>
          <Questions />
        </Suspense>
        <Suspense>
          <Closing signUpPath={startPath} />
        </Suspense>
      </main>
      <Footer isOnNight />
    </div>
  );
}
