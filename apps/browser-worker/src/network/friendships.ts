import { z } from 'zod';
import { type Answer, at, type PageCall } from './answers.js';
import { isReviewGate } from './labels.js';
import { type Refusal, refusalIn } from './refusals.js';
import { type FriendshipAction, friendshipOfPath } from './routes.js';

const friendshipStatus = z.object({ following: z.boolean().nullish(), outgoing_request: z.boolean().nullish() });

/** What the network answers about our relation to a person after we followed or unfollowed them. */
export interface FriendshipAnswer {
  /** Root field of the answer, as evidence. */
  readonly root: string;
  readonly following: boolean;
  /** Null when the answer has no such field, as that to a follow from a list: then it proves nothing about a private person. */
  readonly outgoingRequest: boolean | null;
}

/** Names of the mutation, from a profile and from a list. */
const mutationNames = { follow: /FollowMutation$/, unfollow: /UnfollowMutation$/ } as const;

/** True when a call follows (or unfollows) somebody, by GraphQL or by the older REST form, whatever its answer is. */
export function isFriendshipCall({ friendlyName, method, path }: PageCall, action: FriendshipAction): boolean {
  if (friendlyName) return mutationNames[action].test(friendlyName);
  return method === 'POST' && friendshipOfPath(path)?.action === action;
}

/** Id of the person whom a follow or unfollow concerns; null when the call does not name them in a form that we know. */
export function friendshipTarget(answer: Answer): string | null {
  const variables = answer.variables;
  const named = at(variables, 'target_user_id') ?? at(variables, 'input', 'target_user_id');
  if (typeof named === 'string' || typeof named === 'number') return String(named);
  return friendshipOfPath(answer.path)?.userId ?? null;
}

/**
 * Reads the relation from the answer to a follow or unfollow; null when the answer does not contain it (refused, retired, or not JSON).
 * `errors` beside a root field with a value concern something else.
 */
export function readFriendship(answer: Answer, action: FriendshipAction): FriendshipAnswer | null {
  if (!isFriendshipCall(answer, action)) return null;
  for (const document of [answer.json, ...answer.further]) {
    const data = at(document, 'data');
    const roots: [string, unknown][] = typeof data === 'object' && data !== null ? Object.entries(data) : [];
    for (const [root, value] of [...roots, ['friendship_status', document] as [string, unknown]]) {
      const status = friendshipStatus.safeParse(at(value, 'friendship_status'));
      if (!status.success) continue;
      return { root, following: status.data.following ?? false, outgoingRequest: status.data.outgoing_request ?? null };
    }
  }
  return null;
}

/** How the network refused a follow or unfollow. Null: not refused (the answer contains the relation, or cannot be read). */
export function refusalOf(answer: Answer, action: FriendshipAction): Refusal | null {
  if (readFriendship(answer, action) !== null) return null;
  return isReviewedByTarget(answer, action) ? 'reviewed' : refusalIn(answer);
}

/** True when `feedback_required` concerns the person, who approves every new follower, and not our account. */
export function isReviewedByTarget(answer: Answer, action: FriendshipAction): boolean {
  const text = at(answer.json, 'feedback_message');
  return (
    isFriendshipCall(answer, action) && at(answer.json, 'message') === 'feedback_required' && typeof text === 'string' && isReviewGate(text)
  );
}
