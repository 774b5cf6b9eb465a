import type { ListPage } from '../network/lists.js';
import { ListPass } from './people-list.js';
import { numberOf } from './profile-screen.js';

const page = (ids: number[], next: string | null, limited = false): ListPage => ({
  userId: '1',
  list: 'followers',
  rows: ids.map((id) => ({ userId: String(id), username: `u${id}`, fullName: '', isPrivate: false, isVerified: false, hasStory: false })),
  isEmpty: ids.length === 0,
  next,
  limited,
});

describe('a pass over a list', () => {
  it('goes on while pages bring people, however few', () => {
    const pass = new ListPass(null, 100);
    expect(pass.add(page([1, 2, 3], '12'))).toBeNull();
    expect(pass.add(page([3, 4], '24'))).toBeNull();
    expect(pass.add(page([3, 4], '36'))).toBeNull(); // once without news may happen
    expect(pass.add(page([5], '48'))).toBeNull();
  });
  it("ends at the network's end mark, on a page that still has rows", () => {
    const pass = new ListPass(null, 100);
    expect(pass.add(page([1], '12'))).toBeNull();
    expect(pass.add(page([2], null))).toBe('pass_ended');
  });
  it('ends after two pages in a row without anybody new', () => {
    const pass = new ListPass(null, 100);
    pass.add(page([1, 2], '12'));
    expect(pass.add(page([1, 2], '24'))).toBeNull();
    expect(pass.add(page([2, 1], '36'))).toBe('pass_ended');
  });
  it('does not follow a cursor round in circles', () => {
    expect(new ListPass('12', 100).add(page([1], '12'))).toBe('pass_ended');
  });
  it('takes an empty first page for the end only where the profile shows nobody', () => {
    expect(new ListPass(null, 0).add(page([], null))).toBe('pass_ended');
    expect(new ListPass(null, null).add(page([], null))).toBe('empty_but_profile_shows_more');
    expect(new ListPass(null, 100).add(page([], null))).toBe('withheld');
  });
  it('takes an empty page after rows, or where it goes on in the middle, for a list that is withheld (row 18)', () => {
    const pass = new ListPass(null, 100);
    pass.add(page([1, 2], '12'));
    expect(pass.add(page([], null))).toBe('withheld');
    expect(pass.add(page([], '24'))).toBe('withheld');
    expect(new ListPass('120', 100).add(page([], null))).toBe('withheld');
    expect(new ListPass('120', null).add(page([], '132'))).toBe('withheld');
    // The same page may still arrive: the empty one changed nothing.
    expect(pass.add(page([3], '24'))).toBeNull();
  });
  it('reports that the network does not show the rest', () => {
    const pass = new ListPass(null, 5_000);
    expect(pass.add(page([1], '12', true))).toBeNull();
    expect(pass.add(page([2], null))).toBe('limited_by_network');
    expect(pass.add(page([], null))).toBe('limited_by_network');
    expect(new ListPass(null, 5_000).add(page([], null, true))).toBe('limited_by_network');
  });
});

describe('a counter of a profile', () => {
  it.each([
    ['5.321', 5321],
    ['5,321 followers', 5321],
    ['88', 88],
    ['1.234.567 seguidores', 1234567],
  ])('%s is %d', (text, number) => expect(numberOf(text)).toBe(number));
  it.each(['5,3 mil', '5.3K', '1 mi', '', null])('%s is not exact', (text) => expect(numberOf(text)).toBeNull());
});
