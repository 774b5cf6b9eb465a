import { formatPrizeCode, type WebhookEvent } from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';

/** A row of `webhook_deliveries`, as far as its body needs it. */
export interface Delivery {
  id: string;
  automation_id: string;
  event: WebhookEvent;
  participation_id: string | null;
  number: number | null;
  at: Date;
}

interface LeadRow {
  position: number;
  username: string;
  fields: Record<string, string>;
  prize_name: string;
  prize_type: string;
  code: string;
  captured_at: Date;
  consent_version: string | null;
  channels: string[] | null;
}

/**
 * The body of a delivery (`{type, timestamp, data}`, Standard Webhooks 1.0), composed when it is sent: no copy of a lead waits anywhere.
 * @returns null when the lead is gone
 */
export async function deliveryBody(
  db: Database,
  { automation_id: automationId, event, participation_id, number, at }: Delivery,
): Promise<string | null> {
  const wheel = await rowOf<{ name: string }>(db, 'select name from automations where automation_id = $1', [automationId]);
  const about = { automationId, wheel: wheel?.name ?? '' };
  const body = (data: object) => JSON.stringify({ type: event, timestamp: at.toISOString(), data: { ...about, ...data } });
  if (event === 'webhook.test') return body({});
  const participation = { participationId: participation_id, number };
  if (event === 'lead.erased') return body({ ...participation, erasedAt: at.toISOString() });
  const lead = await rowOf<LeadRow>(
    db,
    `select position, username, fields, prize_name, prize_type, code, captured_at, consent_version, channels from leads where participation_id = $1`,
    [participation_id],
  );
  if (!lead) return null;
  const prize = { name: lead.prize_name, type: lead.prize_type, code: formatPrizeCode(lead.code) };
  if (event === 'prize.delivered') return body({ ...participation, prize, deliveredAt: at.toISOString() });
  return body({
    ...participation,
    capturedAt: lead.captured_at.toISOString(),
    instagram: lead.username,
    fields: lead.fields,
    prize,
    consent: lead.channels === null ? null : { version: lead.consent_version, channels: lead.channels },
  });
}
