import { useEffect, useState } from 'react';
import { Dial } from '../../components/ui/dial';
import { Dialog } from '../../components/ui/dialog';
import { toast } from '../../lib/toast';
import { successTexts as texts } from './texts';

const stepMs = 60;
const stepPercent = 4;
const stepTextMs = 500;

/** Shown after the subscription check has confirmed a payment: a short animation, then a toast. */
export function SuccessProgress({ isOpen, onDone }: { isOpen: boolean; onDone: () => void }) {
  const [elapsedMs, setElapsed] = useState(0);
  useEffect(() => {
    if (!isOpen) return;
    const began = Date.now();
    const timer = setInterval(() => setElapsed(Date.now() - began), stepMs);
    return () => {
      clearInterval(timer);
      setElapsed(0);
    };
  }, [isOpen]);
  const percent = Math.min(100, Math.floor(elapsedMs / stepMs) * stepPercent);
  useEffect(() => {
    if (!isOpen || percent < 100) return;
    onDone();
    toast.success(texts.paid.title, { description: texts.paid.text });
  }, [isOpen, percent, onDone]);
  return (
    <Dialog isOpen={isOpen} onClose={onDone} title={texts.title} size="full">
      <div className="mx-auto grid w-full max-w-md justify-items-center gap-4 pt-4 text-center">
        <div role="progressbar" aria-label={texts.progress} aria-valuemin={0} aria-valuemax={100} aria-valuenow={percent}>
          <Dial state="on" filled={percent / 100} className="size-28">
            <b className="text-xl">{percent}%</b>
          </Dial>
        </div>
        <p aria-live="polite" className="min-h-14 text-lg text-muted">
          {texts.steps[Math.floor(elapsedMs / stepTextMs) % texts.steps.length]}
        </p>
      </div>
    </Dialog>
  );
}
