import { type PayloadOf, prizeStateChanged } from '@decola/contracts';
import type { Outbox } from '@decola/messaging';
import type { EntityManager } from 'typeorm';
import type { PrizeType } from './prizes.js';

export type PrizeState = PayloadOf<typeof prizeStateChanged>['state'];

/** A participation whose prize changed its state, with the owner of its wheel. */
export interface ChangedPrize {
  id: string;
  automation_id: string;
  user_id: string;
  number: string;
  prize_id: string;
  prize_won: string;
  prize_type: PrizeType;
  state: PrizeState;
}

/** Columns of a `ChangedPrize`, of participations `p` and wheels `w`. */
export const changedPrizeColumns = 'p.id, p.automation_id, w.user_id, p.number, p.prize_id, p.prize_won, p.prize_type, p.state';

/** A prize whose time is over counts as expired from that moment, also before the job has stored it. `$now` is a parameter of the statement. */
export const stateAt = (now: string): string => `case when p.state = 'won' and p.valid_until <= ${now} then 'expired' else p.state end`;

/** Tells listeners of states that the transaction stored. */
export const announceStates = (manager: EntityManager, outbox: Outbox, prizes: readonly ChangedPrize[], now: Date): Promise<void> =>
  outbox.addMany(
    manager,
    prizeStateChanged,
    prizes.map((prize) => ({
      subject: prize.id,
      payload: {
        participationId: prize.id,
        automationId: prize.automation_id,
        userId: prize.user_id,
        number: Number(prize.number),
        at: now.toISOString(),
        state: prize.state,
        prize: { id: prize.prize_id, name: prize.prize_won, type: prize.prize_type },
      },
    })),
  );
