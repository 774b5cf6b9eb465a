import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { sliceAt } from './slice-ticks';
import { SoundSwitch } from './sound-switch';

const matrixOf = (degrees: number) => {
  const radians = (degrees * Math.PI) / 180;
  return `matrix(${Math.cos(radians)}, ${Math.sin(radians)}, ${-Math.sin(radians)}, ${Math.cos(radians)}, 0, 0)`;
};

it('the slice at the pointer follows from the transform, clockwise turns bring the ones before', () => {
  expect(sliceAt('none', 8)).toBe(0);
  expect(sliceAt(matrixOf(-20), 8)).toBe(0);
  expect(sliceAt(matrixOf(-50), 8)).toBe(1);
  expect(sliceAt(matrixOf(10), 8)).toBe(7);
  expect(sliceAt(matrixOf(725), 8)).toBe(7);
});

describe('the sound of a wheel', () => {
  let degrees = 0;
  let frames: FrameRequestCallback[] = [];
  let clicks = 0;
  const box = { current: document.createElement('div') };
  const nextFrame = (turnedTo: number) => {
    degrees = turnedTo;
    act(() => frames.splice(0).forEach((frame) => frame(0)));
  };
  const param = { value: 0, setValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined };
  const node = { connect: (next: unknown) => next };
  const closed = jest.fn();
  class FakeAudio {
    readonly currentTime = 0;
    readonly destination = node;
    readonly resume = () => Promise.resolve();
    readonly close = closed;
    createGain = () => ({ ...node, gain: param });
    createOscillator = () => ({ ...node, frequency: param, start: () => (clicks += 1), stop: () => undefined });
  }

  beforeEach(() => {
    [degrees, frames, clicks] = [0, [], 0];
    Object.assign(globalThis, { AudioContext: FakeAudio });
    jest.spyOn(globalThis, 'requestAnimationFrame').mockImplementation((frame) => frames.push(frame));
    jest.spyOn(globalThis, 'cancelAnimationFrame').mockImplementation(() => void frames.splice(0));
    jest.spyOn(globalThis, 'getComputedStyle').mockImplementation(() => ({ transform: matrixOf(degrees) }) as CSSStyleDeclaration);
  });
  afterEach(() => jest.restoreAllMocks());

  it('is off until somebody wants it, and then clicks at each slice while the wheel turns', async () => {
    const user = userEvent.setup({ delay: null });
    const { rerender, unmount } = render(<SoundSwitch wheel={box} slices={8} isTurning />);
    expect(frames).toEqual([]);
    jest.mocked(getComputedStyle).mockRestore();
    await user.click(screen.getByText('Som'));
    jest.spyOn(globalThis, 'getComputedStyle').mockImplementation(() => ({ transform: matrixOf(degrees) }) as CSSStyleDeclaration);
    expect(screen.getByText('Som').closest('button')?.getAttribute('aria-pressed')).toBe('true');
    for (const turned of [10, 20, 60, 100, 101]) nextFrame(turned);
    expect(clicks).toBe(3);
    rerender(<SoundSwitch wheel={box} slices={8} isTurning={false} />);
    expect(frames).toEqual([]);
    unmount();
    expect(closed).toHaveBeenCalledTimes(1);
  });
});
