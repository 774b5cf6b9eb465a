import { RotateCw } from 'lucide-react';
import { useId, useState } from 'react';
import { PrizeWheel } from '../../../../components/prize-wheel';
import { Button } from '../../../../components/ui/button';
import { Ticks } from '../../../../components/ui/ticks';
import { useWheelTurn } from '../../../../components/use-wheel-turn';
import { formatCount } from '../../../../lib/format';
import { toast } from '../../../../lib/toast';
import type { Configuration } from '../../use-draft';
import { namedPrizes } from './prizes';
import { wheelColour } from './row-colours';
import { trialTexts as texts } from './texts';
import { drawTrial, fullStock } from './trial-draw';

/** How long a trial spin lasts. */
const trialMs = 2_000;
/** Prizes whose trial stock is listed. */
const mostListed = 6;

/** A wheel to try: it draws in the browser, and takes units only from a stock of its own. */
export function Trial({ configuration }: { configuration: Configuration }) {
  const title = useId();
  const words = texts.proposals;
  const prizes = namedPrizes(configuration);
  const { ref, rotation, ...turning } = useWheelTurn();
  const [stock, setStock] = useState(() => fullStock(prizes));
  const [won, setWon] = useState<string | null>(null);
  const [isSpinning, setSpinning] = useState(false);
  const leftOf = (id: string) => stock[id] ?? 0;
  const isEmpty = prizes.every(({ id }) => leftOf(id) === 0);
  const spin = async () => {
    const index = drawTrial(prizes, stock, Math.random());
    const prize = index === null ? undefined : prizes[index];
    if (index === null || !prize) {
      toast.error(texts.nothingLeft);
      return;
    }
    setWon(null);
    setSpinning(true);
    // Whoever wants less motion waits as long: the result is not there at once on the public page either.
    await Promise.all([turning.land(index, prizes.length, trialMs), new Promise((resolve) => setTimeout(resolve, trialMs))]);
    setSpinning(false);
    setStock((before) => ({ ...before, [prize.id]: Math.max(0, (before[prize.id] ?? 0) - 1) }));
    setWon(prize.name.trim());
    toast.success(texts.won(prize.name.trim()));
  };
  const listed = prizes.slice(0, mostListed);
  return (
    <aside
      aria-labelledby={title}
      className="lit grid justify-items-center gap-4 overflow-clip rounded-panel px-5 py-6 text-center shadow-2 min-[1100px]:sticky min-[1100px]:top-24"
    >
      <div>
        <h2 id={title} className="text-sm leading-6 font-semibold font-stretch-normal tracking-normal text-muted">
          {texts.title}
        </h2>
        <p className="text-sm text-muted">{words.text}</p>
      </div>
      {prizes.length > 0 && (
        <div className="w-full max-w-70 overflow-visible [&_.wheel]:shadow-none">
          <PrizeWheel
            ref={ref}
            slices={prizes.map(({ id, name }) => ({ id, name, isAvailable: leftOf(id) > 0 }))}
            rotation={rotation}
            theme={{ colour: wheelColour(configuration) }}
            isLit={won !== null}
          />
        </div>
      )}
      <div role="status" className="min-h-6 w-full">
        {isSpinning && <p className="text-sm text-muted">{words.spinning}</p>}
        {won !== null && (
          <p>
            <span className="block text-sm text-muted">{words.youWon}</span>
            <span className="block text-2xl [overflow-wrap:anywhere] font-bold">{won}</span>
          </p>
        )}
      </div>
      <Button variant="secondary" size="wide" isBusy={isSpinning} onClick={() => void spin()}>
        {!isSpinning && won !== null && <RotateCw className="size-4" aria-hidden />} {won === null ? words.spin : words.spinAgain}
      </Button>
      {isEmpty && prizes.length > 0 && (
        <Button
          variant="quiet"
          onClick={() => {
            setStock(fullStock(prizes));
            setWon(null);
          }}
        >
          {words.refill}
        </Button>
      )}
      <ul className="grid w-full gap-3.5 text-left">
        {listed.map(({ id, name, quantity }) => (
          <li key={id} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1.5 text-sm">
            <span className="font-semibold [overflow-wrap:anywhere]">{name.trim()}</span>
            <span className="text-muted" aria-hidden>
              {words.left(formatCount(leftOf(id)), formatCount(quantity))}
            </span>
            <Ticks
              className="col-span-full h-3"
              value={quantity - leftOf(id)}
              of={quantity}
              mostMarks={80}
              label={words.leftSpoken(name.trim(), formatCount(quantity - leftOf(id)), formatCount(quantity))}
            />
          </li>
        ))}
      </ul>
      {prizes.length > mostListed && <p className="justify-self-start text-sm text-muted">{words.more(prizes.length - mostListed)}</p>}
    </aside>
  );
}
