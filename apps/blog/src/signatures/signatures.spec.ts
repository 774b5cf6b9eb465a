import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { messageId } from './message-id.js';
import { provesToken, sign, signingKeysOf } from './sign.js';

const token = 'k7Qm3vX9bT2nL5wR8yC1zH4jF6gD0sAaEeIiOoUu-_x';
const other = 'outro-token-com-acentuação-çã-e-tamanho-bom';

describe('signed messages', () => {
  const message = { id: messageId('artigo', 'article.prepare', 1), body: '{"título":"Pão"}', at: new Date() };

  it.each([token, other])('are accepted by the published library, by whsec_ + base64(token): %s', (secret) => {
    const { headers, body } = sign(message, [secret]);
    const receiver = new Webhook(`whsec_${Buffer.from(secret).toString('base64')}`);
    expect(receiver.verify(body, { ...headers })).toEqual({ título: 'Pão' });
    expect(() => receiver.verify(`${body} `, { ...headers })).toThrow();
  });

  it('are accepted by either token while a replaced one signs along', () => {
    const { headers, body } = sign(message, [token, other]);
    for (const secret of [token, other])
      expect(new Webhook(Buffer.from(secret), { format: 'raw' }).verify(body, { ...headers })).toBeDefined();
    expect(() => new Webhook(Buffer.from('terceiro'), { format: 'raw' }).verify(body, { ...headers })).toThrow();
    expect(headers['webhook-signature']!.split(' ')).toHaveLength(2);
  });

  it('may be signed by a short token', () => {
    const { headers, body } = sign(message, ['abc']);
    expect(new Webhook(Buffer.from('abc'), { format: 'raw' }).verify(body, { ...headers })).toBeDefined();
  });
});

describe('ids of messages', () => {
  it('are the same for the same parts, and differ for any other', () => {
    const parts = ['0b5c6a4e', 'article.prepare', 1] as const;
    expect(messageId(...parts)).toBe(messageId(...parts));
    expect(messageId(...parts)).toMatch(/^msg_[a-z2-7]{32}$/);
    const others = [
      messageId('0b5c6a4e', 'article.prepare', 2),
      messageId('0b5c6a4e', 'article.publish', 1),
      messageId('0b5c6a4', 'earticle', 1),
    ];
    expect(new Set([messageId(...parts), ...others]).size).toBe(4);
  });
});

describe('the proof of a ping', () => {
  const proof = createHmac('sha256', token).update('00ffloja.com.br').digest('hex');

  it('is the HMAC of challenge and host', () => expect(provesToken(proof, token, '00ff', 'loja.com.br')).toBe(true));
  it.each([
    [proof, other, '00ff', 'loja.com.br'],
    [proof, token, '00fe', 'loja.com.br'],
    [proof, token, '00ff', 'outra.com.br'],
    [proof.toUpperCase(), token, '00ff', 'loja.com.br'],
    ['', token, '00ff', 'loja.com.br'],
    [null, token, '00ff', 'loja.com.br'],
    ['çç'.repeat(32), token, '00ff', 'loja.com.br'],
  ])('is nothing else', (given, key, challenge, host) => expect(provesToken(given, key, challenge, host)).toBe(false));
});

describe('the keys of a signed message', () => {
  const message = { id: messageId('a'), body: '{"título":"Pão"}', at: new Date() };
  const keysOf = (change: Partial<Parameters<typeof signingKeysOf>[0]> = {}) => {
    const { headers, body } = sign(message, [token]);
    const given = { id: headers['webhook-id']!, timestamp: headers['webhook-timestamp']!, signatures: headers['webhook-signature']! };
    return signingKeysOf({ ...given, body: Buffer.from(body), ...change }, [other, token, 'terceiro', token]);
  };

  it('are all that fit', () => expect(keysOf()).toEqual([1, 3]));
  it('may stand among other signatures', () =>
    expect(keysOf({ signatures: `v1,abc ${sign(message, [token]).headers['webhook-signature']}` })).toEqual([1, 3]));
  it.each([
    { body: Buffer.from('{"título":"pão"}') },
    { id: messageId('b') },
    { timestamp: '1' },
    { signatures: '' },
    { signatures: 'v1,' },
    { signatures: 'v1a,AAAA' },
  ])('are none for anything else: %j', (change) => expect(keysOf(change)).toEqual([]));
});
