import { raw } from '@decola/table-api';

/*
 * Columns that name the picture of a row, null when there is none (any more). They are read from the pictures themselves, because a picture and the
 * report that it belongs to arrive in any order.
 */

/** Of a row of the diary: the picture of a try, not of a later look at it. */
export const pictureOfAction = raw(
  `case when not t.settled then (select p.id from run_pictures p where p.run_id = t.run_id and p.reservation_id = t.reservation_id) end`,
);

/** Of a run: the page on which the network stopped it while it was reading. */
export const pictureOfRun = raw(`(select p.id from run_pictures p where p.run_id = t.id and p.reservation_id is null)`);
