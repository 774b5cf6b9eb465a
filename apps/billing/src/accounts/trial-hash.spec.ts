import { mailboxOf, peppered } from './trial-hash.js';

describe('the mailbox behind an address', () => {
  it.each([
    ['Ana@Example.com', 'ana@example.com'],
    ['ana+trial2@example.com', 'ana@example.com'],
    ['a.n.a+x@gmail.com', 'ana@gmail.com'],
    ['ana@googlemail.com', 'ana@gmail.com'],
    ['a.na@example.com', 'a.na@example.com'],
    [' ana@example.com ', 'ana@example.com'],
  ])('of %s is %s', (email, mailbox) => expect(mailboxOf(email)).toBe(mailbox));

  it('is told apart by kind and pepper', () => {
    const pepper = Buffer.alloc(32, 1).toString('base64');
    expect(peppered('card', 'x', pepper)).toBe(peppered('card', 'x', pepper));
    expect(peppered('card', 'x', pepper)).not.toBe(peppered('email', 'x', pepper));
    expect(peppered('card', 'x', pepper)).not.toBe(peppered('card', 'x', Buffer.alloc(32, 2).toString('base64')));
  });
});
