import { TextRotation } from './text-rotation.js';

const take = (rotation: TextRotation, count: number) => Array.from({ length: count }, () => rotation.next());

describe('texts that take turns', () => {
  it('begin where the runs before ended', () => {
    expect(take(new TextRotation(['a', 'b', 'c'], 0), 4)).toEqual(['a', 'b', 'c', 'a']);
    expect(take(new TextRotation(['a', 'b', 'c'], 5), 2)).toEqual(['c', 'a']);
  });

  it('are never the same twice in a row, also where the customer entered one twice', () => {
    expect(take(new TextRotation(['a', 'a', 'b'], 0), 5)).toEqual(['a', 'b', 'a', 'b', 'a']);
    expect(take(new TextRotation(['a', 'b', 'a'], 3), 2)).toEqual(['b', 'a']);
    expect(take(new TextRotation(['a', 'a'], 0), 2)).toEqual(['a', 'a']); // there is no other
  });
});
