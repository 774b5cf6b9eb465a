import { wheelSettings } from '@decola/contracts';
import type { CSSProperties } from 'react';
import { sliceColours } from '../../../../components/wheel-colours';
import type { Configuration } from '../../use-draft';
import type { Prize } from './prizes';

/** Number of slice colours in `styles/wheel.css`. */
const hues = 12;

export const isColour = (text: string | null): text is string => text !== null && /^#[0-9a-f]{6}$/i.test(text);

/** The owner's colour of the slices; null for the usual twelve, and while one is being typed. */
export function wheelColour(configuration: Configuration): string | null {
  const { colour } = wheelSettings(configuration).theme;
  return isColour(colour) ? colour : null;
}

/** For each prize the style properties of its slice, as `components/prize-wheel.tsx` colours it; null for one without a name. */
export function rowColours(configuration: Configuration, prizes: readonly Prize[]): (CSSProperties | null)[] {
  const colour = wheelColour(configuration);
  const named = prizes.filter(({ name }) => name.trim() !== '');
  const own = colour === null ? null : sliceColours(colour, named.length);
  return prizes.map((prize) => {
    const place = named.indexOf(prize);
    return place < 0 ? null : ((own?.[place] ?? { '--hue': `var(--rim-${place % hues})` }) as CSSProperties);
  });
}
