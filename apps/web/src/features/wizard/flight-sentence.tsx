import { classes } from '../../lib/classes';
import type { SentencePart } from './sentence-parts';

/** Characters; a shorter answer stays on one line. */
const longestUnbroken = 20;

interface FlightSentenceProps {
  parts: readonly SentencePart[];
  className?: string;
}

/** The sentence about what an automation will do: answers are in the tool's colour, missing answers are underlined gaps. */
export function FlightSentence({ parts, className }: FlightSentenceProps) {
  return (
    <span className={className}>
      {parts.map(({ text, kind }, index) =>
        kind === 'word' ? (
          text
        ) : (
          <span
            key={index}
            className={classes(
              'border-b-2 [overflow-wrap:anywhere]',
              text.length <= longestUnbroken && 'whitespace-nowrap',
              kind === 'said' ? 'border-tool/40 text-tool' : 'border-edge text-muted',
            )}
          >
            {text}
          </span>
        ),
      )}
    </span>
  );
}
