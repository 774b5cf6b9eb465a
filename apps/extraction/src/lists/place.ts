import { type Database, rowOf, rowsOf } from '@decola/database';
import type { RunEndState } from './pass-outcome.js';

/** Where a list goes on. Read and written while the list's row is locked. */
export interface Place {
  /** From 1. */
  pass: number;
  /** Number of the next page over all passes. All pages with lower numbers are stored. */
  nextPage: number;
  /** Where the next page begins, in the network's own form; null for the beginning of the list. */
  cursor: string | null;
  /** The newest reading: only its pages move the place. Null until a run has asked for the place. */
  reading: string | null;
  /** New people of this pass on pages that have no row in `stored_pages`, because a newer reading replaced theirs. */
  lateFresh: number;
  /** The end of the newest reading, while pages before it are missing; null otherwise. */
  ended: RunEnd | null;
}

export interface RunEnd {
  runId: string;
  /** Number of the page at which the run ended: all pages before it were sent. */
  page: number;
  pass: number;
  state: RunEndState;
}

/** A page that is stored and lies at the place or beyond it. */
export interface StoredPage {
  page: number;
  pass: number;
  cursor: string | null;
  end_state: Exclude<RunEndState, 'more' | 'private' | 'refused'> | null;
  is_judged: boolean;
}

interface PlaceRow {
  pass: number;
  next_page: number;
  cursor: string | null;
  reading: string | null;
  late_fresh: number;
  ended_run: string | null;
  ended_page: number;
  ended_pass: number;
  ended_state: RunEndState;
}

/**
 * The place of a list. For a list that an earlier version of this service was reading it is computed from the stored pages, whose cursors are
 * unknown: such a list goes on at the beginning of its pass unless a page of a running worker tells more.
 */
export async function loadPlace(db: Database, listId: string): Promise<Place> {
  const row = await rowOf<PlaceRow>(
    db,
    `select pass, next_page, cursor, reading, late_fresh, ended_run, ended_page, ended_pass, ended_state
     from list_places where extracted_data_id = $1`,
    [listId],
  );
  if (!row) return placeOfEarlierVersion(db, listId);
  const { ended_run, ended_page, ended_pass, ended_state } = row;
  return {
    pass: row.pass,
    nextPage: row.next_page,
    cursor: row.cursor,
    reading: row.reading,
    lateFresh: row.late_fresh,
    ended: ended_run === null ? null : { runId: ended_run, page: ended_page, pass: ended_pass, state: ended_state },
  };
}

async function placeOfEarlierVersion(db: Database, listId: string): Promise<Place> {
  const last = await rowOf<StoredPage>(
    db,
    `select page, pass, cursor, end_state, is_judged from (
       select p.*, row_number() over (order by page) - 1 as expected from stored_pages p where extracted_data_id = $1) numbered
     where page = expected order by page desc limit 1`,
    [listId],
  );
  const start: Place = { pass: 1, nextPage: 0, cursor: null, reading: null, lateFresh: 0, ended: null };
  if (!last) return start;
  const isPassOver = last.end_state !== null && last.is_judged;
  // A last page that nobody judged is judged when the place is next used.
  const nextPage = last.end_state === null || isPassOver ? last.page + 1 : last.page;
  return { ...start, pass: last.pass + (isPassOver ? 1 : 0), nextPage };
}

export async function storePlace(db: Database, listId: string, place: Place): Promise<void> {
  const { pass, nextPage, cursor, reading, lateFresh, ended } = place;
  await db.query(
    `insert into list_places (extracted_data_id, pass, next_page, cursor, reading, late_fresh, ended_run, ended_page, ended_pass, ended_state)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (extracted_data_id) do update set pass = excluded.pass, next_page = excluded.next_page, cursor = excluded.cursor,
       reading = excluded.reading, late_fresh = excluded.late_fresh, ended_run = excluded.ended_run, ended_page = excluded.ended_page,
       ended_pass = excluded.ended_pass, ended_state = excluded.ended_state`,
    [
      listId,
      pass,
      nextPage,
      cursor,
      reading,
      lateFresh,
      ended?.runId ?? null,
      ended?.page ?? null,
      ended?.pass ?? null,
      ended?.state ?? null,
    ],
  );
}

/**
 * The place for a new reading. Pages beyond the place were stored by the reading before, which lost a page before them: they are read again, since
 * the new reading begins where the gap begins. Their people stay.
 */
export async function beginReading(db: Database, listId: string, place: Place, reading: string): Promise<Place> {
  const dropped = await rowOf<{ fresh: number }>(
    db,
    `with dropped as (delete from stored_pages where extracted_data_id = $1 and page >= $2 returning fresh, pass)
     select coalesce(sum(fresh) filter (where pass = $3), 0)::int as fresh from dropped`,
    [listId, place.nextPage, place.pass],
  );
  return { ...place, reading, lateFresh: place.lateFresh + (dropped?.fresh ?? 0), ended: null };
}

/** The stored pages from the place on, without a gap. */
export async function pagesFromPlace(db: Database, listId: string, { nextPage }: Place): Promise<StoredPage[]> {
  const pages = await rowsOf<StoredPage>(
    db,
    `select page, pass, cursor, end_state, is_judged from stored_pages where extracted_data_id = $1 and page >= $2 order by page`,
    [listId, nextPage],
  );
  const gap = pages.findIndex(({ page }, index) => page !== nextPage + index);
  return gap === -1 ? pages : pages.slice(0, gap);
}

/** The place after a pass: the next one begins at the top of the list. Workers of an earlier version may read a pass again that is over. */
export function afterPass(place: Place, pass: number): Place {
  return pass < place.pass ? { ...place, cursor: null } : { ...place, pass: pass + 1, cursor: null, lateFresh: 0 };
}

/** New people that a pass brought so far. */
export async function freshOfPass(db: Database, listId: string, place: Place, pass: number): Promise<number> {
  const counted = await rowOf<{ fresh: number }>(
    db,
    `select coalesce(sum(fresh), 0)::int as fresh from stored_pages where extracted_data_id = $1 and pass = $2`,
    [listId, pass],
  );
  return (counted?.fresh ?? 0) + (pass === place.pass ? place.lateFresh : 0);
}
