import { z } from 'zod';
import { type Answer, at, type PageCall, rootOf, saysFailed } from './answers.js';

const friendshipStatus = z.object({
  following: z.boolean().nullish(),
  outgoing_request: z.boolean().nullish(),
  blocking: z.boolean().nullish(),
  followed_by: z.boolean().nullish(),
});

const numberText = z.union([z.string(), z.number()]).transform(String);
const profileAnswer = z.object({
  pk: numberText.nullish(),
  id: numberText.nullish(),
  username: z.string(),
  is_private: z.boolean().nullish(),
  follower_count: z.number().int().nonnegative().nullish(),
  following_count: z.number().int().nonnegative().nullish(),
  media_count: z.number().int().nonnegative().nullish(),
  friendship_status: friendshipStatus.nullish(),
});

/** A person's profile, and how we are related to them. */
export interface Profile {
  readonly userId: string;
  readonly username: string;
  readonly isPrivate: boolean;
  /** Null when the answer (or the page) has no number. */
  readonly followers: number | null;
  readonly following: number | null;
  readonly posts: number | null;
  /** False when the answer says nothing about our relation; the three fields below are false then too. */
  readonly knowsRelation: boolean;
  readonly weFollow: boolean;
  /** We sent a follow request that is not answered yet. */
  readonly weAsked: boolean;
  /** We blocked this person: they cannot be followed until we unblock them. */
  readonly weBlock: boolean;
  /** They follow us; null when nothing says whether they do. */
  readonly followsUs: boolean | null;
}

/** True when we cannot see this person's lists: they are private and we do not follow them, or we blocked them. */
export function isClosedTo(ownUserId: string, { userId, isPrivate, weFollow, weBlock }: Profile): boolean {
  return userId !== ownUserId && (weBlock || (isPrivate && !weFollow));
}

/**
 * What an answer says about a person's profile. `gone`: nobody has this name, and the answer reports no failure; the network answers the
 * same when the person blocked us. `refused`: the network does not show us this person (row 15). `failed`: the query was answered but says
 * nothing about the person.
 */
export type ProfileAnswer =
  | {
      readonly kind: 'profile';
      readonly profile: Profile;
      /** True when the page asked for the profile that it shows. False for any other query: then the username has to match. */
      readonly isOfPage: boolean;
    }
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'failed' };

/** The page's query for the profile that it shows has several names. */
const profileQuery = /^PolarisProfilePageContent\w*Query$/;
const profileRoots = ['user', 'fetch__XDTUserDict'] as const;

/** True when the page asks for the profile that it shows. */
export function isProfileQuery({ friendlyName }: Pick<PageCall, 'friendlyName'>): boolean {
  return friendlyName !== null && profileQuery.test(friendlyName);
}

/** Reads a profile by its root field, from a call or from a document; null when the answer is about something else. */
export function readProfile(answer: Answer): ProfileAnswer | null {
  const isOfPage = isProfileQuery(answer);
  for (const root of profileRoots) {
    const profile = profileOf(rootOf(answer, root), isOfPage);
    if (profile) return { kind: 'profile', profile, isOfPage };
  }
  if (!isOfPage || answer.json === null) return null;
  if (/^not authorized to view user/i.test(String(at(answer.json, 'message')))) return { kind: 'refused' };
  const isNull = profileRoots.some((root) => rootOf(answer, root) === null);
  const isFailure = saysFailed(answer) || answer.status >= 400 || Array.isArray(at(answer.json, 'errors'));
  return { kind: isNull && !isFailure ? 'gone' : 'failed' };
}

/** Other queries have people in the same root field: only one with the profile's numbers counts as a profile. */
function profileOf(user: unknown, isOfPage: boolean): Profile | null {
  const { data } = profileAnswer.safeParse(user);
  const userId = data?.pk ?? data?.id;
  if (!data || !userId || (!isOfPage && data.follower_count == null)) return null;
  const relation = data.friendship_status;
  return {
    userId,
    username: data.username,
    isPrivate: data.is_private ?? false,
    followers: data.follower_count ?? null,
    following: data.following_count ?? null,
    posts: data.media_count ?? null,
    knowsRelation: relation?.following != null,
    weFollow: relation?.following ?? false,
    weAsked: relation?.outgoing_request ?? false,
    weBlock: relation?.blocking ?? false,
    followsUs: relation?.followed_by ?? null,
  };
}

/** Id of the account that is logged in, from an answer that contains it; null for other answers. */
export function readViewer(answer: Answer): string | null {
  const user = at(rootOf(answer, 'xdt_viewer'), 'user');
  const id = at(user, 'id') ?? at(user, 'pk');
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null;
}

/** The only `profile_id` in a profile's HTML; null when there is none, or more than one. */
export function profileIdOfHtml(html: string): string | null {
  const found = new Set([...html.matchAll(/"profile_id"\s*:\s*"(\d+)"/g)].map((match) => match[1]!));
  return found.size === 1 ? [...found][0]! : null;
}
