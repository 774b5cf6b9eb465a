import { Marks } from '../../components/ui/ticks';

/** A row of `of` upright marks, one per slot of the largest plan; the first `value` are highlighted. The caller shows the same number as text. */
export function SlotMarks({ value, of }: { value: number; of: number }) {
  return <Marks value={value} of={of} className="flex-wrap gap-[5px] [&_i]:h-[26px] [&_i]:w-[9px] [&_i]:rounded-[2px]" />;
}
