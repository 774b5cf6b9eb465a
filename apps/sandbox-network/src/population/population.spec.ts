import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { Accounts, shares } from './accounts.js';
import { computedComments } from './comments.js';
import { FollowerGraph } from './follower-graph.js';
import { Permutation } from './hashing.js';
import { isLiker, likersOf } from './likers.js';
import { Posts } from './posts.js';

const size = 100_000;
const accounts = new Accounts('7', size);
const graph = new FollowerGraph(accounts);
const anyIndex = fc.nat(size - 1);

describe('permutation', () => {
  it('takes every place exactly once, for every size', () => {
    for (const length of [1, 2, 3, 4, 5, 63, 64, 65, 1_000, 4_097]) {
      const permutation = new Permutation(length, 99);
      const seen = new Set(Array.from({ length }, (_, index) => permutation.at(index)));
      expect(seen.size).toBe(length);
    }
  });

  it('undoes itself', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000_000 }), fc.nat(), fc.nat(), (length, key, any) => {
        const permutation = new Permutation(length, key);
        const index = any % length;
        expect(permutation.indexOf(permutation.at(index))).toBe(index);
      }),
    );
  });

  it('leaves neighbours far apart and differs by key', () => {
    const [one, other] = [new Permutation(size, 1), new Permutation(size, 2)];
    const indexes = Array.from({ length: 1_000 }, (_, index) => index);
    expect(indexes.filter((index) => Math.abs(one.at(index) - one.at(index + 1)) < 10).length).toBeLessThan(5);
    expect(indexes.filter((index) => one.at(index) === other.at(index)).length).toBeLessThan(5);
  });
});

describe('population', () => {
  it('is the same for the same seed and another for another', () => {
    const again = new Accounts('7', size);
    expect(again.at(12_345)).toEqual(accounts.at(12_345));
    expect(new Accounts('8', size).at(12_345).username).not.toBe(accounts.at(12_345).username);
  });

  it('gives every account a unique username and number, by which it is found', () => {
    const usernames = new Set<string>();
    const ids = new Set<string>();
    for (let index = 0; index < size; index++) {
      const account = accounts.at(index);
      usernames.add(account.username);
      ids.add(account.pk);
      if (index % 997 === 0) {
        expect(account.username).toMatch(/^[a-z0-9._]{1,30}$/);
        expect(accounts.byUsername(account.username)?.index).toBe(index);
        expect(accounts.byListedUsername(account.listedUsername)?.index).toBe(index);
        expect(accounts.byId(account.pk)?.index).toBe(index);
      }
    }
    expect(usernames.size).toBe(size);
    expect(ids.size).toBe(size);
  });

  it('finds no other account', () => {
    for (const name of ['', 'nobody.at.all', 'ana.souza.x', 'ANA', '../etc']) expect(accounts.byUsername(name)).toBeUndefined();
    for (const pk of ['0', '-1', '12', '99999999999999999', 'x']) expect(accounts.byId(pk)).toBeUndefined();
  });

  it('keeps the fixed shares', () => {
    const sample = Array.from({ length: 20_000 }, (_, index) => accounts.at(index));
    const share = (test: (account: (typeof sample)[number]) => boolean) => sample.filter(test).length / sample.length;
    expect(share(({ isPrivate }) => isPrivate)).toBeCloseTo(shares.private, 1);
    expect(share(({ isVerified }) => isVerified)).toBeCloseTo(shares.verified, 2);
    expect(share(({ mediaCount }) => mediaCount === 0)).toBeCloseTo(shares.withoutPosts, 1);
    expect(share(({ presence }) => presence === 'renamed')).toBeCloseTo(shares.renamed, 2);
    expect(share(({ presence }) => presence === 'gone_404')).toBeGreaterThan(0.001);
    expect(share(({ presence }) => presence === 'gone_200')).toBeGreaterThan(0.001);
  });
});

describe('follower graph', () => {
  it('agrees in both directions, row by row and by membership', () => {
    fc.assert(
      fc.property(anyIndex, (index) => {
        const count = graph.followingCount(index);
        const followings = new Set(Array.from({ length: count }, (_, row) => graph.following(index, row)));
        expect(followings.size).toBe(count);
        expect(followings.has(index)).toBe(false);
        for (const followed of followings) expect(graph.follows(index, followed)).toBe(true);
        const followers = Math.min(graph.followerCount(index), 500);
        for (let row = 0; row < followers; row++) {
          const follower = graph.follower(index, row);
          expect(follower).not.toBe(index);
          expect(graph.follows(follower, index)).toBe(true);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('counts exactly as many followers as pass the membership test', () => {
    for (const index of [3, 50_021, 99_999]) {
      let members = 0;
      for (let other = 0; other < size; other++) if (graph.follows(other, index)) members++;
      expect(members).toBe(graph.followerCount(index));
    }
  });

  it('is uneven, as people are', () => {
    const followers = Array.from({ length: 5_000 }, (_, index) => graph.followerCount(index * 20)).sort((a, b) => a - b);
    expect(followers[0]).toBeLessThan(5);
    expect(followers[2_500]).toBeLessThan(400);
    expect(followers[4_990]).toBeGreaterThan(3_000);
    const followings = Array.from({ length: 300 }, (_, index) => graph.followingCount(index * 331)).sort((a, b) => a - b);
    expect((followings[290] ?? 0) / (followings[10] ?? 1)).toBeGreaterThan(3);
  });

  it('gives a named account exactly the followers that were asked for', () => {
    const people = new Accounts('7', size);
    const ties = new FollowerGraph(people);
    const shop = people.ensure({ username: 'cafe.da.lia', followers: 5_000, following: 30 });
    const big = people.ensure({ username: 'loja.grande', followers: size });
    ties.namedAccountsChanged();
    for (const [index, count] of [
      [shop, 5_000],
      [big, size],
    ] as const) {
      expect(ties.followerCount(index)).toBe(count);
      expect(new Set(Array.from({ length: count }, (_, row) => ties.follower(index, row))).size).toBe(count);
    }
    const someone = ties.follower(shop, 4_999);
    expect(ties.follows(someone, shop)).toBe(true);
    const followings = Array.from({ length: ties.followingCount(someone) }, (_, row) => ties.following(someone, row));
    expect(followings).toEqual(expect.arrayContaining([shop, big]));
    const followed = ties.following(shop, 29);
    const rows = Array.from({ length: ties.followerCount(followed) }, (_, row) => ties.follower(followed, row));
    expect(rows).toContain(shop);
    expect(people.byUsername('cafe.da.lia')?.pk).toBe(people.at(shop).pk);
  });
});

describe('posts', () => {
  const posts = new Posts(accounts);

  it('are found by their code', () => {
    fc.assert(
      fc.property(anyIndex, fc.nat(8), (index, number) => {
        const owner = accounts.at(index);
        const post = posts.of(owner, number);
        if (number >= owner.mediaCount) return expect(post).toBeUndefined();
        expect(posts.byCode(post?.code ?? '')).toEqual(post);
      }),
    );
    expect(posts.byCode('!')).toBeUndefined();
    expect(posts.byCode('AAAA')).toBeUndefined();
  });

  it('name the hashtag under which they are shown', () => {
    for (const tag of ['doces', 'tagquase']) {
      const shown = Array.from({ length: 40 }, (_, rank) => posts.ofTag(tag, rank)).filter((post) => post !== undefined);
      expect(shown.length).toBeGreaterThan(10);
      for (const post of shown) {
        expect(post.owner.isPrivate).toBe(false);
        expect(posts.byCode(post.code)?.caption).toContain(`#${tag}`);
      }
    }
    expect(posts.tagCount('zznada')).toBe(0);
  });

  it('have as many different likers as likes, and the network knows each of them', () => {
    const post = { ...posts.of(accounts.at(7), 0)!, likeCount: 400 };
    const likers = [...likersOf(accounts, post)].map(({ index }) => index);
    expect([likers.length, new Set(likers).size]).toEqual([400, 400]);
    const found = Array.from({ length: 2_000 }, (_, index) => index).filter((index) => isLiker(accounts, post, index));
    expect(found).toEqual(likers.filter((index) => index < 2_000).sort((one, other) => one - other));
  });

  it('have comments with ids of 17 digits that no JavaScript number holds, and replies after what they answer', () => {
    const post = { ...posts.of(accounts.at(7), 0)!, commentCount: 3_000 };
    const comments = computedComments(accounts, post);
    expect(comments.length).toBeGreaterThan(2_900);
    expect(new Set(comments.map(({ pk }) => pk)).size).toBe(comments.length);
    const before = new Map<string, number>();
    for (const { pk, parentPk, createdAt } of comments) {
      expect(pk).toMatch(/^\d{17}$/);
      expect(String(Number(pk))).not.toBe(pk);
      if (parentPk !== null) expect(before.get(parentPk)).toBeLessThanOrEqual(createdAt);
      else before.set(pk, createdAt);
    }
    expect(comments.filter(({ parentPk }) => parentPk !== null).length / comments.length).toBeCloseTo(0.2, 1);
  });

  it('include advertisements, which are in no grid', () => {
    const owner = accounts.at(7);
    const ad = posts.of(owner, 3_000);
    expect(ad).toMatchObject({ isAd: true });
    expect(posts.byCode(ad?.code ?? '')).toEqual(ad);
    expect(posts.of(owner, 3_008)).toBeUndefined();
  });
});

it('needs little memory and answers at once', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  const before = process.memoryUsage().heapUsed;
  const people = new Accounts('memory', size);
  const ties = new FollowerGraph(people);
  // Processor time: the time that passes depends on what else the machine does.
  const began = process.cpuUsage();
  let sum = 0;
  for (let round = 0; round < 30_000; round++) {
    const index = (round * 31) % size;
    const count = ties.followerCount(index);
    if (count > 0) sum += people.at(ties.follower(index, round % count)).username.length;
  }
  const { user: usedUs } = process.cpuUsage(began);
  expect(sum).toBeGreaterThan(0);
  expect(usedUs / 30_000).toBeLessThan(200);
  collect();
  expect((process.memoryUsage().heapUsed - before) / 2 ** 20).toBeLessThan(4);
  expect(people.at(5).username).toBe(new Accounts('memory', size).at(5).username);
});
