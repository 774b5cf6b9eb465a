import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { StoryItem } from '../population/stories.js';
import { storyLife } from '../population/stories.js';
import type { World } from '../state/world.js';
import { count, knownAccount, username } from './requests.js';

const newItem = z.strictObject({
  type: z.enum(['photo', 'video']).default('photo'),
  plays: z.boolean().default(true),
  closeFriends: z.boolean().default(false),
  ageMs: count.default(0),
});
const stories = z.strictObject({ items: z.array(newItem).max(100).optional(), live: z.boolean().optional() });

/** Routes about stories: publishing them, live broadcasts, and whose stories an account has muted. */
export function storyControl(app: FastifyInstance, world: World): void {
  const known = (name: string) => knownAccount(world, name);

  app.put<{ Params: { username: string } }>('/_sandbox/accounts/:username/stories', (request) => {
    const owner = known(request.params.username);
    const { items, live } = stories.parse(request.body);
    if (items) world.stories.publish(owner, items);
    if (live !== undefined) world.stories.setLive(owner, live);
    world.changed();
    return { items: world.stories.itemsOf(owner).map(describe) };
  });

  app.get<{ Params: { username: string } }>('/_sandbox/accounts/:username/stories', (request) => ({
    items: world.stories.itemsOf(known(request.params.username)).map(describe),
  }));

  app.put<{ Params: { username: string } }>('/_sandbox/accounts/:username/muted-stories', (request) => {
    const { usernames } = z.strictObject({ usernames: z.array(username) }).parse(request.body);
    world.stories.mute(known(request.params.username), usernames.map(known));
    world.changed();
    return { usernames };
  });
}

const describe = ({ pk, mediaType, takenAt, isForCloseFriends, plays }: StoryItem) => ({
  pk,
  type: mediaType === 1 ? 'photo' : 'video',
  takenAt: new Date(takenAt * 1_000).toISOString(),
  endsAt: new Date((takenAt + storyLife) * 1_000).toISOString(),
  closeFriends: isForCloseFriends,
  plays,
});
