import { type ConsentChannel, readPrizeCode, shownAuthorisation, type WheelSettings, wheelSettings } from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';
import { type PrizeState, stateAt } from '../draws/prize-states.js';
import type { PrizeType } from '../draws/prizes.js';

/** What a visitor agreed to, as it is stored with the participation, and what they withdrew since. */
export interface StoredConsent {
  version?: string;
  accepted?: boolean;
  channels?: ConsentChannel[];
  at?: string;
  /** Instant of each withdrawal (ISO 8601). */
  withdrawn?: Partial<Record<ConsentChannel, string>>;
}

/** A prize with its participation and wheel, as receipts and the winner's own data show them. */
export interface PrizeOfCode {
  id: string;
  automation_id: string;
  /** Owner of the wheel. */
  user_id: string;
  wheel_name: string;
  configuration: unknown;
  /** Whether a round of the wheel is open. */
  is_open: boolean;
  number: string;
  round: number;
  commitment: string;
  /** Line of the chain that ends the participation's round; null while the round is open. */
  close_line: string | null;
  created_at: Date;
  instagram_handle: string;
  prize_won: string;
  prize_type: PrizeType;
  prize_id: string;
  prize_message: string;
  code: string;
  coupon_sealed: string | null;
  state: PrizeState;
  delivered_at: Date | null;
  valid_until: Date | null;
  void_reason: string | null;
  erased_at: Date | null;
  entry_hash: Buffer;
  consent: StoredConsent | null;
}

/** Finds a prize by its code, however the code is typed. */
export async function prizeOfCode(db: Database, typed: string, now: Date): Promise<PrizeOfCode | undefined> {
  const code = readPrizeCode(typed);
  if (code === undefined) return undefined;
  return rowOf<PrizeOfCode>(
    db,
    `select p.id, p.automation_id, w.user_id, w.name as wheel_name, w.configuration, d.is_open, p.number, p.round, r.commitment, p.created_at,
       p.instagram_handle, p.prize_id, p.prize_won, p.prize_type, p.prize_message, p.code, ${stateAt('$2')} as state, p.delivered_at, p.valid_until,
       p.void_reason, p.erased_at, p.entry_hash, p.consent,
       (select c.code_sealed from prize_codes c where c.participation_id = p.id) as coupon_sealed,
       (select e.line from wheel_entries e where r.closed_at is not null and e.automation_id = p.automation_id
         and e.line like '["close",' || p.round || ',%' limit 1) as close_line
     from prize_wheel_participations p
     join wheels w on w.automation_id = p.automation_id
     join wheel_draws d on d.automation_id = p.automation_id
     join wheel_rounds r on r.automation_id = p.automation_id and r.round = p.round
     where p.code = $1`,
    [code, now],
  );
}

/** What the wheel's owner says about the promotion, for people who won. */
export function promotionOf({ configuration }: PrizeOfCode): Pick<WheelSettings['promotion'], 'rulesUrl'> & {
  company: string | null;
  contact: string | null;
  authorisation: string | null;
} {
  const { promotion } = wheelSettings(configuration);
  const { company, contact, rulesUrl } = promotion;
  return {
    company: company || null,
    contact: contact || null,
    rulesUrl,
    authorisation: shownAuthorisation(promotion),
  };
}
