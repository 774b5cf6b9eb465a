import { useEffect, useState, useSyncExternalStore } from 'react';

const letterMs = 70;
const eraseMs = 35;
const restMs = 1_800;

interface Typed {
  word: number;
  letters: number;
  isErasing: boolean;
}

/** The next state of the animation: type a letter, pause, erase a letter, go to the next word. */
export function nextTyped({ word, letters, isErasing }: Typed, words: readonly string[]): Typed {
  if (!isErasing && letters < words[word]!.length) return { word, letters: letters + 1, isErasing };
  if (!isErasing) return { word, letters, isErasing: true };
  if (letters > 1) return { word, letters: letters - 1, isErasing };
  return { word: (word + 1) % words.length, letters: 1, isErasing: false };
}

const still = '(prefers-reduced-motion: reduce)';

function onMotionChange(changed: () => void): () => void {
  const query = window.matchMedia(still);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}
const mayMove = () => !window.matchMedia(still).matches;
/** The value while the build prerenders the page, which shows the first word without animation. */
const nothingMoves = () => false;

/** Types and erases the words in a loop until it is paused. With `prefers-reduced-motion` it shows the first word without animation. */
export function useTypewriter(words: readonly string[], isPaused: boolean): { text: string; isTyping: boolean } {
  const isTyping = useSyncExternalStore(onMotionChange, mayMove, nothingMoves);
  const [typed, setTyped] = useState<Typed>({ word: 0, letters: words[0]!.length, isErasing: false });
  useEffect(() => {
    if (!isTyping || isPaused) return;
    const isWhole = !typed.isErasing && typed.letters === words[typed.word]!.length;
    const timer = setTimeout(() => setTyped(nextTyped(typed, words)), isWhole ? restMs : typed.isErasing ? eraseMs : letterMs);
    return () => clearTimeout(timer);
  }, [typed, words, isTyping, isPaused]);
  return { text: words[typed.word]!.slice(0, typed.letters), isTyping };
}
