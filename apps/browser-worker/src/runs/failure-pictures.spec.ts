import { setImmediate } from 'node:timers/promises';
import { type PayloadOf, runPicture } from '@decola/contracts';
import { PageViews } from '../driver/page-views.js';
import { FailurePictures } from './failure-pictures.js';

const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);
const ids = ['1', '2', '3', '4'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`);

function setUp({ automationId = ids[3]!, picture = jpeg }: { automationId?: string | null; picture?: Buffer | null } = {}) {
  const views = new PageViews();
  const sent: PayloadOf<typeof runPicture>[] = [];
  const leftOut: string[] = [];
  const broker = { confirm: (): Promise<void> => Promise.resolve() };
  let taken = 0;
  const pictures = new FailurePictures(
    { runId: ids[0]!, userId: ids[1]!, automationId },
    { blurredPicture: () => ((taken += 1), Promise.resolve(picture)) },
    { views },
    {
      picture: (event) => {
        sent.push(runPicture.schema.parse(event));
        return broker.confirm();
      },
    },
    { now: () => new Date('2026-11-22T12:00:00Z') },
    (reason) => leftOut.push(reason),
  );
  return { pictures, views, sent, leftOut, broker, taken: () => taken };
}

describe('the pictures of a run', () => {
  it('are three at most, however much fails', async () => {
    const { pictures, sent, taken } = setUp();
    for (let count = 0; count < 10; count += 1) {
      await pictures.ofAction(ids[2]!);
      await setImmediate();
    }
    expect([sent.length, taken()]).toEqual([3, 3]);
    expect(sent[0]).toEqual({
      pictureId: expect.any(String),
      runId: ids[0],
      userId: ids[1],
      reservationId: ids[2],
      jpeg: '/9j/4A==',
      takenAt: '2026-11-22T12:00:00.000Z',
    });
    expect(new Set(sent.map(({ pictureId }) => pictureId)).size).toBe(3);
  });

  it('show a stop only when its page was not shown for the action that met it', async () => {
    const { pictures, views, sent } = setUp();
    views.count();
    await pictures.ofAction(ids[2]!);
    await setImmediate();
    await pictures.ofStop();
    expect(sent.map(({ reservationId }) => reservationId)).toEqual([ids[2]]);
    views.count();
    await pictures.ofStop();
    expect(sent.map(({ reservationId }) => reservationId)).toEqual([ids[2], null]);
  });

  it('never wait for the broker, and one at a time is in memory', async () => {
    const { pictures, sent, leftOut, broker, taken } = setUp();
    const confirmed = Promise.withResolvers<void>();
    broker.confirm = () => confirmed.promise;
    await pictures.ofAction(ids[2]!);
    await pictures.ofAction(ids[2]!);
    expect([sent.length, taken(), leftOut]).toEqual([1, 1, ['the one before was not sent yet']]);
    confirmed.resolve();
    await setImmediate();
    await pictures.ofAction(ids[2]!);
    expect(sent.length).toBe(2);
  });

  it('are left out, with the reason in the log, when none could be taken or the broker takes none', async () => {
    const without = setUp({ picture: null });
    await without.pictures.ofStop();
    expect([without.sent, without.leftOut]).toEqual([[], ['it was not ready in time, or too large']]);
    const refused = setUp();
    refused.broker.confirm = () => Promise.reject(new Error('no broker'));
    await refused.pictures.ofStop();
    await setImmediate();
    expect(refused.leftOut).toEqual(['the broker did not take it']);
  });

  it('are not taken in a visit that checks a session', async () => {
    const { pictures, taken } = setUp({ automationId: null });
    await pictures.ofStop();
    expect(taken()).toBe(0);
  });
});
