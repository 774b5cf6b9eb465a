import { classes } from '../../lib/classes';

/** Initials of the first and the last word; the first two letters of a single word. */
function initialsOf(name: string): string {
  const words = name
    .replace(/^@/, '')
    .split(/[._\s]+/)
    .filter(Boolean);
  const [first = '', last] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return (last ? `${first.charAt(0)}${last.charAt(0)}` : first.slice(0, 2)).toUpperCase();
}

/** A circle with the initials of an account; its name stands beside it. @param className the size */
export function AccountInitials({ name, className }: { name: string; className: string }) {
  return (
    <span
      className={classes(
        'grid shrink-0 place-content-center rounded-full bg-sunken text-sm font-semibold inset-ring inset-ring-line',
        className,
      )}
      aria-hidden
    >
      {initialsOf(name)}
    </span>
  );
}
