import { randomBytes } from 'node:crypto';
import { metrics } from './metrics.js';
import { EnvelopeMismatchError, MalformedEnvelopeError, parseKeyRing, Sealer, UnknownKeyError, UnopenedEnvelopeError } from './sealer.js';

const key = () => randomBytes(32).toString('base64');

describe('Sealer', () => {
  it('opens what it sealed, only with the same additional data', () => {
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

  it('opens old envelopes after a key rotation, and reports that they need to be sealed again', () => {
    const old = key();
    const envelope = new Sealer(parseKeyRing(`old:${old}`)).seal('secret', 'x');
    const rotated = new Sealer(parseKeyRing(`new:${key()},old:${old}`));
    expect(rotated.open(envelope, 'x')).toBe('secret');
    expect(rotated.needsRotation(envelope)).toBe(true);
    expect(rotated.needsRotation(rotated.seal('secret', 'x'))).toBe(false);
  });

  describe('tells apart why an envelope does not open, and counts each reason', () => {
    const ring = 'TEST_KEY_RING';
    const bytes = key();
    const sealer = new Sealer(parseKeyRing(`a:${bytes}`, ring));
    const envelope = sealer.seal('secret', 'row-1');
    const counted = async () => {
      const { values } = await metrics.getSingleMetric('sealed_data_unopened_total')!.get();
      return Object.fromEntries(
        values.filter(({ labels }) => labels['ring'] === ring).map(({ labels, value }) => [labels['reason'], value]),
      );
    };
    const cases: [string, string, () => unknown, new (...args: never[]) => Error][] = [
      [
        'a key that is not in the ring',
        'unknown_key',
        () => new Sealer(parseKeyRing(`b:${key()}`, ring)).open(envelope, 'row-1'),
        UnknownKeyError,
      ],
      [
        'another key under the same id',
        'mismatch',
        () => new Sealer(parseKeyRing(`a:${key()}`, ring)).open(envelope, 'row-1'),
        EnvelopeMismatchError,
      ],
      ['other additional data', 'mismatch', () => sealer.open(envelope, 'row-2'), EnvelopeMismatchError],
      ['no envelope', 'malformed', () => sealer.open('sessionid=1', 'row-1'), MalformedEnvelopeError],
      ['an envelope that was cut', 'malformed', () => sealer.open(envelope.slice(0, 30), 'row-1'), MalformedEnvelopeError],
    ];

    it.each(cases)('%s', async (_, reason, open, expected) => {
      const before = await counted();
      expect(open).toThrow(expected);
      expect(await counted()).toEqual({ ...before, [reason]: before[reason]! + 1 });
    });

    it('and asks to try again only where another ring may open it', () => {
      const errors = cases.map(([, , open]) => {
        try {
          return open();
        } catch (error) {
          return error instanceof UnopenedEnvelopeError;
        }
      });
      expect(errors).toEqual([true, true, true, false, false]);
    });

    it('but counts no token that a stranger sent', async () => {
      const before = await counted();
      for (const token of ['x', envelope.replace('.a.', '.zz.'), sealer.seal('secret', 'other')])
        expect(sealer.openToken(token, 'row-1')).toBeNull();
      expect(sealer.openToken(envelope, 'row-1')).toBe('secret');
      expect(await counted()).toEqual(before);
    });
  });

  it('accepts a key before it uses it: the active key is the first one, or the one that is named', () => {
    const [old, fresh] = [key(), key()];
    const accepting = [`old:${old},new:${fresh}`, `active=old;new:${fresh},old:${old}`].map((text) => new Sealer(parseKeyRing(text)));
    const using = [`new:${fresh},old:${old}`, ` active=new; old:${old}, new:${fresh} `].map((text) => new Sealer(parseKeyRing(text)));
    for (const before of accepting)
      for (const after of using) {
        expect(before.seal('x', 'y').split('.')[1]).toBe('old');
        expect(after.seal('x', 'y').split('.')[1]).toBe('new');
        expect(after.open(before.seal('x', 'y'), 'y')).toBe('x');
        expect(before.open(after.seal('x', 'y'), 'y')).toBe('x');
      }
  });

  it.each([
    ['', 'entry 1 is not id:base64'],
    ['a', 'entry 1 is not id:base64'],
    [`a:${key()},`, 'entry 2 is not id:base64'],
    ['a:c2hvcnQ=', 'the key of entry 1 is not 32 bytes'],
    [`a:${key()},a:${key()}`, 'entry 2 repeats an id'],
    [`active=b;a:${key()}`, 'active= names no key of the ring'],
    [`active=;a:${key()}`, 'active= names no key of the ring'],
    [`active=a,a:${key()}`, 'entry 1 is not id:base64'],
  ])('refuses the key ring %j and says why, without its keys', (text, reason) => {
    expect(() => parseKeyRing(text)).toThrow(`key ring: ${reason}`);
  });
});
