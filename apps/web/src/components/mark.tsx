import { clsx } from 'clsx';

/** The logo without text: a horizon, tilted as in a take-off. */
export function Mark({ className = 'size-[26px]' }: { className?: string }) {
  return (
    <svg viewBox="0 0 28 28" className={clsx('shrink-0', className)} aria-hidden>
      <g transform="rotate(-18 14 14)">
        <path fill="var(--ink)" d="M1 12.6a13 13 0 0 1 26 0z" />
        <path fill="var(--brand)" d="M1 15.4h26a13 13 0 0 1-26 0z" />
      </g>
    </svg>
  );
}
