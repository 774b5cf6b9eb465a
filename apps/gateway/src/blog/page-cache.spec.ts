import { type CachedPage, everyList, PageCache } from './page-cache.js';

const page = (text: string, about: readonly string[] = [], bytes = 0): CachedPage => ({
  status: 200,
  headers: {},
  body: Buffer.from(text.padEnd(bytes)),
  gzipped: Buffer.alloc(0),
  sourceEtag: null,
  about: new Set(about),
});

describe('the cache of pages', () => {
  let now: number;
  let cache: PageCache;
  beforeEach(() => {
    now = 1_000;
    cache = new PageCache(10_000, 500, () => now);
  });

  const keep = (address: string, kept: CachedPage) => cache.load(address, () => Promise.resolve({ page: kept }));

  it('has a page for its time, and then shows it to who makes the next', async () => {
    const first = page('first');
    await keep('/blog', first);
    expect(cache.get('/blog')).toBe(first);
    now += 500;
    expect(cache.get('/blog')).toBeNull();
    let old: CachedPage | null | undefined;
    await cache.load('/blog', (given) => {
      old = given;
      return Promise.resolve({ page: given! });
    });
    expect(old).toBe(first);
    expect(cache.get('/blog')).toBe(first);
  });

  it('makes a page once for all who ask meanwhile, and again after a failure', async () => {
    const makes: ((made: CachedPage) => void)[] = [];
    const make = () => new Promise<{ page: CachedPage }>((resolve) => makes.push((made) => resolve({ page: made })));
    const both = [cache.load('/blog', make), cache.load('/blog', make)];
    expect(makes).toHaveLength(1);
    makes[0]!(page('one'));
    expect((await Promise.all(both)).map(({ body }) => body.toString())).toEqual(['one', 'one']);
    // Who looked before it was made, and asks only now, gets the same.
    expect((await cache.load('/blog', make)).body.toString()).toBe('one');
    expect(makes).toHaveLength(1);
    await expect(cache.load('/a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    await keep('/a', page('a'));
    expect(cache.get('/a')).not.toBeNull();
  });

  it('keeps a page for a shorter time, or not at all, when its maker says so', async () => {
    await cache.load('/blog', () => Promise.resolve({ page: page('failed'), validMs: 0 }));
    expect(cache.get('/blog')).toBeNull();
    await cache.load('/blog', () => Promise.resolve({ page: page('old'), validMs: 100 }));
    now += 99;
    expect(cache.get('/blog')).not.toBeNull();
    now += 1;
    expect(cache.get('/blog')).toBeNull();
  });

  it('expires the pages that an event is about, and no others', async () => {
    await keep('/blog', page('list', [everyList, 'a']));
    await keep('/blog/a', page('a', ['a']));
    await keep('/blog/b', page('b', ['b']));
    cache.expire([everyList, 'a']);
    expect(['/blog', '/blog/a', '/blog/b'].map((address) => cache.get(address) !== null)).toEqual([false, false, true]);
    cache.expireAll();
    expect(cache.get('/blog/b')).toBeNull();
  });

  it('asks again for a page whose making began before an event', async () => {
    let finish: () => void = () => undefined;
    const made = cache.load('/blog', async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      return { page: page('may be old', [everyList]) };
    });
    cache.expire([everyList]);
    finish();
    expect((await made).body.toString()).toBe('may be old');
    expect(cache.get('/blog')).toBeNull();
  });

  it('makes a page again for who wants it as it is from now on, and not before one that is being made', async () => {
    const makes: ((made: CachedPage) => void)[] = [];
    const make = () => new Promise<{ page: CachedPage }>((resolve) => makes.push((made) => resolve({ page: made })));
    const begun = cache.load('/blog', make);
    const fresh = cache.reload('/blog', make);
    makes[0]!(page('before'));
    expect((await begun).body.toString()).toBe('before');
    while (makes.length < 2) await Promise.resolve();
    makes[1]!(page('after'));
    expect((await fresh).body.toString()).toBe('after');
    expect(cache.get('/blog')?.body.toString()).toBe('after');
  });

  it('drops the pages that nobody has asked for longest when they become too many bytes', async () => {
    for (const address of ['/1', '/2', '/3']) await keep(address, page(address, [], 2_000));
    cache.get('/1');
    await keep('/4', page('/4', [], 2_000));
    expect(['/1', '/2', '/3', '/4'].filter((address) => cache.get(address))).toEqual(['/1', '/3', '/4']);
    await keep('/huge', page('', [], 20_000));
    expect(cache.get('/huge')).toBeNull();
    expect(cache.get('/1')).not.toBeNull();
  });
});
