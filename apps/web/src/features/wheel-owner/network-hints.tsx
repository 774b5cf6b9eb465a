import type { PrizeStats } from '@decola/contracts';
import { useState } from 'react';
import { Button } from '../../components/ui/button';
import { Notice } from '../../components/ui/surface';
import { dayAndMonthOf } from './moments';
import { networkTexts as texts } from './texts';

/** Networks that are shown at first. */
const shownAtFirst = 2;

interface NetworkHintsProps {
  networks: PrizeStats['sameNetwork'];
  /** Shows the leads of these participations. */
  onShow: (numbers: readonly number[]) => void;
}

/** Many spins that came from one network. It is a hint, not a verdict: nobody was refused for it. */
export function NetworkHints({ networks, onShow }: NetworkHintsProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? networks : networks.slice(0, shownAtFirst);
  const hidden = networks.length - shown.length;
  if (networks.length === 0) return null;
  return (
    <Notice tone="neutral">
      <ul className="grid gap-1">
        {shown.map(({ spins, firstAt, lastAt, numbers }) => (
          <li key={`${firstAt}-${numbers[0]}`} className="flex flex-wrap items-center gap-x-3">
            <span>
              <strong className="font-semibold">{texts.spins(spins)}</strong>{' '}
              <span className="text-muted">{texts.when(dayAndMonthOf(firstAt), dayAndMonthOf(lastAt))}</span>
            </span>
            <Button
              variant="quiet"
              size="small"
              className="-ml-3.5 sm:ml-0"
              aria-label={texts.showOf(texts.spins(spins))}
              onClick={() => onShow(numbers)}
            >
              {texts.show}
            </Button>
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <Button variant="quiet" size="small" className="-ml-3.5" onClick={() => setWhole(true)}>
          {texts.more(hidden)}
        </Button>
      )}
      <p className="mt-1 text-sm text-pretty text-muted">{texts.explain}</p>
    </Notice>
  );
}
