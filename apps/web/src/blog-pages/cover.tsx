import type { SitePicture } from '@decola/contracts';
import type { ReactNode } from 'react';

/** Hues of the covers that are drawn for articles without a picture, each with its own drawing. */
const drawings: readonly (readonly [tool: string, drawing: ReactNode])[] = [
  [
    'follow',
    <>
      <path
        d={Array.from({ length: 60 }, (_, index) => `M${40 + index * 12} ${330 - 40 - Math.round(175 * (index / 59) ** 1.6)}V330`).join('')}
        stroke="var(--t)"
        strokeWidth="5"
      />
      <path d="M0 390 800 236" stroke="var(--horizon)" strokeWidth="2" />
    </>,
  ],
  [
    'comment',
    <>
      <rect x="140" y="90" width="330" height="84" rx="26" fill="var(--surface)" />
      <rect x="330" y="196" width="330" height="84" rx="26" fill="var(--t)" />
      <rect x="140" y="302" width="220" height="84" rx="26" fill="var(--surface)" />
    </>,
  ],
  [
    'wheel',
    <>
      <circle cx="400" cy="225" r="132" fill="var(--surface)" />
      <circle
        cx="400"
        cy="225"
        r="162"
        fill="none"
        stroke="var(--t)"
        strokeWidth="24"
        pathLength="144"
        strokeDasharray="0.7 1.3"
        strokeDashoffset="0.35"
      />
      <path d="M400 225 500 128" stroke="var(--ink)" strokeWidth="6" strokeLinecap="round" />
    </>,
  ],
  [
    'blog',
    <>
      <path d="M120 110h320M120 165h560M120 220h500M120 275h540M120 330h260" stroke="var(--t)" strokeWidth="18" strokeLinecap="round" />
      <path d="M470 300h3v60h-3z" fill="var(--ink)" />
    </>,
  ],
  [
    'list',
    <path
      d={Array.from({ length: 7 * 24 }, (_, index) => index)
        .filter((index) => (index * 7 + Math.floor(index / 24) * 5) % 11 < 6)
        .map((index) => `M${130 + (index % 24) * 23} ${84 + Math.floor(index / 24) * 42}v26`)
        .join('')}
      stroke="var(--t)"
      strokeWidth="11"
      strokeLinecap="round"
    />,
  ],
  [
    'like',
    <>
      <path d="M0 350C180 350 220 120 400 150S640 300 800 90V450H0Z" fill="var(--t)" opacity=".28" />
      <path d="M0 350C180 350 220 120 400 150S640 300 800 90" fill="none" stroke="var(--t)" strokeWidth="7" />
    </>,
  ],
  [
    'direct',
    <g transform="rotate(-14 400 225)">
      <circle cx="400" cy="225" r="150" fill="var(--surface)" />
      <path d="M250 225a150 150 0 0 0 300 0z" fill="var(--t)" />
      <path d="M-100 225H900" stroke="var(--t)" strokeWidth="3" />
    </g>,
  ],
];

/** The same article always gets the same drawing. */
function drawingOf(id: string): (typeof drawings)[number] {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + character.charCodeAt(0)) >>> 0;
  return drawings[sum % drawings.length]!;
}

/** The hue of an article, as `data-tool`. */
export const hueOf = (id: string): string => drawingOf(id)[0];

interface CoverProps {
  article: { id: string; picture: SitePicture | null };
  /** How wide the cover is shown, as `sizes`. */
  sizes: string;
  /** The first picture that a visitor sees is loaded before all others. */
  isFirst?: boolean;
}

/** The picture of an article, or a drawing. Both have a fixed shape, so that nothing moves while pictures load. */
export function Cover({ article: { id, picture }, sizes, isFirst = false }: CoverProps) {
  if (picture === null)
    return (
      <svg className="cover" viewBox="0 0 800 450" preserveAspectRatio="xMidYMid slice" aria-hidden>
        <rect width="800" height="450" fill="var(--ts)" />
        {drawingOf(id)[1]}
      </svg>
    );
  const { src, srcset, width, height, alt } = picture;
  return (
    <img
      className="cover"
      src={src}
      srcSet={srcset ?? undefined}
      sizes={srcset === null ? undefined : sizes}
      width={width ?? 1200}
      height={height ?? 675}
      alt={alt}
      decoding="async"
      {...(isFirst ? { fetchPriority: 'high' as const } : { loading: 'lazy' as const })}
    />
  );
}
