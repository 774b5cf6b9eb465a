import { clsx } from 'clsx';
import { useState } from 'react';
import { PrizeWheel } from '../../components/prize-wheel';
import { LightButton } from '../light-button';
import { useWheelTurn } from '../../components/use-wheel-turn';
import { PageFrame } from '../page-frame';
import { trialProposals as proposals, trialTexts } from './texts';

const slices = proposals.prizes.map((name, index) => ({ id: String(index), name, isAvailable: true }));

/** A wheel with sample prizes, to see how one turns. Nothing is sent to the server. */
export function TrialPage() {
  const { ref, rotation, land, skip } = useWheelTurn(-180 / slices.length);
  const [isSpinning, setSpinning] = useState(false);
  const [won, setWon] = useState<string | null>(null);
  const spin = async () => {
    const index = Math.floor(Math.random() * slices.length);
    setWon(null);
    setSpinning(true);
    await land(index, slices.length);
    setSpinning(false);
    setWon(slices[index]!.name);
    // After the browser has painted the wheel where it stopped: the dialog holds everything back.
    setTimeout(() => window.alert(slices[index]!.name), 50);
  };
  return (
    <PageFrame>
      <h1 className="title">{trialTexts.title}</h1>
      <p className="-mt-1.5 mb-3.5 text-center text-md text-muted">{proposals.lead}</p>
      <div className="dome whole">
        <div>
          <PrizeWheel ref={ref} slices={slices} rotation={rotation} isLit={won !== null} />
        </div>
      </div>
      <div className="mt-4 grid w-full max-w-95 justify-items-center gap-1">
        <LightButton size="large" className="w-full" disabled={isSpinning} onClick={() => void spin()}>
          {proposals.spin}
        </LightButton>
        <LightButton variant="quiet" className={clsx(!isSpinning && 'invisible')} onClick={skip}>
          {proposals.skip}
        </LightButton>
        <p role="status" className="min-h-6 text-md font-semibold">
          {isSpinning ? proposals.spinning : won === null ? '' : proposals.won(won)}
        </p>
      </div>
    </PageFrame>
  );
}
