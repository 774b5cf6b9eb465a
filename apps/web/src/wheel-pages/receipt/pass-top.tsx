import { Lamp, type LampState } from '../../components/ui/lamp';
import type { PrizeReceipt } from '@decola/contracts/wheel-receipt';
import type { ReactNode } from 'react';
import { PrizeName } from '../pass';
import { receiptTexts as texts } from './texts';

const lamps: Record<PrizeReceipt['state'], LampState> = { won: 'warn', delivered: 'on', expired: 'off', voided: 'off' };

/** The upper sheet: state, prize and what to do. `children` stand between the state and the prize. */
export function PassTop({ receipt: { state, prize }, text, children }: { receipt: PrizeReceipt; text: string; children?: ReactNode }) {
  return (
    <>
      <Lamp state={lamps[state]}>{texts.states[state]}</Lamp>
      {children}
      <PrizeName name={prize.name} typeName={texts.types[prize.type]} />
      <p className="mx-auto mt-3 max-w-[30em] text-md wrap-anywhere text-muted">{text}</p>
    </>
  );
}
