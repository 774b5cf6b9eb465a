import { Check, Copy } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '../components/ui/button';
import { copyTexts as texts } from './texts';
import { copyText } from '../components/copy-text';

const shownMs = 2_500;

interface CopyButtonProps {
  text: string;
  className?: string;
  /** What the button says before it is pressed. */
  children: ReactNode;
}

/** Copies a text, and says so in place. Inside a foreign page the clipboard may be closed: then it says that, too. */
export function CopyButton({ text, className, children }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), shownMs);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => setOutcome((await copyText(text)) ? 'copied' : 'failed');
  const Icon = outcome === 'copied' ? Check : Copy;
  return (
    <Button variant="secondary" className={className} onClick={() => void copy()}>
      <Icon className="size-[18px] shrink-0" aria-hidden />
      <span aria-live="polite">{outcome === null ? children : texts[outcome]}</span>
    </Button>
  );
}
