import { clsx } from 'clsx';
import type { CSSProperties, Ref } from 'react';
import { prizeWheelTexts as texts } from './texts';
import { sliceColours, type SliceColours } from './wheel-colours';

export interface WheelSlice {
  id: string;
  name: string;
  isAvailable: boolean;
}

/** Number of slice colours in `styles/wheel.css`. */
const hues = 12;
const [outer, rim, hub] = [180, 176, 36];
const textEnd = outer - 28;
/** Characters of a label, and of a label on a phone. */
const [labelLength, shortLabelLength] = [12, 10];
/** With more slices there is no room for names: a number stands for each, and the page lists them. */
const mostNames = 24;
const [largestText, smallestText] = [17, 9];
const fullTurns = 4;
/** Lights at each side of the pointer, and marks around the whole wheel. */
const [lightsAtSide, marks] = [12, 72];

function shortened(name: string, length: number): string {
  const characters = Array.from(name.trim());
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : name.trim();
}

const onRim = (degrees: number, distance: number) => {
  const radians = ((degrees - 90) * Math.PI) / 180;
  return `${(200 + distance * Math.cos(radians)).toFixed(2)} ${(200 + distance * Math.sin(radians)).toFixed(2)}`;
};

/** An SVG arc from `start` to `end` degrees. A full circle ends slightly before its start, because SVG draws no arc between equal points. */
const arc = (start: number, end: number, radius: number) =>
  `A${radius} ${radius} 0 ${end - start > 180 ? 1 : 0} 1 ${onRim(end - start >= 360 ? start + 359.99 : end, radius)}`;

/** Rotation in degrees that brings a slice under the pointer: at least four and less than five full turns after `from`. */
export function turnTo(index: number, count: number, from: number, jitter = 0): number {
  const slice = 360 / count;
  const target = 360 - (index + 0.5) * slice + jitter * slice * 0.3;
  const here = ((from % 360) + 360) % 360;
  return from + fullTurns * 360 + ((target - here + 720) % 360);
}

interface PrizeWheelProps {
  slices: readonly WheelSlice[];
  /** Degrees at which the wheel rests; increases with every spin. */
  rotation: number;
  /** The box that turns: `useWheelTurn` moves it. */
  ref?: Ref<HTMLDivElement>;
  /** The owner's colour (`#rrggbb`) instead of the usual twelve. */
  theme?: { colour: string | null };
  /** Lights the marks next to the pointer, outwards from it. */
  isLit?: boolean;
}

/** The wheel, hidden from screen readers: the page around it states the result as text. No label is upside down when the wheel has stopped. */
export function PrizeWheel({ slices, rotation, ref, theme, isLit = false }: PrizeWheelProps) {
  const size = 360 / slices.length;
  const colours = theme?.colour ? sliceColours(theme.colour, slices.length) : null;
  return (
    <div className="wheel" aria-hidden>
      <svg className="bezel" viewBox="0 0 400 400">
        <circle cx="200" cy="200" r="190.5" strokeWidth="6" pathLength="72" strokeDasharray="0.08 0.92" strokeDashoffset="0.04" />
        <circle cx="200" cy="200" r="189" strokeWidth="10" pathLength="8" strokeDasharray="0.009 0.991" strokeDashoffset="0.0045" />
        {isLit && <Lights />}
      </svg>
      <div className="turning" ref={ref} style={{ transform: `rotate(${rotation}deg)` }}>
        <svg viewBox="0 0 400 400" style={{ fontSize: textSize(slices.length) }}>
          {slices.map(({ id, name, isAvailable }, index) => (
            <Slice
              key={id}
              name={slices.length > mostNames ? String(index + 1) : isAvailable ? name : texts.soldOut}
              colours={colours?.[index] ?? { '--hue': `var(--rim-${index % hues})` }}
              isGone={!isAvailable}
              start={index * size}
              end={(index + 1) * size}
              rotation={rotation}
            />
          ))}
          {slices.length > 1 &&
            slices.map(({ id }, index) => (
              <path key={id} className="cut" d={`M${onRim(index * size, hub - 2)}L${onRim(index * size, outer)}`} />
            ))}
        </svg>
      </div>
      <svg viewBox="0 0 400 400" className="overflow-visible">
        <circle className="hub" cx="200" cy="200" r={hub} />
        <g transform="translate(172 172) scale(2) rotate(-18 14 14)">
          <path fill="var(--ink)" d="M3.5 12.7a10.6 10.6 0 0 1 21 0z" />
          <path fill="var(--brand)" d="M3.5 15.3h21a10.6 10.6 0 0 1-21 0z" />
        </g>
        <path className="pointer" d="M200 36 186.5 5.5a4 4 0 0 1 3.7-5.5h19.6a4 4 0 0 1 3.7 5.5z" />
      </svg>
    </div>
  );
}

/** As tall as the slice is wide where the name ends, a number where it stands at the rim. */
function textSize(count: number): number {
  const width = 2 * (count > mostNames ? textEnd - 4 : 95) * Math.sin(Math.PI / Math.max(count, 2));
  return Math.max(smallestText, Math.min(largestText, Math.round(width * 0.66 * 10) / 10));
}

function Lights() {
  const step = 360 / marks;
  return Array.from({ length: 2 * lightsAtSide + 1 }, (_, index) => index - lightsAtSide).map((place) => (
    <path
      key={place}
      className="light-mark"
      style={{ '--place': Math.abs(place) } as CSSProperties}
      d={`M${onRim(place * step, 186.5)}L${onRim(place * step, 194.5)}`}
    />
  ));
}

interface SliceProps {
  name: string;
  colours: SliceColours;
  isGone: boolean;
  start: number;
  end: number;
  rotation: number;
}

function Slice({ name, colours, isGone, start, end, rotation }: SliceProps) {
  const middle = (start + end) / 2;
  // A label that stops on the left half is written from the rim inwards, so that it is not upside down.
  const isOnLeft = (((middle + rotation) % 360) + 360) % 360 >= 180;
  const label = {
    transform: isOnLeft
      ? `rotate(${middle + 90} 200 200) translate(${200 - textEnd} 200)`
      : `rotate(${middle - 90} 200 200) translate(${200 + textEnd} 200)`,
    textAnchor: isOnLeft ? 'start' : 'end',
    dominantBaseline: 'central',
  } as const;
  const [long, short] = [shortened(name, labelLength), shortened(name, shortLabelLength)];
  return (
    <g className={clsx(isGone && 'gone')} style={colours as CSSProperties}>
      <path className="field" d={`M200 200L${onRim(start, outer)}${arc(start, end, outer)}Z`} />
      <path className="rim" d={`M${onRim(start, rim)}${arc(start, end, rim)}`} />
      <text className={clsx(short !== long && 'long')} {...label}>
        {long}
      </text>
      {short !== long && (
        <text className="short" {...label}>
          {short}
        </text>
      )}
    </g>
  );
}
