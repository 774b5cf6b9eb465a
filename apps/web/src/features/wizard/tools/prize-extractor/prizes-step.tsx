import { wheelLimits } from '@decola/contracts';
import { Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '../../../../components/ui/button';
import { FieldError } from '../../../../components/ui/field';
import { Notice } from '../../../../components/ui/surface';
import { formatCount } from '../../../../lib/format';
import { Region } from '../../fields/region';
import { type FieldsProps, publishedStep } from '../tool-steps';
import { canAdd, moved, namedPrizes, newPrize, type Prize, prizesOf, unitsOf } from './prizes';
import { PrizeRow } from './prize-row';
import { rowColours } from './row-colours';
import { useStock } from './stock';
import { prizeTexts as texts } from './texts';

/** The row that shows what is wrong with the list: the first without a name, or the first named one without units. */
function failingRow(prizes: readonly Prize[]): { index: number; field: 'name' | 'quantity' } {
  const tooMany = prizes.findIndex(({ quantity }) => quantity > wheelLimits.unitsOfPrize);
  if (tooMany >= 0) return { index: tooMany, field: 'quantity' };
  const named = prizes.findIndex(({ name }) => name.trim() !== '');
  return named < 0 ? { index: 0, field: 'name' } : { index: named, field: 'quantity' };
}

/** The prizes of the wheel, each a row with the colour of its slice. */
export function PrizesStep({ configuration, onChange, problems, editing }: FieldsProps) {
  const list = useRef<HTMLUListElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const [announced, setAnnounced] = useState('');
  const { isOnAir, isFailed, prizes: stock } = useStock(editing);
  const prizes = prizesOf(configuration);
  const named = namedPrizes(configuration);
  const colours = rowColours(configuration, prizes);
  const problem = problems['prizes'];
  const isListTooLong = prizes.length > wheelLimits.prizes;
  const failing = problem !== undefined && !isListTooLong ? failingRow(prizes) : null;
  const set = (next: Prize[]) => onChange({ prizes: next });

  const focusIn = (id: string, selector: string) =>
    setTimeout(() => {
      const row = [...(list.current?.children ?? [])].find((each) => each instanceof HTMLElement && each.dataset['prize'] === id);
      row?.querySelector<HTMLElement>(selector)?.focus();
    });
  const add = () => {
    const prize = newPrize();
    set([...prizes, prize]);
    focusIn(prize.id, 'input');
  };
  const remove = (index: number) => {
    const next = prizes.filter((_, at) => at !== index);
    set(next);
    const neighbour = next[Math.min(index, next.length - 1)];
    if (neighbour) focusIn(neighbour.id, 'input');
    else addButton.current?.focus();
  };
  const move = (index: number, by: 1 | -1) => {
    const prize = prizes[index];
    if (!prize) return;
    set(moved(prizes, index, by));
    setAnnounced(texts.moved(prize.name.trim() || texts.unnamed(index + 1), index + by + 1, prizes.length));
    // Browsers take the focus from an element that moves.
    focusIn(prize.id, `[data-move="${by > 0 ? 'down' : 'up'}"]`);
  };
  const units = unitsOf(named);
  return (
    <>
      {isOnAir && editing && (
        <Notice tone="neutral">
          <p>{texts.onAir}</p>
          <Link className="inline-flex min-h-11 items-center link" to={{ search: `?edit=${editing.id}&passo=${publishedStep}` }}>
            {texts.seePublished}
          </Link>
        </Notice>
      )}
      {isFailed && <Notice tone="neutral">{texts.stockFailed}</Notice>}
      <Region>
        <div className="@container">
          <p
            className="mb-2 hidden grid-cols-[22px_minmax(0,1fr)_92px_132px_44px] gap-2.5 text-xs font-semibold text-muted @lg:grid"
            aria-hidden
          >
            <span className="col-start-2">{texts.columns.name}</span>
            <span>{texts.columns.quantity}</span>
            <span>{texts.columns.type}</span>
          </p>
          <ul ref={list} aria-label={texts.list}>
            {prizes.map((prize, index) => (
              <PrizeRow
                key={prize.id}
                prize={prize}
                index={index}
                count={prizes.length}
                colours={colours[index] ?? null}
                stock={stock.get(prize.id)}
                editing={editing}
                problem={failing?.index === index && problem !== undefined ? { field: failing.field, text: problem } : null}
                onChange={(patch) => set(prizes.map((each, at) => (at === index ? { ...each, ...patch } : each)))}
                onMove={(by) => move(index, by)}
                onRemove={() => remove(index)}
              />
            ))}
          </ul>
        </div>
        {problem !== undefined && isListTooLong && <FieldError id="prizes-error">{problem}</FieldError>}
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Button ref={addButton} variant="secondary" disabled={!canAdd(prizes)} onClick={add}>
            <Plus className="size-4" aria-hidden /> {texts.add}
          </Button>
          <p className="text-sm text-muted">
            {canAdd(prizes) ? (
              <>
                <b className="font-bold text-ink">{formatCount(units)}</b>
                {texts.unitsIn(units, named.length)}
              </>
            ) : (
              texts.most(wheelLimits.prizes)
            )}
          </p>
        </div>
        <p role="status" className="sr-only">
          {announced}
        </p>
      </Region>
    </>
  );
}
