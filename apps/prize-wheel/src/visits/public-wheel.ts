import { timingSafeEqual } from 'node:crypto';
import {
  type PublicWheel,
  shownAuthorisation,
  storedLeadFields,
  type VisibleLeadField,
  visibleLeadFields,
  wheelSettings,
  type WheelSettings,
} from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';
import { askedConsent } from '../consent/consents.js';
import { type ClosedByDate, closedByDate, isEvent } from '../promotion/promotion-dates.js';
import { proposedVisitTexts, visitTexts } from '../texts/texts.js';

/** A wheel as a visit needs it. What of it is public, `wheelState` says. */
export interface WheelRow {
  automation_id: string;
  name: string;
  is_draft: boolean;
  is_active: boolean;
  /** The owner ended the round. */
  is_ended: boolean;
  configuration: unknown;
  /** Null while no round is open. */
  round: number | null;
  commitment: string | null;
  prizes: { id: string; name: string; type: 'digital' | 'physical'; isAvailable: boolean }[];
}

/** Reads a wheel with its prizes in one statement. @returns undefined for ids of anything but a wheel */
export const wheelRow = (db: Database, automationId: string): Promise<WheelRow | undefined> =>
  rowOf<WheelRow>(
    db,
    `select w.automation_id, w.name, w.is_draft, w.is_active, w.configuration, coalesce(d.is_ended, false) as is_ended, r.round, r.commitment,
       coalesce((select json_agg(json_build_object('id', p.prize_id, 'name', p.name, 'type', p.type, 'isAvailable', p.remaining > 0) order by p.position)
         from wheel_prizes p where p.automation_id = w.automation_id and p.retired_at is null), '[]'::json) as prizes
     from wheels w left join wheel_draws d on d.automation_id = w.automation_id
     left join wheel_rounds r on r.automation_id = w.automation_id and r.closed_at is null
     where w.automation_id = $1`,
    [automationId],
  );

/** Whether the visitor's link has the wheel's token, compared in constant time. */
export function hasToken({ configuration }: WheelRow, token: string): boolean {
  const { publicToken } = (configuration ?? {}) as { publicToken?: unknown };
  const own = Buffer.from(typeof publicToken === 'string' ? publicToken : '');
  const given = Buffer.from(token);
  return own.length > 0 && own.length === given.length && timingSafeEqual(own, given);
}

/** Why nobody may see this wheel now; null when visitors may. */
export function closedBecause({ is_draft: isDraft, is_active: isActive, prizes }: WheelRow): keyof typeof visitTexts | null {
  if (isDraft) return 'draft';
  if (!isActive) return 'inactive';
  return prizes.length === 0 ? 'no_prizes' : null;
}

/** The fields that the wheel's form asks for. */
export const formOf = ({ configuration }: WheelRow): VisibleLeadField[] => visibleLeadFields(storedLeadFields(configuration));

/** Why nobody can win on this wheel now; null when somebody can. */
function closingOf(wheel: WheelRow, settings: WheelSettings, now: Date): PublicWheel['closed'] {
  const byDate = closedByDate(settings, now);
  if (byDate !== null) return { code: byDate, text: dateText(byDate, settings) };
  if (wheel.is_ended) return { code: 'round_closed', text: visitTexts.round_closed };
  return isExhausted(wheel) ? { code: 'exhausted', text: proposedVisitTexts.allGiven } : null;
}

/** What a visitor reads before a promotion begins, and after it ended. */
export function dateText(closed: Exclude<ClosedByDate, null>, { promotion: { startsAt, endsAt } }: WheelSettings): string {
  return closed === 'not_started' ? proposedVisitTexts.opensAt(new Date(startsAt ?? 0)) : proposedVisitTexts.endedOn(new Date(endsAt ?? 0));
}

const isExhausted = ({ prizes }: WheelRow): boolean => prizes.every(({ isAvailable }) => !isAvailable);

/** What a visitor's page gets of a wheel: never a quantity, a message or a token. */
export function wheelState(wheel: WheelRow, now: Date): PublicWheel {
  const settings = wheelSettings(wheel.configuration);
  const { company, contact, minAge, rulesUrl, startsAt, endsAt } = settings.promotion;
  const asked = askedConsent(settings);
  return {
    id: wheel.automation_id,
    name: wheel.name,
    prizes: wheel.prizes,
    leadFields: formOf(wheel),
    isExhausted: isExhausted(wheel),
    isEnded: wheel.is_ended,
    closed: closingOf(wheel, settings, now),
    theme: settings.theme,
    promotion: {
      ...{ company, contact, minAge, rulesUrl, startsAt, endsAt },
      authorisation: shownAuthorisation(settings.promotion),
    },
    consent: asked && { version: asked.version, channels: asked.channels, retentionDays: asked.retentionDays, texts: asked.texts },
    isCodeMailed: settings.options.codeByEmailOnly,
    isEvent: isEvent(settings, now),
    domains: settings.domains,
    fairness: wheel.round === null || wheel.commitment === null ? null : { round: wheel.round, commitment: wheel.commitment },
  };
}
