import type { ReactNode } from 'react';

/** A sentence in which some words lead somewhere. @param links what stands in the place of each word, at its first place */
export function LinkedText({ text, links }: { text: string; links: Readonly<Record<string, ReactNode>> }) {
  let parts: ReactNode[] = [text];
  for (const [word, link] of Object.entries(links))
    parts = parts.flatMap((part) => {
      if (typeof part !== 'string' || !part.includes(word)) return [part];
      const at = part.indexOf(word);
      return [part.slice(0, at), <span key={word}>{link}</span>, part.slice(at + word.length)];
    });
  return <>{parts}</>;
}
