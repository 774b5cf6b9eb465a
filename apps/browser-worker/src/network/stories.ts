import { z } from 'zod';
import { type Answer, at, type PageCall, rootOf, saysFailed } from './answers.js';
import { readPerson } from './people.js';
import { type Refusal, refusalIn } from './refusals.js';
import { isStoriesPath, isStorySeenPath } from './routes.js';

/** A person in the stories tray. */
export interface TrayPerson {
  readonly userId: string;
  readonly username: string;
  /** True when the account has not seen the newest story. */
  readonly hasNews: boolean;
  readonly isMuted: boolean;
}

/** One story, a photo or a video. */
export interface StoryItem {
  readonly pk: string;
  /** Seconds since 1970. */
  readonly takenAt: number;
  /** True for a story that only close friends are shown. */
  readonly isForCloseFriends: boolean;
}

/** The stories that a person shows now, oldest first. */
export interface Reel {
  readonly userId: string;
  /** When the newest story was taken that the account has seen, in seconds since 1970; 0 when it has seen none. */
  readonly seenUntil: number;
  readonly items: readonly StoryItem[];
}

const trayRoot = 'xdt_api__v1__feed__reels_tray';
const reelsRoot = 'xdt_api__v1__feed__reels_media';
const seenRoot = 'xdt_mark_story_reel_seen';

const numberText = z.union([z.string(), z.number()]).transform(String);
const trayItem = z.object({
  reel_type: z.string().nullish(),
  user: z.unknown(),
  latest_reel_media: z.number().nullish(),
  seen: z.number().nullish(),
  muted: z.boolean().nullish(),
});
const reel = z.object({
  user: z.unknown(),
  seen: z.number().nullish(),
  items: z.array(z.object({ pk: numberText, taken_at: z.number(), audience: z.string().nullish() })),
});

/** True when the page asks for somebody's stories. */
export function isReelCall({ friendlyName, path }: PageCall): boolean {
  return isStoriesPath(path) || (friendlyName !== null && /^PolarisStoriesV\d+ReelPage/.test(friendlyName));
}

/** True when the page asks for the stories tray. */
export function isTrayCall({ friendlyName, path }: PageCall): boolean {
  return isStoriesPath(path) || (friendlyName !== null && /^PolarisStoriesV\d+Tray/.test(friendlyName));
}

/** True when the page reports a story as seen: from then on its owner sees that it was viewed. */
export function isSeenCall({ friendlyName, path }: PageCall): boolean {
  return isStorySeenPath(path) || (friendlyName !== null && /^PolarisStoriesV\d+SeenMutation$/.test(friendlyName));
}

/** The people of the stories tray, without broadcasts and highlights; null when the answer is something else. */
export function readTray(answer: Answer): TrayPerson[] | null {
  const tray = at(rootOf(answer, trayRoot), 'tray') ?? (isStoriesPath(answer.path) ? at(answer.json, 'tray') : null);
  if (!Array.isArray(tray)) return null;
  return tray.flatMap((value: unknown) => {
    const { data } = trayItem.safeParse(value);
    const person = readPerson(data?.user);
    if (!data || !person || (data.reel_type ?? 'user_reel') !== 'user_reel') return [];
    const hasNews = (data.latest_reel_media ?? 0) > (data.seen ?? 0);
    return [{ userId: person.userId, username: person.username, hasNews, isMuted: data.muted ?? false }];
  });
}

/**
 * The stories that an answer contains, of each person; none where the person shows no story to the account. Null when the answer is something
 * else, and `failed` when the query has failed.
 */
export function readReels(answer: Answer): Reel[] | 'failed' | null {
  const reels = at(rootOf(answer, reelsRoot), 'reels_media') ?? (isStoriesPath(answer.path) ? at(answer.json, 'reels_media') : null);
  if (!Array.isArray(reels)) return isReelCall(answer) && saysFailed(answer) ? 'failed' : null;
  return reels.flatMap((value: unknown) => {
    const { data } = reel.safeParse(value);
    const person = readPerson(data?.user);
    if (!data || !person) return [];
    const items = data.items.map(({ pk, taken_at: takenAt, audience }) => ({ pk, takenAt, isForCloseFriends: audience === 'besties' }));
    return [{ userId: person.userId, seenUntil: data.seen ?? 0, items }];
  });
}

/** Id of the story that a call reports as seen; null where the call does not name it in a form that we know. */
export function seenStory({ variables }: Answer): string | null {
  const { data } = z.object({ reelMediaId: numberText }).safeParse(variables);
  return data?.reelMediaId ?? null;
}

/** The root field with which the network confirms that a story counts as seen; null when the answer does not. */
export function readSeen(answer: Answer): { readonly root: string } | null {
  if (saysFailed(answer)) return null;
  const value = rootOf(answer, seenRoot);
  if (value !== undefined && value !== null) return { root: seenRoot };
  return isStorySeenPath(answer.path) && at(answer.json, 'status') === 'ok' ? { root: 'stories/reel/seen' } : null;
}

/** How an answer refuses to count a story as seen; null when it does not refuse. */
export function refusalOfSeen(answer: Answer): Refusal | null {
  return readSeen(answer) ? null : refusalIn(answer);
}
