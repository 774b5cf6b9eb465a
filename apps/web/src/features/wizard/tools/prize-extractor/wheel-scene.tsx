import { lazy, Suspense } from 'react';
import { formatCount } from '../../../../lib/format';
import { Fact } from '../../fact';
import type { PreviewProps } from '../tool-steps';
import { namedPrizes, type Prize, unitsOf } from './prizes';
import { wheelColour } from './row-colours';
import { totalOf, useStock } from './stock';
import { appearanceTexts, prizeTexts as texts } from './texts';
import { wheelName } from './wheel-name';

const PrizeWheel = lazy(() => import('../../../../components/prize-wheel').then((module) => ({ default: module.PrizeWheel })));

/** With more slices the wheel shows numbers, as `components/prize-wheel.tsx` says. */
const mostNames = 24;

/** The upper half of the wheel, with the first prize under the pointer. */
export function WheelScene({ configuration, editing }: PreviewProps) {
  const { prizes: stock } = useStock(editing);
  const named = namedPrizes(configuration);
  const isLeft = (prize: Prize) => totalOf(prize, stock.get(prize.id), editing) > (stock.get(prize.id)?.given ?? 0);
  const slices = named.length > 0 ? named.map((prize) => ({ id: prize.id, name: prize.name, isAvailable: isLeft(prize) })) : emptySlices;
  return (
    <div
      className="mx-auto mt-5 -mb-5 h-37.5 w-75 max-w-full overflow-hidden mask-linear-[180deg,#000_84%,transparent] sm:-mb-6"
      role="img"
      aria-label={texts.scene(named.length)}
    >
      <div className="h-75 w-75 max-w-full [&_.wheel]:shadow-none">
        <Suspense fallback={null}>
          <PrizeWheel slices={slices} rotation={-180 / slices.length} theme={{ colour: wheelColour(configuration) }} />
        </Suspense>
      </div>
    </div>
  );
}

/** What the wheel looks like before there is a prize. */
const emptySlices = [1, 2, 3, 4, 5, 6].map((number) => ({ id: String(number), name: '', isAvailable: true }));

/** Units, the rarest prize, or what is left of a wheel that is on air; on the second step what its page shows. */
export function WheelFacts({ configuration, editing, step }: PreviewProps) {
  const { prizes: stock } = useStock(editing);
  const named = namedPrizes(configuration);
  const counted = named.map((prize) => ({ ...prize, quantity: totalOf(prize, stock.get(prize.id), editing) }));
  const units = unitsOf(counted);
  const given = counted.reduce((sum, { id, quantity }) => sum + Math.min(quantity, stock.get(id)?.given ?? 0), 0);
  if (step === 2) {
    const count = formatCount(named.length);
    return (
      <>
        <Fact name={appearanceTexts.titleFact} value={wheelName(configuration, editing)} />
        {named.length > 0 && (
          <Fact
            name={appearanceTexts.slices}
            value={named.length > mostNames ? appearanceTexts.numbered(count) : appearanceTexts.readable(count)}
          />
        )}
      </>
    );
  }
  if (stock.size > 0) {
    return (
      <>
        <Fact name={texts.facts.given} value={texts.facts.givenOf(formatCount(given), formatCount(units))} />
        <Fact name={texts.facts.remaining} value={formatCount(units - given)} />
      </>
    );
  }
  const [rarest] = counted.filter(({ quantity }) => quantity > 0).sort((one, other) => one.quantity - other.quantity);
  return (
    <>
      {units > 0 && <Fact name={texts.facts.units} value={formatCount(units)} />}
      {rarest && named.length > 1 && (
        <Fact name={texts.facts.chance(rarest.name.trim())} value={texts.facts.outOf(formatCount(rarest.quantity), formatCount(units))} />
      )}
    </>
  );
}
