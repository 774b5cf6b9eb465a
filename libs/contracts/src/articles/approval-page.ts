import { type ApprovalAnswer, type ArticleDecision, articleDecisions } from './customer-articles.js';

/** The page that a mail about an article leads to, as the gateway renders it (`apps/web/src/blog-pages/approval`). */
export type ApprovalPage =
  | {
      kind: 'answer';
      answer: ApprovalAnswer;
      /** Path of the page, to which its forms are sent. */
      address: string;
      /** The decision that was refused, with the sentence why, so that nothing has to be typed again; null before one. */
      refused: { decision: ArticleDecision; note: string; error: string } | null;
    }
  /** The article could not be loaded, or the decision not be sent. */
  | { kind: 'failed'; address: string }
  /** The visitor's address has asked too often. */
  | { kind: 'too-many'; address: string };

/** A decision as a form of the page sends it. */
export interface SentDecision {
  decision: ArticleDecision;
  nonce: string;
  note: string;
}

/** In characters; what is longer is cut. */
const longest = { nonce: 300, note: 1_000 } as const;

/** Reads a form of the page; null for anything else. */
export function readDecision(form: URLSearchParams): SentDecision | null {
  const decision = articleDecisions.find((each) => each === form.get('decision'));
  const nonce = form.get('nonce') ?? '';
  if (decision === undefined || nonce === '' || nonce.length > longest.nonce) return null;
  const note = Array.from((form.get('note') ?? '').replace(/\r\n?/g, '\n').trim())
    .slice(0, longest.note)
    .join('');
  return { decision, nonce, note };
}

/** Tokens are 32 random bytes; other texts are none, and nobody is asked about them. */
export const isApprovalToken = (text: string): boolean => /^[\w-]{20,200}$/.test(text);

export const approvalAddress = (token: string): string => `/aprovar/${encodeURIComponent(token)}`;
