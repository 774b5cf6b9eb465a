import { clsx } from 'clsx';
import type { PublicWheel } from '@decola/contracts/wheel-page';
import { sliceColours } from '../../components/wheel-colours';
import { badgeLook, tones } from '../../components/ui/looks';
import { Fold } from '../fold';
import { visitProposals as texts } from './texts';

const hues = 12;
/** With more, the wheel has numbers, and so has the list. */
const mostNames = 24;

/** All prizes with their whole names, for those to whom the wheel says nothing or too little. */
export function PrizeList({
  wheel: { id, prizes, theme, fairness },
}: {
  wheel: Pick<PublicWheel, 'id' | 'prizes' | 'theme' | 'fairness'>;
}) {
  const own = theme.colour ? sliceColours(theme.colour, prizes.length) : null;
  const hue = (index: number) => own?.[index]?.['--solid'] ?? own?.[index]?.['--hue'] ?? `var(--rim-${index % hues})`;
  return (
    <Fold title={texts.prizes}>
      <ul>
        {prizes.map(({ id: prizeId, name, isAvailable }, index) => (
          <li
            key={prizeId}
            className={clsx(
              'grid min-h-11 grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-3 py-2 text-md not-first:shadow-[0_-1px_0_var(--line)]',
              !isAvailable && 'text-muted',
            )}
          >
            {prizes.length > mostNames ? (
              <span className="min-w-7 text-sm text-muted tabular-nums">{index + 1}</span>
            ) : (
              <i aria-hidden className="size-3.5 rounded-sm" style={{ background: isAvailable ? hue(index) : 'var(--tick)' }} />
            )}
            <span className="[overflow-wrap:anywhere]">{name}</span>
            {!isAvailable && <span className={clsx(badgeLook, tones.neutral)}>{texts.soldOut}</span>}
          </li>
        ))}
      </ul>
      <p className="mt-2 text-sm text-muted">{texts.fairness}</p>
      {fairness && (
        <p className="text-sm text-muted">
          <a
            className="link inline-block py-3 font-medium"
            href={`/auditoria?roleta=${id}`}
            target="_blank"
            rel="noopener"
            title={fairness.commitment}
          >
            {texts.commitment(fairness.round, fairness.commitment)}
          </a>
        </p>
      )}
    </Fold>
  );
}
