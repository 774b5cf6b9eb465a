import { RecentMap } from './recent-map.js';

describe('a map of what was used lately', () => {
  it('drops the entry that was used longest ago, and never has more than its limit', () => {
    const map = new RecentMap<string, number>(2);
    expect([map.set('a', 1), map.set('b', 2)]).toEqual([undefined, undefined]);
    expect(map.get('a')).toBe(1);
    expect(map.set('c', 3)).toBe('b');
    expect([map.get('a'), map.get('b'), map.get('c'), map.size]).toEqual([1, undefined, 3, 2]);
  });

  it('replaces a value without dropping another, which counts as a use', () => {
    const map = new RecentMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    expect(map.set('a', 10)).toBeUndefined();
    expect(map.set('c', 3)).toBe('b');
    expect(map.get('a')).toBe(10);
  });

  it('forgets one entry, or all', () => {
    const map = new RecentMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.delete('a');
    expect([map.get('a'), map.size]).toEqual([undefined, 1]);
    map.clear();
    expect([map.get('b'), map.size]).toEqual([undefined, 0]);
  });
});
