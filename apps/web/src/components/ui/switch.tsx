import { Switch as Primitive } from 'radix-ui';

export function Switch({
  label,
  isOn,
  onChange,
  disabled,
}: {
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  disabled?: boolean;
}) {
  return (
    <Primitive.Root
      aria-label={label}
      checked={isOn}
      onCheckedChange={onChange}
      disabled={disabled ?? false}
      className="relative h-7 w-12 shrink-0 before:absolute before:-inset-2 rounded-full border border-edge bg-sunken transition-colors data-[state=checked]:border-brand data-[state=checked]:bg-brand disabled:opacity-55"
    >
      <Primitive.Thumb className="block size-5 translate-x-1 rounded-full bg-surface shadow transition-transform data-[state=checked]:translate-x-6 data-[state=unchecked]:bg-edge" />
    </Primitive.Root>
  );
}
