import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Account } from '../population/accounts.js';
import { feedVariants } from '../state/feed.js';
import { interruptionKinds, type World } from '../state/world.js';
import { count, knownAccount, Refusal, streamLines, username } from './requests.js';

const namedAccount = z.strictObject({
  username,
  fullName: z.string().optional(),
  followers: count.optional(),
  following: count.optional(),
  posts: count.max(2_000).optional(),
  isPrivate: z.boolean().optional(),
  isVerified: z.boolean().optional(),
  presence: z.enum(['present', 'gone_404', 'gone_200', 'renamed']).optional(),
  renamedTo: username.optional(),
});
const renaming = z.strictObject({ to: username, takenBySomebodyElse: z.boolean().default(false) });

/** Routes about accounts: creating and renaming them, and the dialogs and banners of their next page. */
export function accountControl(app: FastifyInstance, world: World): void {
  const known = (name: string) => knownAccount(world, name);

  app.get('/_sandbox/accounts', (request) => {
    const { offset, limit } = z
      .object({ offset: z.coerce.number().int().min(0).default(0), limit: z.coerce.number().int().min(1).max(1_000).default(50) })
      .parse(request.query);
    const end = Math.min(world.accounts.count, offset + limit);
    return {
      total: world.accounts.count,
      accounts: Array.from({ length: Math.max(0, end - offset) }, (_, place) => describe(world.accounts.at(offset + place))),
    };
  });

  app.post('/_sandbox/accounts', (request) => {
    const wanted = namedAccount.parse(request.body);
    const computed = world.accounts.byUsername(wanted.username);
    if (computed && !world.accounts.isNamed(computed.index)) throw new Refusal(409, `${wanted.username} is one of the computed people`);
    for (const each of [wanted.followers, wanted.following])
      if (each !== undefined && each > world.accounts.size) throw new Refusal(400, `at most ${world.accounts.size} people can be had`);
    return describe(world.accounts.at(world.ensureAccount(wanted)));
  });

  app.post<{ Params: { username: string } }>('/_sandbox/accounts/:username/rename', (request) => {
    const account = known(request.params.username);
    const { to, takenBySomebodyElse } = renaming.parse(request.body);
    if (world.accounts.byListedUsername(to)) throw new Refusal(409, `somebody is called ${to} already`);
    world.rename(account, to);
    if (takenBySomebodyElse) world.ensureAccount({ username: account.username });
    return { renamed: describe(known(to)), taken: takenBySomebodyElse ? describe(known(account.username)) : null };
  });

  app.get<{ Params: { username: string } }>('/_sandbox/accounts/:username', (request) => describe(known(request.params.username)));

  for (const kind of ['followers', 'following'] as const)
    app.get<{ Params: { username: string } }>(`/_sandbox/accounts/:username/${kind}`, (request, reply) =>
      streamPeople(reply, known(request.params.username), kind),
    );

  app.get<{ Params: { username: string } }>('/_sandbox/accounts/:username/feed', (request, reply) => {
    const { variant } = z.object({ variant: z.enum(feedVariants).default('home') }).parse(request.query);
    const viewer = known(request.params.username);
    return streamLines(reply, world.feed.items(viewer, variant), (item) =>
      'post' in item
        ? {
            kind: item.kind,
            code: item.post.code,
            username: item.post.owner.listedUsername,
            isFollowed: world.friendships.follows(viewer.index, item.post.owner.index),
            likesHidden: item.post.likesHidden,
          }
        : { kind: item.kind },
    );
  });

  app.put<{ Params: { username: string } }>('/_sandbox/accounts/:username/interruptions', (request) => {
    const { kinds } = z.strictObject({ kinds: z.array(z.enum(interruptionKinds)) }).parse(request.body);
    world.interruptions.set(request.params.username, kinds);
    world.changed();
    return { kinds };
  });

  app.post<{ Params: { username: string } }>('/_sandbox/accounts/:username/forgive', (request) => {
    world.objections.forgive(request.params.username);
    world.changed();
    return { forgiven: true };
  });

  function describe(account: Account) {
    return {
      pk: account.pk,
      username: account.username,
      listedUsername: account.listedUsername,
      fullName: account.fullName,
      isPrivate: account.isPrivate,
      isVerified: account.isVerified,
      hasStory: world.stories.latestOf(account) > 0,
      presence: account.presence,
      followers: world.friendships.followerCount(account.index),
      following: world.friendships.followingCount(account.index),
      posts: world.posts.countOf(account),
    };
  }

  /** The complete true list, one JSON object a line, as the site's lists name the people. */
  function streamPeople(reply: FastifyReply, account: Account, kind: 'followers' | 'following'): FastifyReply {
    return streamLines(reply, world.lists.people(account, kind), (each) => ({
      pk: each.pk,
      username: each.listedUsername,
      fullName: each.fullName,
      isPrivate: each.isPrivate,
      isVerified: each.isVerified,
      hasStory: world.stories.latestOf(each) > 0,
      presence: each.presence,
    }));
  }
}
