import { articlePublished, articleUpdated, articleWithdrawn, type EventDefinition } from '@decola/contracts';

/** Sets when an article was first published, and when it was withdrawn. A writer that knows these times itself may set them. */
const dateArticle = `create function date_article() returns trigger language plpgsql set search_path from current as $$ begin
    if new.published then
      new.published_at := coalesce(new.published_at, clock_timestamp());
      new.withdrawn_at := null;
    elsif tg_op = 'UPDATE' and old.published then
      new.withdrawn_at := coalesce(new.withdrawn_at, clock_timestamp());
    end if;
    return new;
  end $$`;

/** Remembers the slug of an article that readers may have a link to, and forgets it when an article takes it. */
const rememberSlug = `create function remember_article_slug() returns trigger language plpgsql set search_path from current as $$ begin
    if tg_op <> 'INSERT' and old.published_at is not null and (tg_op = 'DELETE' or old.slug <> new.slug) then
      insert into article_slugs (slug, article_id) values (old.slug, old.id)
      on conflict (slug) do update set article_id = excluded.article_id, created_at = excluded.created_at;
    end if;
    if tg_op <> 'DELETE' then
      delete from article_slugs where slug = new.slug;
    end if;
    return null;
  end $$`;

const announce = ({ type, version }: EventDefinition, row: 'new' | 'old', more = '') =>
  `insert into outbox (id, kind, type, version, subject, payload) values (gen_random_uuid(), 'event', '${type}', ${version}, ${row}.id::text,
        jsonb_build_object('articleId', ${row}.id, 'slug', ${row}.slug, 'at', clock_timestamp()${more}));`;
const previousSlug = `, 'previousSlug', case when old.slug <> new.slug then old.slug end`;

/** Announces what readers see, whoever wrote it. Views and the time of the last change are not news. */
const announceArticle = `create function announce_article() returns trigger language plpgsql set search_path from current as $$
  declare seen blog_articles;
  begin
    if tg_op = 'INSERT' then
      if new.published then ${announce(articlePublished, 'new')} end if;
    elsif tg_op = 'DELETE' then
      if old.published then ${announce(articleWithdrawn, 'old')} end if;
    elsif new.published and not old.published then
      ${announce(articlePublished, 'new', previousSlug)}
    elsif old.published and not new.published then
      ${announce(articleWithdrawn, 'old')}
    elsif new.published then
      seen := new;
      seen.view_count := old.view_count;
      seen.updated_at := old.updated_at;
      if seen is distinct from old then ${announce(articleUpdated, 'new', previousSlug)} end if;
    end if;
    return null;
  end $$`;

/**
 * SQL by which the database itself dates, remembers and announces articles, in the transaction of the change: the panel, the writing of articles, the
 * cleaning and the pictures all write this table, and none of them can forget it.
 */
export const articleEventsMigration = {
  up: [
    dateArticle,
    'create trigger date_article before insert or update of published, published_at, withdrawn_at on blog_articles for each row execute function date_article()',
    rememberSlug,
    'create trigger remember_article_slug after insert or delete or update of slug on blog_articles for each row execute function remember_article_slug()',
    announceArticle,
    'create trigger announce_article after insert or update or delete on blog_articles for each row execute function announce_article()',
  ],
  down: [
    'drop trigger announce_article on blog_articles',
    'drop trigger remember_article_slug on blog_articles',
    'drop trigger date_article on blog_articles',
    'drop function announce_article(), remember_article_slug(), date_article()',
  ],
};
