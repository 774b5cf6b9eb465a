import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { publishedStep } from './tools/tool-steps';

/** The step is part of the URL, so that the browser's back button leads to the previous step. */
export function useStep(last: number, hasPublished: boolean = false) {
  const [params, setParams] = useSearchParams();
  const asked = Number(params.get('passo') ?? 1);
  const isPublished = hasPublished && asked === publishedStep;
  const step = isPublished ? asked : Number.isInteger(asked) ? Math.min(Math.max(asked, 1), last) : 1;
  const go = (next: number) => {
    if (next === step) return;
    setParams((before) => {
      before.set('passo', String(next));
      return before;
    });
  };
  return [step, go] as const;
}

/** After a change of step or a failed validation, moves the focus to the first invalid field, else to the step's title. */
export function useFocus(step: number, attempts: number) {
  const region = useRef<HTMLElement>(null);
  const seen = useRef({ step, attempts });
  useEffect(() => {
    if (seen.current.step === step && seen.current.attempts === attempts) return;
    seen.current = { step, attempts };
    const problem = region.current?.querySelector<HTMLElement>('[aria-invalid="true"], fieldset[data-invalid] input');
    (problem ?? region.current?.querySelector<HTMLElement>('h2'))?.focus();
  }, [step, attempts]);
  return region;
}
