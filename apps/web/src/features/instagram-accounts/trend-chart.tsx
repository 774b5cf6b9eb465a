import { useId } from 'react';
import { Area, AreaChart, ReferenceDot, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { ChartTip } from './chart-tip';

interface TrendChartProps {
  /** Oldest first. `at` is the place on the line, `name` the day for those who point at it. */
  points: readonly { at: number; name: string; value: number }[];
  /** What is counted. */
  label: string;
}

/** The line of one number over time. It is a separate chunk, because the library is large; a table next to it has the same values. */
export default function TrendChart({ points, label }: TrendChartProps) {
  const fill = useId();
  const newest = points.at(-1);
  return (
    <ResponsiveContainer width="100%" height="100%" minWidth={0} initialDimension={{ width: 340, height: 112 }}>
      <AreaChart data={[...points]} margin={{ top: 8, right: 7, bottom: 0, left: 1 }} accessibilityLayer={false}>
        <defs>
          <linearGradient id={fill} x1="0" y1="0" x2="0" y2="1">
            <stop offset="0" stopColor="var(--ink)" stopOpacity={0.13} />
            <stop offset="1" stopColor="var(--ink)" stopOpacity={0} />
          </linearGradient>
        </defs>
        <XAxis dataKey="at" type="number" domain={['dataMin', 'dataMax']} hide />
        <YAxis hide domain={[(least: number) => least - 1, (most: number) => most + 1]} />
        <Tooltip content={ChartTip} cursor={{ stroke: 'var(--tick)' }} isAnimationActive={false} />
        <Area
          type="monotone"
          dataKey="value"
          name={label}
          stroke="var(--ink)"
          strokeWidth={2}
          strokeLinecap="round"
          fill={`url(#${fill})`}
          isAnimationActive={false}
        />
        {newest && (
          <ReferenceDot
            x={newest.at}
            y={newest.value}
            r={5}
            fill="var(--ink)"
            stroke="var(--surface)"
            strokeWidth={3}
            ifOverflow="visible"
          />
        )}
      </AreaChart>
    </ResponsiveContainer>
  );
}
