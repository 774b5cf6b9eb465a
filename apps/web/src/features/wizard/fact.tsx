/** A row of the flight plan's list of terms and values. */
export function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 text-right font-semibold [overflow-wrap:anywhere]">{value}</dd>
    </div>
  );
}
