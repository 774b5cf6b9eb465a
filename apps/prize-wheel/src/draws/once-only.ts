import { type Database, rowsOf } from '@decola/database';
import type { Spin } from './spin.js';

type Keys = Pick<Spin, 'automationId' | 'emailKey' | 'phoneKey'>;

/** E-mail addresses and telephone numbers that took part already, by their digests. */
export class OnceOnly {
  private readonly emails: Set<string>;
  private readonly phones: Set<string>;

  private constructor(rows: readonly Keys[]) {
    this.emails = new Set();
    this.phones = new Set();
    for (const row of rows) this.add(row);
  }

  /** Reads what the spins of a batch need, under the locks of their wheels. Most wheels have neither option: then nothing is read. */
  static async of(db: Database, spins: readonly Keys[]): Promise<OnceOnly> {
    const asked = spins.filter(({ emailKey, phoneKey }) => emailKey !== null || phoneKey !== null);
    if (asked.length === 0) return new OnceOnly([]);
    const rows = await rowsOf<{ automation_id: string; email_key: Buffer | null; phone_key: Buffer | null }>(
      db,
      // `limit 1` makes PostgreSQL look each digest up in its index, as in `earlierParticipations`.
      `select s.automation_id, e.email_key, t.phone_key from unnest($1::uuid[], $2::bytea[], $3::bytea[]) as s (automation_id, email_key, phone_key)
       left join lateral (select p.email_key from prize_wheel_participations p
         where p.blocks and p.automation_id = s.automation_id and p.email_key is not null and p.email_key = s.email_key limit 1) e on true
       left join lateral (select p.phone_key from prize_wheel_participations p
         where p.blocks and p.automation_id = s.automation_id and p.phone_key is not null and p.phone_key = s.phone_key limit 1) t on true`,
      [asked.map(({ automationId }) => automationId), asked.map(({ emailKey }) => emailKey), asked.map(({ phoneKey }) => phoneKey)],
    );
    return new OnceOnly(
      rows.map(({ automation_id: automationId, email_key: emailKey, phone_key: phoneKey }) => ({ automationId, emailKey, phoneKey })),
    );
  }

  /** A participation that the batch adds. */
  add({ automationId, emailKey, phoneKey }: Keys): void {
    if (emailKey) this.emails.add(keyOf(automationId, emailKey));
    if (phoneKey) this.phones.add(keyOf(automationId, phoneKey));
  }

  /** Which of the spin's answers took part before; null when none did. */
  taken({ automationId, emailKey, phoneKey }: Keys): 'email_taken' | 'phone_taken' | null {
    if (emailKey && this.emails.has(keyOf(automationId, emailKey))) return 'email_taken';
    return phoneKey && this.phones.has(keyOf(automationId, phoneKey)) ? 'phone_taken' : null;
  }
}

const keyOf = (automationId: string, key: Buffer): string => `${automationId} ${key.toString('base64')}`;
