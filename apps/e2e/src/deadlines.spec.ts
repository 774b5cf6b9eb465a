import { deadline, machineFactor } from './deadlines.js';

describe('deadlines of journeys', () => {
  const before = process.env['DECOLA_MACHINE_FACTOR'];
  afterEach(() => {
    if (before === undefined) delete process.env['DECOLA_MACHINE_FACTOR'];
    else process.env['DECOLA_MACHINE_FACTOR'] = before;
  });

  it('multiply the time for work by the machine’s factor, and add the product’s pauses unchanged', () => {
    process.env['DECOLA_MACHINE_FACTOR'] = '2.5';
    expect(deadline(1_000)).toBe(2_500);
    expect(deadline(1_000, 120_000, 5_000)).toBe(127_500);
  });

  it('measure the factor once, print it, and never shorten a deadline', () => {
    delete process.env['DECOLA_MACHINE_FACTOR'];
    const print = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    const factor = machineFactor();
    expect(factor).toBeGreaterThanOrEqual(1);
    expect(factor).toBeLessThanOrEqual(6);
    expect(machineFactor()).toBe(factor);
    expect(print).toHaveBeenCalledTimes(1);
    expect(print).toHaveBeenCalledWith(expect.stringContaining(String(factor)));
    print.mockRestore();
  });
});
