import type { FastifyReply } from 'fastify';
import { codeOfId } from '../population/posts.js';
import type { World } from '../state/world.js';
import { failedOperation } from './answer-shapes.js';
import type { Call } from './call.js';
import type { GraphqlRoots } from './graphql-roots.js';
import type { CallGuard } from './guard.js';
import { send } from './objection-answers.js';

/** Likes and unlikes of posts, sections 3.2 and 4.5 of the fact sheet. */
export class LikeCalls {
  constructor(
    private readonly world: World,
    private readonly guard: CallGuard,
    private readonly roots: GraphqlRoots,
  ) {}

  async change(call: Call, action: 'like' | 'unlike', reply: FastifyReply): Promise<FastifyReply> {
    const { world, guard } = this;
    const { viewer } = call;
    return guard.judge.whileActing(call, async () => {
      const { input } = call.variables;
      // Today's mutations wrap their variables in `input`, which also names the actor.
      const { media_id: mediaId, actor_id: actorId } = (input ?? call.variables) as { media_id?: unknown; actor_id?: unknown };
      const pk = String(mediaId);
      const subject = { action, target: /^\d{1,20}$/.test(pk) ? codeOfId(BigInt(pk)) : pk, targetId: pk };
      const post = world.posts.byId(pk);
      guard.judge.action(call, subject);
      const isOwn = post && [post.owner, ...post.coauthors].some(({ index }) => index === viewer.index);
      if (action === 'like' && (isOwn || post?.isAd)) call.verdicts.push('own_post_or_ad');
      const effect = await guard.object(call, reply, subject);
      if (effect === 'answered') return reply;
      if (!post || !this.roots.shownPost(viewer, post) || (input && actorId !== viewer.fbid)) {
        guard.record(call, subject, 'refused', { verdicts: call.verdicts, detail: { reason: 'no such post' } });
        return reply.send(failedOperation);
      }
      const before = world.likes.has(post, viewer.index);
      const wanted = action === 'like';
      const isKept = effect !== 'undone_after_reload' && effect !== 'unchanged';
      if (isKept) world.likes.change(post, viewer.index, wanted);
      guard.record(call, subject, isKept ? 'done' : 'undone', {
        objection: effect,
        verdicts: call.verdicts,
        detail: { author: post.owner.listedUsername, before },
      });
      if (call.refusedYetDone) return send(reply, call.refusedYetDone);
      world.objections.actionSucceeded(viewer.username);
      if (effect === 'done_with_status_500') void reply.code(500);
      const media = { id: `${pk}_${post.owner.pk}`, has_liked: effect === 'unchanged' ? before : wanted };
      return reply.send(
        guard.success(call, input ? { media: { __typename: 'XDTMediaDict', ...media } } : { __typename: 'XDTMediaDict', ...media }, effect),
      );
    });
  }
}
