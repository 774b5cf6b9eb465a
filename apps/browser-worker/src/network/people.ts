import type { CollectedPerson } from '@decola/contracts';
import { z } from 'zod';

/** Ids of people are strings or numbers, under `pk` or, where that is missing, under `id`. */
const personId = z.union([z.string(), z.number()]).transform(String);
const person = z.object({
  pk: personId.nullish(),
  id: personId.nullish(),
  username: z.string().min(1),
  full_name: z.string().nullish(),
  is_private: z.boolean().nullish(),
  is_verified: z.boolean().nullish(),
  latest_reel_media: z.number().nullish(),
});

/** A person as a row of a list or the author of a post; null when the row has no username or no numeric id. */
export function readPerson(row: unknown): CollectedPerson | null {
  const { data } = person.safeParse(row);
  const userId = data?.pk ?? data?.id;
  if (!data || !userId || !/^\d+$/.test(userId)) return null;
  return {
    userId,
    username: data.username,
    fullName: data.full_name ?? '',
    isPrivate: data.is_private ?? false,
    isVerified: data.is_verified ?? false,
    hasStory: (data.latest_reel_media ?? 0) > 0,
  };
}
