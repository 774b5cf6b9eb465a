import type { ListPage } from '../network/answers.js';
import { PassJudge } from './people-list.js';
import { numberOf } from './profile-screen.js';

const page = (ids: number[], next: string | null, limited = false): ListPage => ({
  userId: '1',
  list: 'followers',
  rows: ids.map((id) => ({ userId: String(id), username: `u${id}`, fullName: '', isPrivate: false, isVerified: false, hasStory: false })),
  next,
  limited,
});

describe('a pass over a list', () => {
  it('goes on while pages bring people, however few', () => {
    const judge = new PassJudge(null, 100);
    expect(judge.take(page([1, 2, 3], '12'))).toBeNull();
    expect(judge.take(page([3, 4], '24'))).toBeNull();
    expect(judge.take(page([3, 4], '36'))).toBeNull(); // once without news may happen
    expect(judge.take(page([5], '48'))).toBeNull();
  });
  it("ends at the network's end mark, on a page that still has rows", () => {
    const judge = new PassJudge(null, 100);
    expect(judge.take(page([1], '12'))).toBeNull();
    expect(judge.take(page([2], null))).toBe('pass_ended');
  });
  it('ends after two pages in a row without anybody new', () => {
    const judge = new PassJudge(null, 100);
    judge.take(page([1, 2], '12'));
    expect(judge.take(page([1, 2], '24'))).toBeNull();
    expect(judge.take(page([2, 1], '36'))).toBe('pass_ended');
  });
  it('does not follow a cursor round in circles', () => {
    expect(new PassJudge('12', 100).take(page([1], '12'))).toBe('pass_ended');
  });
  it('takes an empty list for a failure where the profile shows numbers', () => {
    expect(new PassJudge(null, 100).take(page([], null))).toBe('empty_but_profile_shows_more');
    expect(new PassJudge(null, null).take(page([], null))).toBe('empty_but_profile_shows_more');
    expect(new PassJudge(null, 0).take(page([], null))).toBe('pass_ended');
    expect(new PassJudge('120', 100).take(page([], null))).toBe('pass_ended'); // the pass had rows before
  });
  it('says that the network kept the rest', () => {
    const judge = new PassJudge(null, 5_000);
    expect(judge.take(page([1], '12', true))).toBeNull();
    expect(judge.take(page([2], null))).toBe('limited_by_network');
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
