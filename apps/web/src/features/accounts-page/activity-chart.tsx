import type { UsageKind } from '@decola/contracts';
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { DialTool } from '../../components/ui/dial';
import { ChartTip } from '../instagram-accounts/chart-tip';
import type { DayOfActions } from './activity';

interface ActivityChartProps {
  /** Oldest first. */
  days: readonly DayOfActions[];
  kinds: readonly { kind: UsageKind; name: string; tool: DialTool | null }[];
}

/** A bar for each day, divided by kind. It is a separate chunk, because the library is large; a table next to it has the same values. */
export default function ActivityChart({ days, kinds }: ActivityChartProps) {
  return (
    <ResponsiveContainer width="100%" height="100%" minWidth={0} initialDimension={{ width: 340, height: 144 }}>
      <BarChart data={[...days]} margin={{ top: 6, right: 0, bottom: 0, left: 0 }} barCategoryGap="18%" accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="name" hide />
        <YAxis
          width={30}
          tickCount={3}
          allowDecimals={false}
          axisLine={false}
          tickLine={false}
          tick={{ fill: 'var(--muted)', fontSize: 12 }}
        />
        <Tooltip content={ChartTip} cursor={{ fill: 'var(--sunken)' }} isAnimationActive={false} />
        {kinds.map(({ kind, name, tool }) => (
          <Bar
            key={kind}
            dataKey={({ counts }: DayOfActions) => counts[kind] ?? 0}
            name={name}
            stackId="day"
            maxBarSize={18}
            fill={tool ? `var(--${tool})` : 'var(--ink)'}
            fillOpacity={kind === 'unfollow' ? 0.45 : 1}
            isAnimationActive={false}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
}
