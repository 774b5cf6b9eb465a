import { normalizeMailbox, hashWithPepper } from './trial-hash.js';

describe('the mailbox of an e-mail address', () => {
  it.each([
    ['Ana@Example.com', 'ana@example.com'],
    ['ana+trial2@example.com', 'ana@example.com'],
    ['a.n.a+x@gmail.com', 'ana@gmail.com'],
    ['ana@googlemail.com', 'ana@gmail.com'],
    ['a.na@example.com', 'a.na@example.com'],
    [' ana@example.com ', 'ana@example.com'],
  ])('of %s is %s', (email, mailbox) => expect(normalizeMailbox(email)).toBe(mailbox));

  it('has a hash that depends on kind and pepper', () => {
    const pepper = Buffer.alloc(32, 1).toString('base64');
    expect(hashWithPepper('card', 'x', pepper)).toBe(hashWithPepper('card', 'x', pepper));
    expect(hashWithPepper('card', 'x', pepper)).not.toBe(hashWithPepper('email', 'x', pepper));
    expect(hashWithPepper('card', 'x', pepper)).not.toBe(hashWithPepper('card', 'x', Buffer.alloc(32, 2).toString('base64')));
  });
});
