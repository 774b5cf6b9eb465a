import { wheelLimits } from '@decola/contracts';
import { ArrowDown, ArrowUp, ChevronRight, Trash2 } from 'lucide-react';
import { type CSSProperties, useId, useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { FieldError, SelectField, TextField } from '../../../../components/ui/field';
import { Notice } from '../../../../components/ui/surface';
import { Ticks } from '../../../../components/ui/ticks';
import { classes } from '../../../../lib/classes';
import { formatCount } from '../../../../lib/format';
import type { Editing } from '../../use-save';
import { PrizeCoupons } from './prize-coupons';
import type { Prize } from './prizes';
import { warnedKindOf } from './prize-warnings';
import { type PrizeStock, totalOf } from './stock';
import { couponTexts, prizeTexts as texts, warningTexts } from './texts';

/** UTF-16 code units, as `maxlength` counts. */
const [nameLimit, messageLimit] = [200, 2_000];
const unitDigits = String(wheelLimits.unitsOfPrize).length;

interface PrizeRowProps {
  prize: Prize;
  /** From 0. */
  index: number;
  count: number;
  /** Rim and ground of its slice; it has none without a name. */
  colours: CSSProperties | null;
  /** Undefined while nothing of it can have been drawn. */
  stock: PrizeStock | undefined;
  editing: Editing | null;
  /** What is wrong with its name or its units, or with the list. */
  problem: { field: 'name' | 'quantity'; text: string } | null;
  onChange: (patch: Partial<Prize>) => void;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
}

/** One prize: a slice of the wheel with its units. */
export function PrizeRow({ prize, index, count, colours, stock, editing, problem, onChange, onMove, onRemove }: PrizeRowProps) {
  const id = useId();
  const name = prize.name.trim() || texts.unnamed(index + 1);
  const [typedUnits, setTypedUnits] = useState<string | null>(null);
  const [hasCoupons, setHasCoupons] = useState(false);
  const kind = warnedKindOf(prize.name);
  const invalid = (field: 'name' | 'quantity') =>
    problem?.field === field ? { 'aria-invalid': true as const, 'aria-describedby': `${id}-error` } : {};
  const isStored = editing !== null && isIn(editing.configuration['prizes'], prize.id);
  return (
    <li
      data-prize={prize.id}
      className="grid grid-cols-[22px_minmax(0,1fr)_44px] items-center gap-2.5 border-line py-4 not-first:border-t first:pt-0 @lg:grid-cols-[22px_minmax(0,1fr)_92px_132px_44px]"
    >
      <span
        className={classes(
          'size-5.5 rounded-md',
          colours
            ? 'bg-[var(--solid,color-mix(in_srgb,var(--hue)_var(--field),var(--surface)))] inset-ring-[2.5px] inset-ring-(--hue)'
            : 'inset-ring-[1.5px] inset-ring-tick',
        )}
        style={colours ?? undefined}
        aria-hidden
      />
      <TextField
        label={texts.nameOf(index + 1)}
        isLabelHidden
        placeholder={texts.namePlaceholder}
        maxLength={nameLimit}
        autoComplete="off"
        value={prize.name}
        onChange={(event) => onChange({ name: event.target.value })}
        {...invalid('name')}
      />
      <Button
        variant="quiet"
        size="icon"
        className="h-12 text-muted hover:text-ink @lg:col-start-5 @lg:row-start-1"
        aria-label={texts.remove(name)}
        title={texts.remove(name)}
        disabled={count === 1}
        onClick={onRemove}
      >
        <Trash2 className="size-5" aria-hidden />
      </Button>
      <div className="col-span-2 col-start-2 grid grid-cols-[104px_minmax(0,1fr)] gap-2 @lg:contents">
        <div className="relative @lg:col-start-3 @lg:row-start-1">
          <TextField
            label={texts.quantityOf(name)}
            isLabelHidden
            inputMode="numeric"
            autoComplete="off"
            readOnly={hasCoupons}
            title={hasCoupons ? couponTexts.quantity : undefined}
            style={{ textAlign: 'center', fontVariantNumeric: 'tabular-nums', fontWeight: 600, paddingInline: '0.5rem' }}
            value={typedUnits ?? String(hasCoupons && stock ? stock.total : prize.quantity)}
            onChange={(event) => {
              const digits = event.target.value.replace(/\D/g, '').slice(0, unitDigits);
              setTypedUnits(digits);
              onChange({ quantity: Number(digits) });
            }}
            onBlur={() => setTypedUnits(null)}
            {...invalid('quantity')}
          />
          <span
            className="pointer-events-none absolute inset-y-0 right-2.5 grid place-content-center text-xs text-muted @lg:hidden"
            aria-hidden
          >
            {texts.unit}
          </span>
        </div>
        <SelectField
          label={texts.typeOf(name)}
          isLabelHidden
          className="@lg:col-start-4 @lg:row-start-1"
          value={prize.type}
          onChange={(event) => onChange({ type: event.target.value === 'physical' ? 'physical' : 'digital' })}
        >
          <option value="physical">{texts.types.physical}</option>
          <option value="digital">{texts.types.digital}</option>
        </SelectField>
      </div>
      {problem && (
        <div className="col-span-full col-start-2">
          <FieldError id={`${id}-error`}>{problem.text}</FieldError>
        </div>
      )}
      {stock && <StockLine name={name} stock={stock} total={hasCoupons ? stock.total : totalOf(prize, stock, editing)} />}
      {kind && (
        <Notice className="col-span-full col-start-2">
          {warningTexts[kind](prize.name.trim())} {warningTexts.advice}
        </Notice>
      )}
      <div className="col-span-full col-start-2 grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-2">
        <Message prize={prize} name={name} onChange={onChange} />
        <span className="flex">
          <MoveButton isPossible={index > 0} label={texts.moveUp(name)} direction="up" onMove={() => onMove(-1)} />
          <MoveButton isPossible={index < count - 1} label={texts.moveDown(name)} direction="down" onMove={() => onMove(1)} />
        </span>
        {prize.type === 'digital' && (
          <PrizeCoupons
            prizeId={prize.id}
            name={name}
            automationId={isStored ? editing.id : null}
            onKnown={(total) => setHasCoupons(total > 0)}
          />
        )}
      </div>
    </li>
  );
}

const isIn = (prizes: unknown, id: string) => Array.isArray(prizes) && prizes.some((prize) => (prize as Partial<Prize> | null)?.id === id);

/** Total, drawn and left, with the total as it would be stored now: an edit never takes back what was drawn. */
function StockLine({ name, stock, total }: { name: string; stock: PrizeStock; total: number }) {
  const remaining = Math.max(0, total - stock.given);
  const given = [stock.given, formatCount(stock.given)] as [number, string];
  const gone = remaining === 0;
  const said = gone
    ? `${texts.stockGone(formatCount(total), given)}${texts.gone}`
    : texts.stock(formatCount(total), given, [remaining, formatCount(remaining)]);
  return (
    <div className="col-span-full col-start-2 grid grid-cols-1 items-center gap-x-4 gap-y-1 text-sm text-muted @lg:grid-cols-[minmax(0,1fr)_auto]">
      <Ticks value={stock.given} of={Math.max(total, stock.given)} mostMarks={80} label={texts.stockSpoken(name, said)} className="h-3" />
      <p aria-hidden>
        {gone ? texts.stockGone(formatCount(total), given) : said}
        {gone && <span className="font-semibold text-warning">{texts.gone}</span>}
      </p>
    </div>
  );
}

function Message({ prize, name, onChange }: { prize: Prize; name: string; onChange: (patch: Partial<Prize>) => void }) {
  const id = useId();
  const [isOpen, setOpen] = useState(prize.message !== '');
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={texts.messageButton(name)}
        className="inline-flex min-h-11 items-center gap-2 justify-self-start rounded-control text-left text-sm font-semibold text-muted hover:text-ink"
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight className={classes('size-4 shrink-0 transition-[rotate] duration-150', isOpen && 'rotate-90')} aria-hidden />{' '}
        {texts.message}
      </button>
      <div id={id} hidden={!isOpen} className="order-last col-span-full pb-1">
        <TextField
          isMultiline
          isLabelHidden
          rows={2}
          style={{ minHeight: '4.75rem' }}
          label={texts.messageOf(name)}
          placeholder={texts.messagePlaceholder(prize.type)}
          maxLength={messageLimit}
          value={prize.message}
          onChange={(event) => onChange({ message: event.target.value })}
        />
      </div>
    </>
  );
}

interface MoveButtonProps {
  isPossible: boolean;
  label: string;
  direction: 'up' | 'down';
  onMove: () => void;
}

/** Not `disabled` at an end of the list: that would take the focus from whoever moves a prize there by keyboard. */
function MoveButton({ isPossible, label, direction, onMove }: MoveButtonProps) {
  const Icon = direction === 'up' ? ArrowUp : ArrowDown;
  return (
    <Button
      variant="quiet"
      size="icon"
      data-move={direction}
      className="text-muted not-aria-disabled:hover:text-ink aria-disabled:cursor-not-allowed aria-disabled:opacity-40 aria-disabled:hover:bg-transparent"
      aria-label={label}
      title={label}
      aria-disabled={!isPossible}
      onClick={() => isPossible && onMove()}
    >
      <Icon className="size-4.5" aria-hidden />
    </Button>
  );
}
