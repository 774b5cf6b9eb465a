import type { FastifyInstance, FastifyReply } from 'fastify';
import { addressOf } from '../build/build.js';
import { type CallName, rootOf } from '../build/operations.js';
import { codeOfId, type Post } from '../population/posts.js';
import type { World } from '../state/world.js';
import { failedOperation } from './answer-shapes.js';
import { DirectCalls } from './direct.js';
import type { Call, Form, Subject } from './call.js';
import { CommentCalls } from './comments.js';
import { feedPage, variantOf } from './feed.js';
import type { GraphqlRoots } from './graphql-roots.js';
import { type CallGuard } from './guard.js';
import { LikeCalls } from './likes.js';
import { send } from './objection-answers.js';
import { graphqlList, type PeopleLists } from './people-lists.js';
import { StoryCalls } from './stories.js';

/** The page's GraphQL calls. Each operation works on one of the two paths; on the other the root is null, as on the site. */
export function graphqlCalls(app: FastifyInstance, world: World, guard: CallGuard, lists: PeopleLists, roots: GraphqlRoots): void {
  const likes = new LikeCalls(world, guard, roots);
  const comments = new CommentCalls(world, guard, roots);
  const stories = new StoryCalls(world, guard);
  const direct = new DirectCalls(world, guard);

  for (const path of ['/graphql/query', '/api/graphql'] as const)
    app.post(path, async (request, reply) => {
      const form = (request.body ?? {}) as Form;
      const call = await guard.admit(request, reply, { name: null, form });
      if (!call?.operation) return reply;
      if (addressOf(call.build, call.operation).path !== path)
        return reply.send({ data: { [rootOf(call.operation, call.variables)]: null }, extensions: { is_final: true }, status: 'ok' });
      return (handlers[call.name] ?? read)(call, reply);
    });

  /** Calls that are more than reading one value. */
  const handlers: Partial<Record<CallName, (call: Call, reply: FastifyReply) => Promise<FastifyReply>>> = {
    follow: (call, reply) => tie(call, 'follow', reply),
    unfollow: (call, reply) => tie(call, 'unfollow', reply),
    followers: (call, reply) => list(call, 'followers', reply),
    following: (call, reply) => list(call, 'following', reply),
    like: (call, reply) => likes.change(call, 'like', reply),
    unlike: (call, reply) => likes.change(call, 'unlike', reply),
    comment: (call, reply) => comments.write(call, reply),
    reply: (call, reply) => comments.write(call, reply),
    stories: (call, reply) => stories.read(call, reply),
    view_story: (call, reply) => stories.see(call, reply, call.variables),
    story_like: (call, reply) => stories.touch(call, 'story_like', reply),
    story_reply: (call, reply) => stories.touch(call, 'story_reply', reply),
    inbox: (call, reply) => direct.inbox(call, reply),
    thread: (call, reply) => direct.read(call, reply),
  };

  async function read(call: Call, reply: FastifyReply): Promise<FastifyReply> {
    const { variables } = call;
    const subject = subjectOf(call);
    const effect = await guard.object(call, reply, subject);
    if (effect === 'answered') return reply;
    const detail = { after: typeof variables.after === 'string' ? variables.after : null };
    guard.record(call, subject, 'read', { verdicts: call.verdicts, detail });
    if (effect === 'done_with_status_500') void reply.code(500);
    const value = valueOf(call);
    return reply.send(value === undefined ? failedOperation : guard.success(call, value, effect));
  }

  /** Value of the root field; undefined when the operation fails on the server. */
  function valueOf({ name, viewer, variables, build, hasClaim }: Call): unknown {
    switch (name) {
      case 'profile': {
        const account = world.accounts.byId(String(variables.id));
        // The visitor's own profile is in the document and not available by this call.
        return build.traits.preloads && account?.index === viewer.index ? null : roots.profile(viewer, account);
      }
      case 'posts':
        return roots.postsOf(viewer, variables);
      case 'post':
        return roots.post(viewer, String(variables.shortcode));
      case 'comments':
        return roots.comments(viewer, postOf(variables), variables);
      case 'replies':
        return roots.replies(viewer, postOf(variables), variables);
      case 'likers':
        return roots.likers(viewer, String(variables.id), hasClaim);
      case 'feed':
        return feedPage(world, viewer, variables);
      case 'suggestions':
        return { users: roots.suggestions(viewer, String(variables.target_id)) };
      default:
        return roots.tagPage(viewer, variables);
    }
  }

  async function list(call: Call, kind: 'followers' | 'following', reply: FastifyReply): Promise<FastifyReply> {
    const { userID, after, query } = call.variables;
    const answer = await lists.read(call, reply, graphqlList, {
      kind,
      id: String(userID),
      cursor: typeof after === 'string' ? after : null,
      query: typeof query === 'string' ? query : '',
    });
    if (answer === 'answered') return reply;
    if (answer.effect === 'done_with_status_500') void reply.code(500);
    return reply.send(answer.body === null ? failedOperation : guard.success(call, answer.body, answer.effect));
  }

  async function tie(call: Call, action: 'follow' | 'unfollow', reply: FastifyReply): Promise<FastifyReply> {
    return guard.judge.whileActing(call, async () => {
      const { viewer } = call;
      const subject = { ...subjectOf(call), action };
      guard.judge.action(call, subject);
      const effect = await guard.object(call, reply, subject);
      if (effect === 'answered') return reply;
      const target = roots.visible(viewer, world.accounts.byId(String(call.variables.target_user_id)));
      if (!target || target.index === viewer.index) {
        guard.record(call, subject, 'refused', { verdicts: call.verdicts, detail: { reason: 'no such person' } });
        return reply.send(failedOperation);
      }
      const before = world.friendships.state(viewer.index, target.index);
      if (before === 'blocking') {
        guard.record(call, subject, 'refused', { verdicts: call.verdicts, detail: { reason: 'blocked by the visitor' } });
        return reply.send(failedOperation);
      }
      const wanted =
        action === 'unfollow'
          ? 'none'
          : before === 'following'
            ? 'following'
            : target.isPrivate || effect === 'target_reviewed_pending'
              ? 'requested'
              : 'following';
      const isKept = effect !== 'undone_after_reload' && effect !== 'unchanged';
      if (isKept) world.friendships.change(viewer.index, target.index, wanted);
      const shown = effect === 'unchanged' ? before : wanted;
      guard.record(call, subject, !isKept ? 'undone' : wanted === 'requested' ? 'requested' : 'done', {
        objection: effect,
        verdicts: call.verdicts,
        detail: { before },
      });
      if (call.refusedYetDone) return send(reply, call.refusedYetDone);
      world.objections.actionSucceeded(viewer.username);
      if (effect === 'done_with_status_500') void reply.code(500);
      // The operations of lists and suggestions have a short answer, without a field for a pending request.
      if (call.operation?.startsWith('usePolarisFollowUser'))
        return reply.send(guard.success(call, { id: target.pk, friendship_status: { following: shown === 'following' } }, effect));
      const status = {
        ...world.friendships.status(viewer.index, target.index),
        following: shown === 'following',
        outgoing_request: shown === 'requested',
      };
      const friendship = {
        id: target.pk,
        pk: target.pk,
        username: target.username,
        friendship_status: status,
        previous_following: before === 'following',
      };
      return reply.send(guard.success(call, friendship, effect));
    });
  }

  /** The post whose comments are read; the page names it by its id, documents by its code. */
  function postOf({ media_id: id, shortcode }: Record<string, unknown>): Post | undefined {
    return typeof id === 'string' ? world.posts.byId(id) : world.posts.byCode(String(shortcode));
  }

  function subjectOf(call: Call): Subject {
    const { variables } = call;
    switch (call.name) {
      case 'feed':
        return { action: 'feed', target: variantOf(variables.variant), targetId: null };
      case 'hashtag':
        return { action: 'hashtag', target: String(variables.query).replace(/^#/, ''), targetId: null };
      case 'likers': {
        const id = String(variables.id);
        return { action: 'likers', target: /^\d{1,20}$/.test(id) ? codeOfId(BigInt(id)) : id, targetId: id };
      }
      case 'post':
        return { action: 'post', target: String(variables.shortcode), targetId: null };
      case 'comments':
      case 'replies': {
        const post = postOf(variables);
        return { action: call.name, target: post?.code ?? null, targetId: post?.pk ?? null };
      }
      case 'posts': {
        const username = String(variables.username);
        return { action: 'posts', target: username, targetId: world.accounts.byUsername(username)?.pk ?? null };
      }
      default: {
        const id = String(variables.target_user_id ?? variables.target_id ?? variables.id);
        return { action: call.name as Subject['action'], target: world.accounts.byId(id)?.username ?? null, targetId: id };
      }
    }
  }
}
