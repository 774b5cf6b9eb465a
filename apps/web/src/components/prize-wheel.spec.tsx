import '@testing-library/jest-dom';
import { act, cleanup, render, renderHook } from '@testing-library/react';
import { PrizeWheel } from './prize-wheel';
import { useWheelTurn } from './use-wheel-turn';
import { sliceColours } from './wheel-colours';

afterEach(cleanup);

const slicesNamed = (...names: string[]) => names.map((name, index) => ({ id: String(index), name, isAvailable: true }));
const labels = (container: HTMLElement, look = 'text:not(.short)') => [...container.querySelectorAll(look)].map((each) => each.textContent);

describe('labels', () => {
  it('have at most 12 characters, on a phone 10, and say what is gone', () => {
    const [whole, gone] = slicesNamed('Café grátis!', 'Bolo');
    const { container } = render(
      <PrizeWheel
        rotation={0}
        slices={[whole!, { ...gone!, isAvailable: false }, { id: 'c', name: 'Camiseta preta 🎁 tamanho M', isAvailable: true }]}
      />,
    );
    expect(labels(container)).toEqual(['Café grátis!', 'Esgotado', 'Camiseta pr…']);
    expect(labels(container, '.short')).toEqual(['Café grát…', 'Camiseta …']);
    expect(container.querySelectorAll('.gone')).toHaveLength(1);
  });

  it('are numbers with more than 24 slices, and become smaller with each slice', () => {
    const wheelOf = (count: number) =>
      render(<PrizeWheel rotation={0} slices={slicesNamed(...Array.from({ length: count }, (_, index) => `Prêmio ${index}`))} />).container;
    expect(labels(wheelOf(24))[23]).toBe('Prêmio 23');
    expect(labels(wheelOf(25))[24]).toBe('25');
    const size = (count: number) => Number.parseFloat(wheelOf(count).querySelector<SVGElement>('.turning svg')!.style.fontSize);
    expect(size(8)).toBe(17);
    expect(size(24)).toBeLessThan(17);
    expect(size(100)).toBeGreaterThanOrEqual(9);
  });
});

it('lights 25 marks, later the further they are from the pointer', () => {
  const { container } = render(<PrizeWheel rotation={0} slices={slicesNamed('a', 'b')} isLit />);
  const places = [...container.querySelectorAll<SVGElement>('.light-mark')].map((mark) => Number(mark.style.getPropertyValue('--place')));
  expect(places).toHaveLength(25);
  expect(Math.max(...places)).toBe(12);
});

describe('the owner’s colour', () => {
  const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  const luminance = (hex: string) =>
    channels(hex)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
      .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index]!, 0);
  const contrast = (one: string, other: string) => {
    const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (lighter! + 0.05) / (darker! + 0.05);
  };
  const steps = ['00', '33', '66', '80', '99', 'cc', 'ff'];
  const everyColour = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => `#${r}${g}${b}`)));

  it('gives slices whose text has a contrast of at least 4.5, whatever the colour is', () => {
    for (const colour of everyColour)
      for (const { '--solid': ground, '--on-solid': text } of sliceColours(colour, 3))
        if (ground) expect([colour, contrast(ground, text!) >= 4.5]).toEqual([colour, true]);
  });

  it('stays itself where it can be read, and gives no two neighbours the same ground', () => {
    expect(sliceColours('#d62976', 4)[0]!['--solid']).toMatch(/^#d[5-7]2[89a]7[5-7]$/);
    for (const count of [2, 3, 4, 5, 12, 25]) {
      const grounds = sliceColours('#2f62cf', count).map((each) => each['--solid'] ?? 'soft');
      grounds.forEach((ground, index) => expect(ground).not.toBe(grounds[(index + 1) % count]));
    }
  });
});

describe('a turn', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());
  const under = (rotation: number, count: number) => Math.floor((((360 - (rotation % 360)) % 360) / 360) * count);

  it('lands after four seconds and at least four turns on its slice, and at once when it is skipped', async () => {
    const { result } = renderHook(() => useWheelTurn());
    let landed = false;
    act(() => void result.current.land(5, 8).then(() => (landed = true)));
    expect(result.current.rotation).toBeGreaterThanOrEqual(1_440);
    expect(under(result.current.rotation, 8)).toBe(5);
    await act(() => jest.advanceTimersByTimeAsync(3_990));
    expect(landed).toBe(false);
    await act(() => jest.advanceTimersByTimeAsync(10));
    expect(landed).toBe(true);
    landed = false;
    act(() => void result.current.land(2, 8).then(() => (landed = true)));
    act(() => result.current.skip());
    await act(() => jest.advanceTimersByTimeAsync(0));
    expect(landed).toBe(true);
    expect(under(result.current.rotation, 8)).toBe(2);
  });

  it('begins a landing with the speed of the turn that waited for it', () => {
    const animate = jest.fn((_frames: Keyframe[], _options: KeyframeAnimationOptions) => ({ cancel: () => undefined, currentTime: 3_000 }));
    const { result } = renderHook(() => useWheelTurn());
    result.current.ref.current = { animate } as unknown as HTMLDivElement;
    act(() => result.current.turn());
    jest.advanceTimersByTime(3_000);
    act(() => void result.current.land(0, 4));
    const [[first, last], { easing, duration }] = animate.mock.calls[1] as unknown as [
      [{ transform: string }, { transform: string }],
      { easing: string; duration: number },
    ];
    const degrees = (frame: { transform: string }) => Number(/rotate\(([\d.]+)deg/.exec(frame.transform)![1]);
    // 2.6 seconds at two turns a second, after 0.4 seconds in which it gained speed.
    expect(degrees(first)).toBeCloseTo(720 * 2.8);
    const [x, y] = /cubic-bezier\(([\d.]+), ([\d.]+)/.exec(easing)!.slice(1).map(Number) as [number, number];
    expect(((y / x) * (degrees(last) - degrees(first))) / (duration / 1_000)).toBeCloseTo(720, -1);
  });

  it('lands at once for people who want less motion', async () => {
    const matchMedia = jest.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
    const { result } = renderHook(() => useWheelTurn());
    let landed = false;
    act(() => void result.current.land(1, 4).then(() => (landed = true)));
    await act(() => jest.advanceTimersByTimeAsync(0));
    expect(landed).toBe(true);
    matchMedia.mockRestore();
  });
});
