import type { PrizeReceipt } from '@decola/contracts/wheel-receipt';
import { useState } from 'react';
import { Button } from '../../components/ui/button';
import { CheckList } from '../audit/check-list';
import type { Check } from '../audit/checks';
import { auditAddress } from '../audit/own-draw';
import { CopyButton } from '../copy-button';
import { Fold } from '../fold';
import { proofTexts as texts } from './texts';

type State = { step: 'idle' } | { step: 'checking' } | { step: 'failed' } | { step: 'done'; checks: Check[] };

/** `9f2c 41d7 …`, which people can compare. */
const inGroups = (hash: string) => hash.replace(/(.{4})(?=.)/g, '$1 ');

/** How the winner proves the draw: its hash to keep, and the computation itself once the round is closed. */
export function DrawProof({ receipt }: { receipt: PrizeReceipt }) {
  const { hash, round, commitment, seed, number, audit } = receipt;
  const [state, setState] = useState<State>({ step: 'idle' });
  const check = async () => {
    setState({ step: 'checking' });
    try {
      const { proveDraw } = await import('./prove-draw');
      setState({ step: 'done', checks: await proveDraw(receipt) });
    } catch {
      setState({ step: 'failed' });
    }
  };
  return (
    <div className="print:hidden">
      <Fold title={texts.title}>
        <div className="grid gap-3 pb-5 text-md">
          <p className="text-muted">{seed === null ? texts.text : texts.closedText}</p>
          <Hash name={texts.hash} value={hash} />
          <Hash name={texts.commitment(round)} value={commitment} />
          {seed !== null && <Hash name={texts.seed} value={seed} />}
          <div className="flex flex-wrap gap-2">
            {seed === null ? (
              <CopyButton text={hash}>{texts.copy}</CopyButton>
            ) : (
              <Button variant="secondary" isBusy={state.step === 'checking'} onClick={() => void check()}>
                {state.step === 'checking' ? texts.checking : state.step === 'idle' ? texts.check : texts.again}
              </Button>
            )}
            <Button asChild variant="quiet">
              <a href={auditAddress({ number, hash }, audit?.automationId ?? null)}>{texts.how}</a>
            </Button>
          </div>
          <div role="status">
            {state.step === 'failed' && <p className="text-danger">{texts.failed}</p>}
            {state.step === 'done' && <CheckList checks={state.checks} />}
          </div>
        </div>
      </Fold>
    </div>
  );
}

function Hash({ name, value }: { name: string; value: string }) {
  return (
    <div className="grid gap-1">
      <p className="text-sm text-muted">{name}</p>
      <p className="rounded-[10px] bg-sunken px-3.5 py-3 text-sm wrap-anywhere tabular-nums">{inGroups(value)}</p>
    </div>
  );
}
