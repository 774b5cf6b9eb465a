import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PageClient } from './support/page-client.js';
import { testNetwork } from './support/network.js';

/** Memory in use after the garbage is gone, in MiB. */
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

it('goes on after a restart: sessions, follows, cursors, objections, clock and ledger', async () => {
  const first = await testNetwork({ dataDirectory });
  const session = await first.visitor();
  const target = await first.account({ username: 'cafe.da.lia', followers: 300 });
  const page = await PageClient.open(first, session);
  await page.follow(target.pk);
  const { body } = await page.list(target.pk, 'followers');
  await first.control('POST', '/objections', { username: session.username, kind: 'rate_limit', call: 'profile' });
  await first.control('POST', '/clock', { advanceMs: 5_000_000 });
  await first.control('PUT', '/accounts/cafe.da.lia/lists', { lossRate: 0 });
  await first.stop();

  const second = await testNetwork({ dataDirectory });
  try {
    const again = await PageClient.open(second, session);
    expect((await second.people('cafe.da.lia', 'followers')).map((each) => each.username)).toContain(session.username);
    expect((await again.profile(target.pk)).status).toBe(429);
    expect((await again.profile(target.pk)).body.data.user.follower_count).toBe(301);
    const next = await again.list(target.pk, 'followers', body.next_max_id);
    expect(next.body.users.length).toBeGreaterThan(6);
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

it('stays small and quick while 100,000 rows are read', async () => {
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
    // Whoever was followed stays in the list; nobody is left out but by the list's own losses.
    expect(rows).toBe(100_000);
    expect(seen.size / 100_000).toBeGreaterThan(0.84);
    seen.clear();
    expect(memoryInUse() - before).toBeLessThan(40);
    expect(await network.ledger('verdicts=true')).toEqual([]);
  } finally {
    await network.stop();
  }
}, 120_000);
