import { useEffect, useState } from 'react';

const letterMs = 70;
const eraseMs = 35;
const restMs = 1_800;

interface Typed {
  word: number;
  letters: number;
  isErasing: boolean;
}

/** The moment after this one: one letter more, a rest, one letter less, the next word. */
export function nextTyped({ word, letters, isErasing }: Typed, words: readonly string[]): Typed {
  if (!isErasing && letters < words[word]!.length) return { word, letters: letters + 1, isErasing };
  if (!isErasing) return { word, letters, isErasing: true };
  if (letters > 1) return { word, letters: letters - 1, isErasing };
  return { word: (word + 1) % words.length, letters: 1, isErasing: false };
}

/** Types one word after another, for ever. Who asked for less motion reads the first word, at rest. */
export function useTyping(words: readonly string[]): { text: string; isTyping: boolean } {
  const [isTyping] = useState(() => !window.matchMedia('(prefers-reduced-motion: reduce)').matches);
  const [typed, setTyped] = useState<Typed>({ word: 0, letters: words[0]!.length, isErasing: false });
  useEffect(() => {
    if (!isTyping) return;
    const isWhole = !typed.isErasing && typed.letters === words[typed.word]!.length;
    const timer = setTimeout(() => setTyped(nextTyped(typed, words)), isWhole ? restMs : typed.isErasing ? eraseMs : letterMs);
    return () => clearTimeout(timer);
  }, [typed, words, isTyping]);
  return { text: words[typed.word]!.slice(0, typed.letters), isTyping };
}
