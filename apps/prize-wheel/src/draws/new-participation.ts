import type { EntityManager } from 'typeorm';
import type { ParticipationRow } from './spin.js';

/** A row that a batch adds. */
export interface NewParticipation extends ParticipationRow {
  id: string;
  round: number;
  valid_until: Date | null;
  salt: Buffer;
  handle_digest: Buffer;
  entry_hash: Buffer;
  /** JSON. */
  consent: string | null;
  email_key: Buffer | null;
  phone_key: Buffer | null;
  network_key: Buffer | null;
}

const storedColumns = {
  id: 'uuid',
  automation_id: 'uuid',
  instagram_handle: 'text',
  number: 'bigint',
  round: 'integer',
  created_at: 'timestamptz',
  prize_id: 'text',
  prize_won: 'text',
  prize_type: 'text',
  prize_message: 'text',
  code: 'text',
  spin_key_hash: 'bytea',
  state: 'text',
  consent: 'jsonb',
  email_key: 'bytea',
  phone_key: 'bytea',
  network_key: 'bytea',
  salt: 'bytea',
  handle_digest: 'bytea',
  entry_hash: 'bytea',
  valid_until: 'timestamptz',
} as const satisfies Record<keyof Omit<NewParticipation, 'coupon_sealed'>, string>;

export async function storeParticipations(manager: EntityManager, rows: readonly NewParticipation[]): Promise<void> {
  const columns = Object.entries(storedColumns) as [keyof typeof storedColumns, string][];
  const arrays = columns.map(([, type], index) => `$${index + 1}::${type}[]`);
  await manager.query(
    `insert into prize_wheel_participations (${columns.map(([name]) => name).join(', ')}) select * from unnest(${arrays.join(', ')})`,
    columns.map(([name]) => rows.map((row) => row[name])),
  );
}
