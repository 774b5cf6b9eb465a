import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // Each comment once per list, with who wrote it. A position never changes, as in `collected_people`. What the network did not say is null.
  `create table collected_comments (
    extracted_data_id uuid not null references extracted_data (id) on delete cascade,
    comment_id text not null,
    position integer not null,
    network_user_id text not null,
    username text not null,
    full_name text not null,
    is_private boolean,
    is_verified boolean not null,
    has_story boolean,
    text text not null,
    commented_at timestamptz not null,
    like_count integer,
    reply_to text,
    collected_at timestamptz not null,
    primary key (extracted_data_id, comment_id),
    constraint collected_comments_one_per_position unique (extracted_data_id, position),
    constraint collected_comments_likes_are_a_count check (like_count >= 0))`,
  // Who wrote comments of a list: its people are targets of other automations.
  `create index collected_comments_by_person on collected_comments (extracted_data_id, network_user_id, position)`,
];

export class CollectComments1764610000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of statements) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query('drop table collected_comments');
  }
}
