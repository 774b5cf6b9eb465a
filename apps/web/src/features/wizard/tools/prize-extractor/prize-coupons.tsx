import { couponLimits, type PrizeCodesAnswer } from '@decola/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { TextField } from '../../../../components/ui/field';
import { Failure } from '../../../../components/ui/surface';
import { classes } from '../../../../lib/classes';
import { formatCount } from '../../../../lib/format';
import { toast } from '../../../../lib/toast';
import { callWheelFunction, refusalOf } from '../../../wheel-owner/wheel-function';
import { couponTexts as texts } from './texts';

type Answer = Extract<PrizeCodesAnswer, { success: true }>;

interface PrizeCouponsProps {
  prizeId: string;
  name: string;
  /** Null while the prize is not stored. */
  automationId: string | null;
  /** Called with the number of coupons whenever it is read. */
  onKnown: (total: number) => void;
}

/** Coupons of a digital prize, one for each winner. They are sealed and never part of the configuration. */
export function PrizeCoupons(props: PrizeCouponsProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="order-last col-span-full min-w-0">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={texts.titleOf(props.name)}
        className="inline-flex min-h-11 items-center gap-2 rounded-control text-left text-sm font-semibold text-muted hover:text-ink"
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight className={classes('size-4 shrink-0 transition-[rotate] duration-150', isOpen && 'rotate-90')} aria-hidden />{' '}
        {texts.title}
      </button>
      <div id={id} hidden={!isOpen}>
        {isOpen &&
          (props.automationId === null ? (
            <p className="text-sm text-muted">{texts.later}</p>
          ) : (
            <Coupons {...props} automationId={props.automationId} />
          ))}
      </div>
    </div>
  );
}

/** One for each line that is not blank; each once. */
const pastedIn = (text: string) => [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '');

function problemIn(codes: readonly string[]): string | undefined {
  if (codes.length > couponLimits.perCall) return texts.tooMany(formatCount(couponLimits.perCall));
  return codes.some((code) => code.length > couponLimits.length) ? texts.tooLong(formatCount(couponLimits.length)) : undefined;
}

function Coupons({ prizeId, name, automationId, onKnown }: PrizeCouponsProps & { automationId: string }) {
  const queryClient = useQueryClient();
  const [pasted, setPasted] = useState('');
  const call = (body: object) => callWheelFunction<Answer>('prize-codes', { automationId, prizeId, ...body });
  const known = useQuery({
    queryKey: ['prize_codes', automationId, prizeId],
    queryFn: () => call({ action: 'list' }),
    meta: { tables: ['leads'] },
  });
  const total = known.data?.total;
  useEffect(() => {
    if (total !== undefined) onKnown(total);
    // `onKnown` is another function at every render.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [total]);
  const done = async () => {
    await queryClient.invalidateQueries({ queryKey: ['prize_codes', automationId, prizeId] });
    void queryClient.invalidateQueries({ queryKey: ['prize_stats'] });
  };
  const codes = pastedIn(pasted);
  const problem = problemIn(codes);
  const add = useMutation({
    mutationFn: () => call({ action: 'add', codes }),
    onSuccess: ({ changed }) => {
      setPasted('');
      toast.success(changed === 0 ? texts.noneNew : texts.stored(changed, formatCount(changed)));
      return done();
    },
    onError: (error) => toast.error(refusalOf(error) ?? texts.storeFailed),
  });
  const remove = useMutation({
    mutationFn: () => call({ action: 'remove' }),
    onSuccess: ({ changed }) => {
      toast.success(texts.removed(changed, formatCount(changed)));
      return done();
    },
    onError: (error) => toast.error(refusalOf(error) ?? texts.removeFailed),
  });
  if (known.isError && !known.data) return <Failure text={refusalOf(known.error) ?? texts.failed} onRetry={() => void known.refetch()} />;
  const free = known.data?.free ?? 0;
  return (
    <div className="grid grid-cols-1 gap-3 pb-2">
      <p role="status" className="text-sm">
        {total === undefined ? texts.loading : total === 0 ? texts.none : texts.of(total, formatCount(total), free, formatCount(free))}
      </p>
      <TextField
        isMultiline
        label={texts.field}
        hint={texts.hint}
        error={problem}
        rows={4}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        value={pasted}
        onChange={(event) => setPasted(event.target.value)}
      />
      <div className="flex flex-wrap gap-2">
        <Button
          variant="secondary"
          size="small"
          disabled={codes.length === 0 || problem !== undefined}
          isBusy={add.isPending}
          onClick={() => add.mutate()}
        >
          {texts.store}
        </Button>
        {free > 0 && (
          <Button variant="quiet" size="small" isBusy={remove.isPending} onClick={() => remove.mutate()}>
            {texts.removeFree} <span className="sr-only">{name}</span>
          </Button>
        )}
      </div>
    </div>
  );
}
