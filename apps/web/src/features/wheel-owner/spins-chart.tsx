import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { ChartTip } from '../instagram-accounts/chart-tip';

interface DayOfSpins {
  name: string;
  views: number;
  continued: number;
  spins: number;
}

interface SpinsChartProps {
  /** Oldest first. */
  days: readonly DayOfSpins[];
  names: Record<'views' | 'continued' | 'spins', string>;
}

/** A bar for each day. It is a separate chunk, because the library is large; a table next to it has the same values. */
export default function SpinsChart({ days, names }: SpinsChartProps) {
  return (
    <ResponsiveContainer width="100%" height="100%" minWidth={0} initialDimension={{ width: 400, height: 248 }}>
      <BarChart data={[...days]} margin={{ top: 6, right: 0, bottom: 0, left: 0 }} barCategoryGap="18%" accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="name" hide />
        <YAxis
          width={32}
          tickCount={4}
          allowDecimals={false}
          axisLine={false}
          tickLine={false}
          tick={{ fill: 'var(--muted)', fontSize: 12 }}
        />
        <Tooltip content={ChartTip} cursor={{ fill: 'var(--sunken)' }} isAnimationActive={false} />
        <Bar dataKey="spins" name={names.spins} maxBarSize={18} fill="var(--wheel)" isAnimationActive={false} />
      </BarChart>
    </ResponsiveContainer>
  );
}
