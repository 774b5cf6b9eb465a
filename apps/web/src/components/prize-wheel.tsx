export interface WheelSlice {
  id: string;
  name: string;
  quantity: number;
}

/** Twelve colours, dark and light in turn, each with the ink that reads on it. */
const palette = [
  ['#c8430a', '#ffffff'],
  ['#ffd9bf', '#3a1703'],
  ['#17595a', '#ffffff'],
  ['#ffb784', '#3a1703'],
  ['#7a2a05', '#ffffff'],
  ['#f6e7c8', '#3a1703'],
  ['#0f4c5c', '#ffffff'],
  ['#ff9d5c', '#3a1703'],
  ['#8f2748', '#ffffff'],
  ['#ffe3d1', '#3a1703'],
  ['#3d5a2b', '#ffffff'],
  ['#f9c74f', '#3a1703'],
] as const;
const soldOut = ['#d6d3cc', '#4a4740'] as const;

const radius = 192;
const labelLength = 12;
const fullTurns = 4;

const shortened = (name: string) => (name.length > labelLength ? `${name.slice(0, labelLength - 1)}…` : name);

const onRim = (degrees: number, distance: number) => {
  const radians = ((degrees - 90) * Math.PI) / 180;
  return `${(200 + distance * Math.cos(radians)).toFixed(2)} ${(200 + distance * Math.sin(radians)).toFixed(2)}`;
};

/** The turn, in degrees, that brings a slice under the pointer: at least four full turns beyond `from`, and never a fifth. */
export function turnTo(index: number, count: number, from: number, jitter = 0): number {
  const slice = 360 / count;
  const target = 360 - (index + 0.5) * slice + jitter * slice * 0.3;
  const here = ((from % 360) + 360) % 360;
  return from + fullTurns * 360 + ((target - here + 720) % 360);
}

interface PrizeWheelProps {
  slices: readonly WheelSlice[];
  /** Degrees; grows with each spin. */
  rotation: number;
}

/** The wheel as a picture, sharp at every size. What it says is said beside it, in text. */
export function PrizeWheel({ slices, rotation }: PrizeWheelProps) {
  const size = 360 / slices.length;
  return (
    <svg viewBox="0 0 400 400" className="block w-full drop-shadow-xl" aria-hidden>
      <g
        className="origin-center transition-transform duration-4000 ease-[cubic-bezier(0.12,0.7,0.1,1)]"
        style={{ transform: `rotate(${rotation}deg)` }}
      >
        <circle cx="200" cy="200" r="199" fill="#3a1703" />
        {slices.map(({ id, name, quantity }, index) => {
          const [fill, ink] = quantity > 0 ? palette[index % palette.length]! : soldOut;
          const middle = (index + 0.5) * size;
          return (
            <g key={id}>
              <path
                d={
                  slices.length === 1
                    ? `M200 8a${radius} ${radius} 0 1 1 -.01 0Z`
                    : `M200 200 L${onRim(index * size, radius)} A${radius} ${radius} 0 ${size > 180 ? 1 : 0} 1 ${onRim((index + 1) * size, radius)}Z`
                }
                fill={fill}
                stroke="#ffffff"
                strokeWidth="1.5"
              />
              <text
                transform={`rotate(${middle - 90} 200 200) translate(${200 + radius - 14} 200)`}
                textAnchor="end"
                dominantBaseline="central"
                fill={ink}
                className="font-sans text-[17px] font-semibold"
              >
                {quantity > 0 ? shortened(name) : 'Esgotado'}
              </text>
            </g>
          );
        })}
        <circle cx="200" cy="200" r="30" fill="#ffffff" />
        <circle cx="200" cy="200" r="22" fill="#c8430a" />
      </g>
      <path d="M200 34 L182 -2 H218 Z" fill="#ffffff" stroke="#3a1703" strokeWidth="3" strokeLinejoin="round" />
    </svg>
  );
}
