import type { PrizeStats } from '@decola/contracts';
import { useState } from 'react';
import { Button } from '../../components/ui/button';
import { Ticks } from '../../components/ui/ticks';
import { classes } from '../../lib/classes';
import { figureTexts as texts } from './texts';

type Prize = PrizeStats['prizes'][number];

/** Prizes that are shown at first. */
const shownAtFirst = 6;
/** From this share of all units on, what is left is called low. */
const lowShare = 0.1;

const isSoldOut = ({ remaining, isRemoved }: Prize) => !isRemoved && remaining === 0;
const isLow = ({ remaining, total, isRemoved }: Prize) => !isRemoved && remaining > 0 && remaining <= total * lowShare;

interface StockProps {
  prizes: readonly Prize[];
  /** Two columns where there is room. */
  isWide?: boolean;
}

/** What is left of each prize, one mark a unit. */
export function Stock({ prizes, isWide = false }: StockProps) {
  const [isWhole, setWhole] = useState(false);
  const isLong = prizes.length > shownAtFirst + 1;
  const shown = isLong && !isWhole ? prizes.slice(0, shownAtFirst) : prizes;
  if (prizes.length === 0) return <p className="text-muted">{texts.noPrizes}</p>;
  return (
    <>
      <ul className={classes('grid gap-x-12 gap-y-4', isWide && 'md:grid-cols-2')}>
        {shown.map((prize) => (
          <StockLine key={prize.id} prize={prize} />
        ))}
      </ul>
      {isLong && (
        <Button variant="quiet" size="small" className="mt-3 -ml-3.5" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? texts.less : texts.more(prizes.length)}
        </Button>
      )}
    </>
  );
}

function StockLine({ prize }: { prize: Prize }) {
  const { name, total, given, remaining, delivered, isRemoved } = prize;
  return (
    <li className="grid min-w-0 grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-3 gap-y-1.5 text-sm">
      <b className="line-clamp-2 font-[620] [overflow-wrap:anywhere]" title={name}>
        {name}
      </b>
      <span className="text-muted">
        {isRemoved ? (
          texts.removed
        ) : isSoldOut(prize) ? (
          <em className="font-semibold text-warning not-italic">{texts.soldOut}</em>
        ) : (
          <>
            {isLow(prize) && <em className="font-semibold text-warning not-italic">{texts.low} · </em>}
            {texts.left(remaining)}
          </>
        )}
      </span>
      {total > 0 && (
        <Ticks className="col-span-full" value={given} of={total} mostMarks={80} label={texts.stockSpoken(name, total, given, remaining)} />
      )}
      <span className="col-span-full text-xs text-muted">{texts.units(total, given, delivered)}</span>
    </li>
  );
}
