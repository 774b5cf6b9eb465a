import { formatCount } from '../../lib/format';

interface ChartTipProps {
  active?: boolean;
  payload?: readonly { name?: unknown; value?: unknown; payload?: { name?: string } }[];
}

/** What a chart says about the day under the pointer. Everybody else reads the same in the table next to the chart. */
export function ChartTip({ active, payload }: ChartTipProps) {
  const values = (payload ?? []).filter(({ value }) => typeof value === 'number' && value > 0);
  if (!active || values.length === 0) return null;
  return (
    <div className="rounded-control bg-raised px-3 py-2 text-sm shadow-3">
      <p className="font-semibold">{values[0]?.payload?.name}</p>
      {values.map(({ name, value }) => (
        <p key={String(name)} className="flex justify-between gap-4 text-muted">
          {String(name)} <span className="font-semibold text-ink tabular-nums">{formatCount(Number(value))}</span>
        </p>
      ))}
    </div>
  );
}
