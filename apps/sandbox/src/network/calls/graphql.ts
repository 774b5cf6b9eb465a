import type { FastifyInstance, FastifyReply } from 'fastify';
import { operations } from '../build/build.js';
import type { Account } from '../population/accounts.js';
import { hash } from '../population/numbers.js';
import type { World } from '../state/world.js';
import { failedOperation, pictureOf, postAnswer, profileAnswer } from './answers.js';
import { type Call, type CallGuard, type Form, type Subject } from './guard.js';

const postsPerPage = 12;
const tagPostsPerPage = 24;
const suggestionsShown = 5;

/** The page's Relay calls. Mutations work on `/graphql/query` only; elsewhere they answer with a null root, as on the site. */
export function graphqlCalls(app: FastifyInstance, world: World, guard: CallGuard): void {
  for (const path of ['/graphql/query', '/api/graphql'] as const)
    app.post(path, async (request, reply) => {
      const form = (request.body ?? {}) as Form;
      const call = await guard.admit(request, reply, { name: null, form });
      if (!call?.operation) return reply;
      const operation = operations[call.operation];
      if (operation.kind === 'mutation') {
        if (path === '/graphql/query') return act(call, reply);
        return reply.send({ data: { [operation.root]: null }, extensions: { is_final: true }, status: 'ok' });
      }
      return read(call, reply);
    });

  const success = (data: Record<string, unknown>, viewer: Account) => ({
    data: { ...data, xdt_viewer: { user: { id: viewer.pk, pk: viewer.pk } } },
    extensions: { is_final: true },
    status: 'ok',
  });

  async function read(call: Call, reply: FastifyReply): Promise<FastifyReply> {
    const { viewer, variables } = call;
    const subject = subjectOf(call);
    const effect = await guard.object(call, reply, subject);
    if (effect === 'answered') return reply;
    const { root } = operations[call.operation ?? 'PolarisProfilePageContentQuery'];
    const detail = { after: typeof variables.after === 'string' ? variables.after : null };
    guard.record(call, subject, 'read', { verdicts: call.verdicts, detail });
    if (effect === 'done_with_status_500') void reply.code(500);
    switch (call.operation) {
      case 'PolarisProfilePageContentQuery': {
        const account = visible(viewer, world.accounts.byId(String(variables.id)));
        return reply.send(success({ [root]: account ? profileAnswer(world, viewer, account) : null }, viewer));
      }
      case 'PolarisProfilePostsQuery':
        return reply.send(success({ [root]: ownPosts(viewer, variables) }, viewer));
      case 'PolarisPostRootQuery': {
        const post = world.posts.byCode(String(variables.shortcode));
        const owner = post && visible(viewer, post.owner);
        if (!post || !owner || !maySeePosts(viewer, owner) || world.posts.isDeleted(post)) return reply.send(failedOperation);
        return reply.send(success({ [root]: { items: [withFriendship(viewer, owner, postAnswer(post))] } }, viewer));
      }
      case 'PolarisProfileSuggestedUsersWithPreloadableQuery':
        return reply.send(success({ [root]: { users: suggestions(viewer, String(variables.target_id)) } }, viewer));
      default:
        return reply.send(success({ [root]: tagPage(variables) }, viewer));
    }
  }

  async function act(call: Call, reply: FastifyReply): Promise<FastifyReply> {
    return guard.whileActing(call, async () => {
      const { viewer } = call;
      const subject = subjectOf(call);
      guard.judgeAction(call, subject);
      const effect = await guard.object(call, reply, subject);
      if (effect === 'answered') return reply;
      const target = visible(viewer, world.accounts.byId(String(call.variables.target_user_id)));
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
        call.name === 'unfollow' ? 'none' : before === 'following' ? 'following' : target.isPrivate ? 'requested' : 'following';
      const isKept = effect !== 'undone_after_reload' && effect !== 'unchanged';
      if (isKept) world.friendships.change(viewer.index, target.index, wanted);
      const shown = effect === 'unchanged' ? before : wanted;
      guard.record(call, subject, !isKept ? 'undone' : wanted === 'requested' ? 'requested' : 'done', {
        objection: effect,
        verdicts: call.verdicts,
        detail: { before },
      });
      if (effect === 'done_with_status_500') void reply.code(500);
      const status = {
        ...world.friendships.status(viewer.index, target.index),
        following: shown === 'following',
        outgoing_request: shown === 'requested',
      };
      const { root } = operations[call.operation ?? 'usePolarisFollowMutation'];
      return reply.send(
        success(
          {
            [root]: {
              id: target.pk,
              pk: target.pk,
              username: target.username,
              friendship_status: status,
              previous_following: before === 'following',
            },
          },
          viewer,
        ),
      );
    });
  }

  function subjectOf(call: Call): Subject {
    const { variables } = call;
    switch (call.name) {
      case 'hashtag':
        return { action: 'hashtag', target: String(variables.query).replace(/^#/, ''), targetId: null };
      case 'post':
        return { action: 'post', target: String(variables.shortcode), targetId: null };
      default: {
        const id = String(variables.target_user_id ?? variables.target_id ?? variables.id);
        return { action: call.name as Subject['action'], target: world.accounts.byId(id)?.username ?? null, targetId: id };
      }
    }
  }

  /** Undefined for whoever is gone or has blocked the visitor. */
  function visible(viewer: Account, account: Account | undefined): Account | undefined {
    if (!account || account.presence.startsWith('gone')) return undefined;
    return world.friendships.hasBlocked(account.index, viewer.index) ? undefined : account;
  }

  function maySeePosts(viewer: Account, owner: Account): boolean {
    return !owner.isPrivate || owner.index === viewer.index || world.friendships.follows(viewer.index, owner.index);
  }

  function withFriendship(viewer: Account, owner: Account, post: Record<string, unknown>): Record<string, unknown> {
    return { ...post, user: { ...(post.user as object), friendship_status: world.friendships.status(viewer.index, owner.index) } };
  }

  function ownPosts(viewer: Account, variables: Record<string, unknown>) {
    const owner = visible(viewer, world.accounts.byId(String(variables.id)));
    const start = placeAfter('p', variables);
    const end = owner && maySeePosts(viewer, owner) ? Math.min(owner.mediaCount, start + postsPerPage) : start;
    const edges = [];
    for (let number = start; number < end && owner; number++) {
      const post = world.posts.of(owner, number);
      if (post) edges.push({ node: { ...postAnswer(post), __typename: 'XDTMediaDict' }, cursor: '' });
    }
    const more = owner !== undefined && end < owner.mediaCount && end > start;
    return { edges, page_info: { has_next_page: more, end_cursor: more ? `p${end}` : null, has_previous_page: false, start_cursor: null } };
  }

  /** Fact sheet 4.9: a header, an accounts unit, then rows of posts; 24 posts a page. */
  function tagPage(variables: Record<string, unknown>) {
    const tag = String(variables.query).replace(/^#/, '').toLowerCase();
    const count = world.posts.tagCount(tag);
    let rank = placeAfter('r', variables);
    const isFirst = rank === 0;
    const items: Record<string, unknown>[] = [];
    for (; rank < count && items.length < tagPostsPerPage; rank++) {
      const post = world.posts.ofTag(tag, rank);
      if (post) items.push(postAnswer(post));
    }
    const edges: { node: Record<string, unknown>; cursor: string }[] = isFirst
      ? [
          { node: { __typename: 'XDTTopSerpHeaderUnit', title: `#${tag}` }, cursor: '' },
          { node: { __typename: 'XDTTopSerpAccountsHCMUnit', users: [] }, cursor: '' },
        ]
      : [];
    for (let start = 0; start < items.length; start += 3)
      edges.push({ node: { __typename: 'XDTTopSerpMediaGridUnit', items: items.slice(start, start + 3) }, cursor: '' });
    const more = rank < count;
    return {
      edges,
      page_info: { has_next_page: more, end_cursor: more ? `r${rank}` : null, has_previous_page: false, start_cursor: null },
    };
  }

  function suggestions(viewer: Account, targetId: string): Record<string, unknown>[] {
    const target = world.accounts.byId(targetId);
    if (!target) return [];
    const found: Record<string, unknown>[] = [];
    for (let attempt = 0; found.length < suggestionsShown && attempt < 40; attempt++) {
      const account = world.accounts.at(hash(target.index, viewer.index, attempt, 91) % world.accounts.size);
      const usable =
        account.presence === 'present' && visible(viewer, account) && account.index !== viewer.index && account.index !== target.index;
      if (!usable || world.friendships.state(viewer.index, account.index) !== 'none') continue;
      found.push({
        pk: account.pk,
        id: account.pk,
        username: account.username,
        full_name: account.fullName,
        is_private: account.isPrivate,
        is_verified: account.isVerified,
        profile_pic_url: pictureOf(account),
        social_context: 'Suggested for you',
        friendship_status: world.friendships.status(viewer.index, account.index),
      });
    }
    return found;
  }
}

/** Where a cursor such as `p24` goes on; 0 for none and for one that was never given. */
function placeAfter(letter: string, { after }: Record<string, unknown>): number {
  const cursor = typeof after === 'string' ? after : '';
  return cursor.startsWith(letter) && /^\d{1,7}$/.test(cursor.slice(1)) ? Number(cursor.slice(1)) : 0;
}
