import { randomBytes } from 'node:crypto';
import { parseKeyRing, Sealer } from './sealer.js';

const key = () => randomBytes(32).toString('base64');

describe('Sealer', () => {
  it('opens what it sealed, only in its own place', () => {
    const sealer = new Sealer(parseKeyRing(`a:${key()}`));
    const envelope = sealer.seal('sessionid=ação', 'session-1');
    expect(sealer.open(envelope, 'session-1')).toBe('sessionid=ação');
    expect(() => sealer.open(envelope, 'session-2')).toThrow();
    expect(envelope).not.toContain('sessionid');
  });

  it('refuses an envelope that was changed', () => {
    const sealer = new Sealer(parseKeyRing(`a:${key()}`));
    const parts = sealer.seal('secret', 'x').split('.');
    const bytes = Buffer.from(parts[3]!, 'base64url');
    bytes[0] = bytes[0]! ^ 1;
    expect(() => sealer.open([...parts.slice(0, 3), bytes.toString('base64url')].join('.'), 'x')).toThrow();
  });

  it('opens old envelopes after a rotation and says that they should be sealed again', () => {
    const old = key();
    const envelope = new Sealer(parseKeyRing(`old:${old}`)).seal('secret', 'x');
    const rotated = new Sealer(parseKeyRing(`new:${key()},old:${old}`));
    expect(rotated.open(envelope, 'x')).toBe('secret');
    expect(rotated.needsRotation(envelope)).toBe(true);
    expect(rotated.needsRotation(rotated.seal('secret', 'x'))).toBe(false);
  });

  it.each(['', 'a', 'a:c2hvcnQ=', `a:${key()},a:${key()}`])('refuses the key ring %j', (text) => {
    expect(() => parseKeyRing(text)).toThrow(/key ring/);
  });
});
