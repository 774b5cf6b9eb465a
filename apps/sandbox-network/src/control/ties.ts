import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { World } from '../state/world.js';
import { knownAccount, Refusal, username } from './requests.js';

const tieChange = z.strictObject({ follower: username, followed: username, state: z.enum(['following', 'requested', 'blocking', 'none']) });

const requestAnswer = z.strictObject({ follower: username, followed: username, answer: z.enum(['accept', 'decline']) });

/** Routes about who follows, requests or blocks whom. */
export function tieControl(app: FastifyInstance, world: World): void {
  const known = (name: string) => knownAccount(world, name);

  app.post('/_sandbox/ties', (request) => {
    const { follower, followed, state } = tieChange.parse(request.body);
    world.friendships.change(known(follower).index, known(followed).index, state);
    world.changed();
    return { follower, followed, state };
  });

  app.get('/_sandbox/ties', (request) => {
    const { follower, followed } = z.object({ follower: username, followed: username }).parse(request.query);
    return { follower, followed, state: world.friendships.state(known(follower).index, known(followed).index) };
  });

  app.post('/_sandbox/requests', (request) => {
    const { follower, followed, answer } = requestAnswer.parse(request.body);
    const [from, to] = [known(follower).index, known(followed).index];
    if (world.friendships.state(from, to) !== 'requested') throw new Refusal(409, `${follower} has not asked ${followed}`);
    const state = answer === 'accept' ? 'following' : 'none';
    world.friendships.change(from, to, state);
    world.changed();
    return { follower, followed, state };
  });
}
