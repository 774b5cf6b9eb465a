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
      className="relative h-7 w-12 shrink-0 rounded-full bg-sunken inset-ring-[1.5px] inset-ring-edge transition-colors duration-150 before:absolute before:-inset-2 disabled:opacity-55 data-[state=checked]:bg-ink data-[state=checked]:inset-ring-ink"
    >
      <Primitive.Thumb className="block size-4.5 translate-x-[0.3125rem] rounded-full bg-edge transition-transform duration-150 ease-calm data-[state=checked]:translate-x-[1.5625rem] data-[state=checked]:bg-canvas" />
    </Primitive.Root>
  );
}
