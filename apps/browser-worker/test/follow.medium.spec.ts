import { jobFor } from './support/jobs.js';
import { Network } from './support/network.js';
import { workerKit, type WorkerKit } from './support/worker-kit.js';

describe('following and unfollowing in a real browser', () => {
  let network: Network;
  let kit: WorkerKit;
  beforeAll(async () => {
    network = await Network.start();
    kit = await workerKit(network.url);
  });
  afterAll(async () => {
    await kit?.dispose();
    await network?.stop();
  });

  it.each(['pt', 'en'] as const)('follows people of a hashtag, on a page in %s', async (language) => {
    const me = await network.customer(language);
    const end = await kit.run(
      jobFor(me, { kind: 'follow', source: { kind: 'hashtag', hashtag: 'doces' }, budget: 2, requestPrivate: false }),
    );
    expect(end).toMatchObject({ outcome: 'done', stop: null, tried: 2, confirmed: 2, username: me.username });
    const done = await network.actions(me.username);
    expect(done.map(({ action, result }) => [action, result])).toEqual([
      ['follow', 'done'],
      ['follow', 'done'],
    ]);
    expect(await network.verdicts(me.username)).toEqual([]);
    const proofs = kit.automations.actions.filter(({ runId, outcome }) => runId === end.runId && outcome === 'confirmed');
    expect(proofs.map(({ proof }) => proof)).toEqual(
      Array(2).fill(expect.objectContaining({ root: 'xdt_create_friendship', answer: 'following', header: 'following', headerAfterReload: 'following' })),
    );
  });
});
