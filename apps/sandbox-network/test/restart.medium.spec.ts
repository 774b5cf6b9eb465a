import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { testNetwork } from './support/network.js';
import { PageClient } from './support/page-client.js';

/** Heap in use after a garbage collection, in MiB. */
function memoryInUse(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

let dataDirectory: string;
beforeEach(() => {
  dataDirectory = mkdtempSync(path.join(os.tmpdir(), 'network-'));
});
afterEach(() => rmSync(dataDirectory, { recursive: true, force: true }));

it('continues after a restart with its sessions, follows, posts, likes, comments, cursors, objections, clock and ledger', async () => {
  const first = await testNetwork({ dataDirectory });
  const session = await first.visitor();
  const target = await first.account({ username: 'cafe.da.lia', followers: 300 });
  const page = await PageClient.open(first, session);
  await page.follow(target.pk);
  const { body } = await page.list(target.pk, 'followers');
  await first.control('POST', '/objections', { username: session.username, kind: 'rate_limit', call: 'profile' });
  await first.control('POST', '/clock', { advanceMs: 5_000_000 });
  await first.control('PUT', '/accounts/cafe.da.lia/lists', { lossRate: 0 });
  await first.control('PUT', `/accounts/${session.username}/withheld-lists`, { form: 'empty', afterPages: 1 });
  const renamed = await first.account({ username: 'nome.de.antes' });
  await first.control('POST', '/accounts/nome.de.antes/rename', { to: 'nome.de.agora', takenBySomebodyElse: true });
  const post = await first.control<{ pk: string; code: string }>('POST', '/posts', { username: 'cafe.da.lia', likes: 5, caption: 'novo' });
  await page.like(post.pk);
  const { body: written } = await page.comment(post.pk, 'Vim pelo café');
  await first.control('PUT', `/posts/${post.code}/comments/${written.data.xig_comment_create.comment_dict.pk}`, { text: 'Voltei' });
  const { items } = await first.control<{ items: { pk: string; takenAt: string }[] }>('PUT', '/accounts/cafe.da.lia/stories', {
    items: [{}],
  });
  await first.control('POST', '/messages', { from: 'cafe.da.lia', to: session.username, text: 'Volte sempre' });
  await first.control('PUT', '/accounts/cafe.da.lia/direct', { newRequests: 'not_allowed' });
  const reading = await PageClient.open(first, session);
  await reading.graphql('PolarisStoriesV3SeenMutation', {
    reelId: target.pk,
    reelMediaId: items[0]!.pk,
    reelMediaOwnerId: target.pk,
    reelMediaTakenAt: Date.parse(items[0]!.takenAt) / 1_000,
    viewSeenAt: 1,
  });
  await first.stop();

  const second = await testNetwork({ dataDirectory });
  try {
    expect(await second.control('GET', `/posts/${post.code}`)).toMatchObject({ pk: post.pk, caption: 'novo', likes: 6 });
    expect(await (await PageClient.open(second, session)).post(post.code)).toMatchObject({ has_liked: true });
    expect((await (await PageClient.open(second, session)).comments(post.pk)).rows).toMatchObject([
      { pk: written.data.xig_comment_create.comment_dict.pk, text: 'Voltei', user: { username: session.username } },
    ]);
    expect(await second.control('POST', '/posts', { username: 'cafe.da.lia' })).not.toMatchObject({ pk: post.pk });
    expect(await second.control('GET', '/accounts/nome.de.agora')).toMatchObject({ pk: renamed.pk });
    expect((await second.control<{ pk: string }>('GET', '/accounts/nome.de.antes')).pk).not.toBe(renamed.pk);
    const again = await PageClient.open(second, session);
    expect((await second.people('cafe.da.lia', 'followers')).map((each) => each.username)).toContain(session.username);
    expect((await again.profile(target.pk)).status).toBe(429);
    expect((await again.profile(target.pk)).body.data.user.follower_count).toBe(301);
    const next = await again.list(target.pk, 'followers', body.next_max_id);
    expect(next.body.users.length).toBeGreaterThan(6);
    expect((await again.list(target.pk, 'followers')).body.users).toEqual([]);
    expect(await second.control('GET', '/messages?from=cafe.da.lia')).toMatchObject({
      messages: [{ to: session.username, text: 'Volte sempre', folder: 'inbox', state: 'delivered' }],
    });
    await second.control('POST', '/messages', { from: session.username, to: 'cafe.da.lia', text: 'Obrigado' });
    const { body: inbox } = await again.graphql('PolarisDirectInboxQuery', {});
    const { as_ig_direct_thread: thread } = inbox.data.get_slide_mailbox_for_iris_subscription.threads_by_folder.edges[0].node;
    expect(thread.slide_messages.edges.map(({ node }: { node: { text_body: string } }) => node.text_body)).toEqual([
      'Obrigado',
      'Volte sempre',
    ]);
    const { body: tray } = await again.graphql('PolarisStoriesV3TrayContainerQuery', {});
    const reel = tray.data.xdt_api__v1__feed__reels_tray.tray.find(({ id }: { id: string }) => id === target.pk);
    expect(reel.seen).toBe(reel.latest_reel_media);
    expect(await second.control('GET', '/clock')).toMatchObject({ offsetMs: 5_000_000 });
    expect((await second.ledger(`account=${session.username}&action=follow`)).map(({ target: name }) => name)).toEqual(['cafe.da.lia']);
    await again.follow(target.pk);
    expect((await second.ledger('verdicts=true')).map(({ verdicts }) => verdicts)).toContainEqual(
      expect.arrayContaining(['double_action']),
    );
  } finally {
    await second.stop();
  }
});

it('begins empty with another seed', async () => {
  const first = await testNetwork({ dataDirectory });
  await first.visitor();
  await first.stop();
  const other = await testNetwork({ dataDirectory, seed: 'another' });
  expect(await other.control('GET', '/stats')).toMatchObject({ accounts: 100_000, sessions: 0 });
  await other.stop();
});

it('needs little memory and stays fast while 100,000 rows are read', async () => {
  const network = await testNetwork({ dataDirectory });
  try {
    const target = await network.account({ username: 'loja.grande', followers: 100_000 });
    const page = await PageClient.open(network, await network.visitor());
    await network.control('PUT', '/ceilings', { sameMomentMs: 0, perDay: {} });
    const followed = (await page.list(target.pk, 'followers')).body.users.map((each: { pk: string }) => each.pk);
    for (const pk of followed) await page.follow(pk);
    const before = memoryInUse();
    const seen = new Set<number>();
    let rows = 0;
    let cursor: string | undefined;
    do {
      const { body } = await page.list(target.pk, 'followers', cursor);
      for (const { pk } of body.users as { pk: string }[]) seen.add(Number(pk));
      rows += body.users.length;
      cursor = body.next_max_id;
    } while (cursor !== undefined);
    // A pass shows an earlier row again in place of each row that it loses, so the number of rows is exact.
    expect(rows).toBe(100_000);
    expect(seen.size / 100_000).toBeGreaterThan(0.84);
    seen.clear();
    expect(memoryInUse() - before).toBeLessThan(40);
    expect(await network.ledger('verdicts=true')).toEqual([]);
  } finally {
    await network.stop();
  }
}, 600_000);
