import type { Sealer } from '@decola/service-kit';
import type { DataSource } from 'typeorm';
import { rowsOf } from '../rows.js';

/**
 * Seals every stored session again with the active key of the ring, so that an older key can be taken out of it. Safe to stop
 * and to run again. @returns how many sessions were sealed again
 */
export async function rotateSessions(dataSource: DataSource, sealer: Sealer, batch = 200): Promise<number> {
  let rotated = 0;
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await dataSource.transaction(async (manager) => {
      const sessions = await rowsOf<{ id: string; envelope: string }>(
        manager,
        `select id, envelope from instagram_sessions where envelope is not null and id > $1 order by id limit $2 for update`,
        [after, batch],
      );
      for (const { id, envelope } of sessions.filter((session) => sealer.needsRotation(session.envelope))) {
        await manager.query(`update instagram_sessions set envelope = $2 where id = $1`, [id, sealer.seal(sealer.open(envelope, id), id)]);
        rotated += 1;
      }
      return sessions;
    });
    const last = rows.at(-1);
    if (!last) return rotated;
    after = last.id;
  }
}
