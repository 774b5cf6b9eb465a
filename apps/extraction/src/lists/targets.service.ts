import { type LedgerTarget, networkUsername, type personName, type slotTargets } from '@decola/contracts';
import { rowsOf } from '@decola/database';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { z } from 'zod';

/** Answers what browser workers ask about people in a customer's lists. Other customers' lists are never read. */
@Injectable()
export class TargetsService {
  constructor(private readonly dataSource: DataSource) {}

  /** The next people of a list, by position. Empty for a list of somebody else. */
  async nextTargets(request: z.infer<typeof slotTargets.request>): Promise<z.infer<typeof slotTargets.reply>> {
    const found = await rowsOf<{ position: number; targetId: string; username: string }>(
      this.dataSource,
      // Of a list of comments, each person at their first comment.
      `select p.position, p.network_user_id as "targetId", p.username from extracted_data e
       cross join lateral (
         (select position, network_user_id, username from collected_people
          where extracted_data_id = e.id and position > $3 order by position limit $4)
         union all
         (select position, network_user_id, username from collected_comments c
          where extracted_data_id = e.id and position > $3 and not exists (
            select 1 from collected_comments f where f.extracted_data_id = e.id and f.network_user_id = c.network_user_id and f.position < c.position)
          order by position limit $4)) p
       where e.id = $1 and e.user_id = $2 order by p.position limit $4`,
      [request.extractedDataId, request.userId, request.offset, request.limit + 1],
    );
    const page = found.slice(0, request.limit);
    return {
      targets: page
        .filter(({ username }) => networkUsername.safeParse(username).success)
        .map(({ targetId, username }): LedgerTarget => ({ targetId, username })),
      nextOffset: found.length > page.length ? (page.at(-1)?.position ?? null) : null,
    };
  }

  /** The newest username of a person in the customer's lists; null when nobody has one. */
  async findUsername({ userId, targetId }: z.infer<typeof personName.request>): Promise<z.infer<typeof personName.reply>> {
    // A customer has few lists, so each is searched by its primary key. An index over all people by network id would cost every insert.
    const seen = await rowsOf<{ username: string }>(
      this.dataSource,
      `select p.username from extracted_data e
       cross join lateral (
         (select username, collected_at from collected_people where extracted_data_id = e.id and network_user_id = $2 limit 1)
         union all
         (select username, collected_at from collected_comments where extracted_data_id = e.id and network_user_id = $2)) p
       where e.user_id = $1 order by p.collected_at desc`,
      [userId, targetId],
    );
    return { username: seen.find(({ username }) => networkUsername.safeParse(username).success)?.username ?? null };
  }
}
