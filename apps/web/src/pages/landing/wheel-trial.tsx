import { Gift } from 'lucide-react';
import { useState } from 'react';
import { PrizeWheel } from '../../components/prize-wheel';
import { Button } from '../../components/ui/button';
import { useWheelTurn } from '../../components/use-wheel-turn';
import { pageWidth } from '../../components/frame-looks';
import { Initials, SectionHead } from './section';
import { examplePrizes, wheelProposals, wheelTexts } from './texts';

const inStock = examplePrizes.flatMap(({ quantity }, index) => (quantity > 0 ? [index] : []));
const slices = examplePrizes.map(({ id, name, quantity }) => ({ id, name, isAvailable: quantity > 0 }));

/** A prize wheel that visitors may spin as a demonstration; the result is added at the top of the list of contacts. */
export function WheelTrial() {
  const { ref, rotation, land } = useWheelTurn();
  const [won, setWon] = useState<string | null>(null);
  const [isSpinning, setSpinning] = useState(false);
  const spin = async () => {
    const index = inStock[Math.floor(Math.random() * inStock.length)]!;
    setWon(null);
    setSpinning(true);
    await land(index, slices.length);
    setSpinning(false);
    setWon(examplePrizes[index]!.name);
  };
  const people = [...(won ? [{ ...wheelProposals.you, prize: won, tool: 'follow' }] : []), ...wheelProposals.examples].slice(0, 3);
  return (
    <section aria-labelledby="roleta-title" className="py-11 md:py-13 lg:py-18">
      <div className={pageWidth}>
        <div className="lit relative grid grid-cols-1 overflow-hidden rounded-panel px-5 pt-8 shadow-2 lg:grid-cols-[1fr_640px] lg:gap-6 lg:pt-14 lg:pr-0 lg:pl-16">
          <div className="lg:self-center lg:pb-12">
            <SectionHead id="roleta" title={wheelTexts.title} lead={wheelTexts.lead} className="mb-0 lg:mb-0 lg:[&_h2]:text-[2.5rem]" />
            <div aria-hidden className="mt-7 max-w-95">
              <p className="mb-1 text-sm font-semibold text-muted">{wheelProposals.people}</p>
              <div>
                {people.map(({ initials, name, prize, tool }) => (
                  <p
                    key={name}
                    className="flex min-h-12 items-center gap-3 text-sm not-first:shadow-[0_-1px_0_var(--line)] max-sm:nth-3:hidden"
                  >
                    <Initials tool={tool}>{initials}</Initials>
                    <b className="mr-auto truncate font-[550]">{name}</b>
                    <span className="flex items-center gap-1.5 text-muted">
                      <Gift className="size-4" /> {prize}
                    </span>
                  </p>
                ))}
              </div>
            </div>
            <div className="mt-5 flex flex-wrap items-center gap-x-4 gap-y-2">
              <Button variant="secondary" onClick={() => void spin()} disabled={isSpinning}>
                {isSpinning ? wheelTexts.spinning : won ? wheelTexts.spinAgain : wheelTexts.spin}
              </Button>
              <p role="status" className="min-h-6 text-md max-sm:w-full">
                {won && wheelTexts.result(won)}
              </p>
            </div>
          </div>
          <div className="h-48 w-full max-w-105 sm:h-58 justify-self-center lg:h-113 lg:w-160 lg:max-w-none lg:self-end">
            <PrizeWheel ref={ref} slices={slices} rotation={rotation} />
          </div>
          <span className="absolute inset-x-0 bottom-0 h-[1.5px] bg-linear-to-r from-transparent via-horizon to-transparent" aria-hidden />
        </div>
      </div>
    </section>
  );
}
