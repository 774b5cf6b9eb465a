import { WheelKeys } from '../keys/wheel-keys.service.js';
import { fastestVisitorMs, formAge, formTokenOf } from './form-token.js';

const keys = new WheelKeys({ WHEEL_HMAC_KEY: Buffer.alloc(32, 1).toString('base64') });
const wheel = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const shown = new Date('2026-11-22T12:00:00.000Z');
const after = (ms: number) => new Date(shown.getTime() + ms);
const token = formTokenOf(keys, wheel, shown);

describe('the instant at which a form was shown', () => {
  it.each([
    [0, 'too_young'],
    // The clock of another replica may be behind.
    [-500, 'too_young'],
    [fastestVisitorMs - 1, 'too_young'],
    [fastestVisitorMs, 'fits'],
    [24 * 60 * 60 * 1_000, 'fits'],
    [24 * 60 * 60 * 1_000 + 1, 'unknown'],
  ])('is judged after %i ms', (ms, age) => expect(formAge(keys, wheel, token, after(ms))).toBe(age));

  it('is unknown when it is not signed for this wheel', () => {
    const later = after(5_000);
    const [instant = '', signature = ''] = token.split('.');
    const earlier = (shown.getTime() - 60_000).toString(36);
    const others = [
      null,
      undefined,
      '',
      '.',
      instant,
      `${instant}.`,
      `.${signature}`,
      `${earlier}.${signature}`,
      `${token}.x`,
      `${token}A`,
      token.slice(0, -2),
    ];
    for (const other of others) expect([other, formAge(keys, wheel, other, later)]).toEqual([other, 'unknown']);
    expect(formAge(keys, '6f9619ff-8b86-4d01-b42d-00cf4fc964fe', token, later)).toBe('unknown');
    expect(formAge(new WheelKeys({ WHEEL_HMAC_KEY: Buffer.alloc(32, 2).toString('base64') }), wheel, token, later)).toBe('unknown');
  });
});
