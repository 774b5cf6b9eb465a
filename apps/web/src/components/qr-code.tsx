import { create } from 'qrcode';
import { classes } from '../lib/classes';

/** Width of the white margin around the code, in modules: cameras need it to find the code. */
const quiet = 3;

/** A QR code: dark on white in both themes. Load it lazily: the library that computes the code is larger than most pages that show one. */
export function QrCode({ text, label, className }: { text: string; label: string; className?: string }) {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const { size } = modules;
  const all = size + 2 * quiet;
  const rows = Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_, x) => (modules.get(y, x) ? `M${x + quiet} ${y + quiet}h1v1h-1z` : '')).join(''),
  );
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${all} ${all}`}
      shapeRendering="crispEdges"
      className={classes('size-24 shrink-0 rounded-lg', className)}
    >
      <rect width={all} height={all} fill="#fff" />
      <path d={rows.join('')} fill="#0f141c" />
    </svg>
  );
}
