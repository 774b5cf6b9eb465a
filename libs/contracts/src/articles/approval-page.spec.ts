import { approvalAddress, isApprovalToken, readDecision } from './approval-page.js';

const read = (fields: Record<string, string>) => readDecision(new URLSearchParams(fields));

describe('a form of the approval page', () => {
  it('is read with its note', () => {
    expect(read({ decision: 'change', nonce: 'n', note: '  Tire o número.\r\nO resto fica. ' })).toEqual({
      decision: 'change',
      nonce: 'n',
      note: 'Tire o número.\nO resto fica.',
    });
    expect(read({ decision: 'approve', nonce: 'n' })).toEqual({ decision: 'approve', nonce: 'n', note: '' });
  });

  it('has a note of at most 1,000 characters, which is not cut inside of one', () => {
    expect(Array.from(read({ decision: 'change', nonce: 'n', note: '😀'.repeat(1_200) })!.note)).toEqual(Array(1_000).fill('😀'));
  });

  it.each([
    {},
    { decision: 'approve' },
    { nonce: 'n' },
    { decision: 'delete', nonce: 'n' },
    { decision: 'approve', nonce: 'n'.repeat(301) },
  ])('is not one: %j', (fields) => expect(read(fields as Record<string, string>)).toBeNull());
});

it('has an address with a token', () => {
  const token = 'a'.repeat(43);
  expect(isApprovalToken(token)).toBe(true);
  expect(approvalAddress(token)).toBe(`/aprovar/${token}`);
  for (const other of ['', 'curto', 'a'.repeat(300), `${token}/x`, `${token}%`]) expect(isApprovalToken(other)).toBe(false);
});
