import { maxPictureBytes, runDiaryRow, automationRunRow, runPicture, userDeleted } from '@decola/contracts';
import { authenticated } from '@decola/testing';
import { randomBytes, randomUUID } from 'node:crypto';
import { forgetOld } from '../src/schedule/housekeeping.js';
import { hourMs, person, RunKit } from './run-kit.js';
import type { Bench } from './support.js';

const dayMs = 24 * hourMs;
/** What a worker sends begins like every JPEG; the service looks no further. */
const jpegOf = (bytes = 2_000) => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), randomBytes(bytes - 4)]);

describe('pictures of failures', () => {
  const kit = new RunKit();
  let bench: Bench;
  const { tell, act, look, finish, followRun, reserveOne } = kit;
  beforeAll(async () => {
    bench = await kit.start();
  });
  afterAll(() => kit.stop());

  type Run = Awaited<ReturnType<typeof followRun>>;
  const pictureOf = ({ job }: Pick<Run, 'job'>, reservationId: string | null, jpeg = jpegOf(), over: Record<string, unknown> = {}) => ({
    pictureId: randomUUID() as string,
    runId: job.runId,
    userId: job.userId,
    reservationId,
    jpeg: jpeg.toString('base64'),
    takenAt: kit.now.toISOString(),
    ...over,
  });
  const download = (id: string, userId: string | null) =>
    fetch(`${bench.url}/storage/v1/object/pictures/${id}`, { headers: userId === null ? {} : authenticated(userId) });
  const stored = (runId: string) => bench.db.query('select id from run_pictures where run_id = $1', [runId]);
  const diaryOf = async ({ id, userId }: Run) =>
    runDiaryRow.array().parse((await bench.call('GET', `run_diary?automation_id=eq.${id}&order=at,id`, userId)).body);
  const runsOf = async ({ id, userId }: Run) =>
    automationRunRow.array().parse((await bench.call('GET', `automation_runs?automation_id=eq.${id}`, userId)).body);
  /** A run with one refused action and its picture. */
  const refusedRun = async () => {
    const run = await followRun();
    const target = await reserveOne(run.job, person(), run.fence);
    const jpeg = jpegOf(maxPictureBytes);
    const picture = pictureOf(run, target.reservationId, jpeg);
    return { ...run, target, jpeg, picture };
  };

  it('are shown to the customer beside the action that failed, whichever report arrives first', async () => {
    for (const isPictureFirst of [true, false]) {
      const run = await refusedRun();
      const reports = [() => act(run.job, run.fence, run.target, 'refused'), () => tell(runPicture, run.picture)];
      for (const report of isPictureFirst ? reports.toReversed() : reports) await report();
      const [row] = await diaryOf(run);
      expect(row).toMatchObject({ outcome: 'refused', picture_id: run.picture.pictureId });

      const answer = await download(row!.picture_id!, run.userId);
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'image/jpeg',
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
      });
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(run.jpeg);
      expect((await runsOf(run)).map(({ picture_id }) => picture_id)).toEqual([null]);
      await finish(run.job, run.fence);
    }
  });

  it('belong to the try, and not to a later look at it or to another action', async () => {
    const run = await refusedRun();
    const other = await reserveOne(run.job, person(), run.fence);
    await act(run.job, run.fence, run.target, 'not_confirmed');
    await tell(runPicture, run.picture);
    await act(run.job, run.fence, other, 'confirmed');
    await look(run.job, run.fence, run.target, 'not_confirmed');
    expect((await diaryOf(run)).map(({ picture_id }) => picture_id).filter(Boolean)).toEqual([run.picture.pictureId]);
  });

  it('belong to the run that stopped while it was reading', async () => {
    const run = await followRun();
    const picture = pictureOf(run, null);
    await tell(runPicture, picture);
    await kit.stopped(run.job, run.fence, 'challenge');
    expect((await runsOf(run)).map(({ picture_id }) => picture_id)).toEqual([picture.pictureId]);
    expect((await download(picture.pictureId, run.userId)).status).toBe(200);
  });

  it('are stored once', async () => {
    const run = await refusedRun();
    const id = await tell(runPicture, run.picture);
    await tell(runPicture, run.picture, id);
    await tell(runPicture, run.picture);
    await tell(runPicture, { ...run.picture, pictureId: randomUUID() });
    expect(await stored(run.job.runId)).toEqual([{ id: run.picture.pictureId }]);
  });

  it('are dropped when their run is not known, or is that of somebody else', async () => {
    const [ana, bia] = [await refusedRun(), await refusedRun()];
    const [unknown, foreign] = [
      pictureOf(ana, null, jpegOf(), { runId: randomUUID() }),
      pictureOf(ana, null, jpegOf(), { userId: bia.userId }),
    ];
    for (const picture of [unknown, foreign]) await tell(runPicture, picture);
    expect(await bench.db.query('select 1 from run_pictures where id = any($1)', [[unknown.pictureId, foreign.pictureId]])).toEqual([]);
  });

  it('are never larger than a worker may send, and always JPEG', () => {
    const schema = runPicture.schema;
    const event = pictureOf({ job: { runId: randomUUID(), userId: randomUUID() } } as Run, null, jpegOf(maxPictureBytes));
    expect(schema.safeParse(event).success).toBe(true);
    for (const jpeg of [jpegOf(maxPictureBytes + 3), Buffer.from('<svg onload="alert(1)">')])
      expect(schema.safeParse({ ...event, jpeg: jpeg.toString('base64') }).success).toBe(false);
    expect(schema.safeParse({ ...event, jpeg: '/9j/<script>' }).success).toBe(false);
  });

  it('are found by nobody else, and an unknown one has the same answer', async () => {
    const run = await refusedRun();
    await tell(runPicture, run.picture);
    const stranger = await bench.customer(1);
    const notFound = { statusCode: '404', error: 'not_found', code: 'NoSuchKey', message: 'Object not found' };
    for (const [id, userId] of [
      [run.picture.pictureId, stranger],
      [randomUUID(), run.userId],
      ['1', run.userId],
      [`${run.picture.pictureId}.jpg`, run.userId],
      ["'; drop table run_pictures", run.userId],
    ] as const) {
      const answer = await download(encodeURIComponent(id), userId);
      expect([id, answer.status, await answer.json()]).toEqual([id, 404, notFound]);
    }
    expect((await download(run.picture.pictureId, null)).status).toBe(401);
  });

  it('are deleted after 30 days; the row of the diary stays and names none', async () => {
    const run = await refusedRun();
    await act(run.job, run.fence, run.target, 'refused');
    await tell(runPicture, run.picture);
    await forgetOld(bench.db.manager, new Date(kit.now.getTime() + 29 * dayMs));
    expect(await stored(run.job.runId)).toHaveLength(1);
    await forgetOld(bench.db.manager, new Date(kit.now.getTime() + 31 * dayMs));
    expect(await stored(run.job.runId)).toEqual([]);
    expect((await download(run.picture.pictureId, run.userId)).status).toBe(404);
    expect(await diaryOf(run)).toMatchObject([{ outcome: 'refused', picture_id: null }]);
  });

  it('are erased with their customer, and a late one is not stored', async () => {
    const run = await refusedRun();
    await tell(runPicture, run.picture);
    await tell(userDeleted, { userId: run.userId, deletedAt: kit.now.toISOString() });
    expect(await stored(run.job.runId)).toEqual([]);
    await tell(runPicture, pictureOf(run, null));
    expect(await stored(run.job.runId)).toEqual([]);
  });
});
