import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Post } from '../population/posts.js';
import type { ObjectionKind } from '../state/objection-kinds.js';
import type { World } from '../state/world.js';
import { failedOperation } from './answer-shapes.js';
import type { Call, Form, Subject } from './call.js';
import { commentAnswer, commentPage, replyPage, restComment } from './comment-shapes.js';
import type { GraphqlRoots } from './graphql-roots.js';
import type { CallGuard } from './guard.js';
import { send } from './objection-answers.js';

const day = 86_400_000;
/** A placeholder that should have been replaced before the comment was sent. */
const placeholder = /\{\s*[\p{L}_][\p{L}\p{N}_ ]{0,40}\}/u;

/** What the page sends with a comment, in the form of today and in that of 2024-25. */
interface CommentVariables {
  data?: { comment_text?: unknown; media_id?: unknown; replied_to_comment_id?: unknown };
  request_data?: { comment_text?: unknown; replied_to_comment_id?: unknown };
  media_id?: unknown;
}

/** Comments and replies that visitors write, sections 3.2 and 4.5 of the fact sheet. */
export class CommentCalls {
  constructor(
    private readonly world: World,
    private readonly guard: CallGuard,
    private readonly roots: GraphqlRoots,
  ) {}

  async write(call: Call, reply: FastifyReply): Promise<FastifyReply> {
    const { world, guard } = this;
    const { viewer } = call;
    const { data, request_data: older, media_id: olderMediaId } = call.variables as CommentVariables;
    const mediaId = String(data?.media_id ?? olderMediaId);
    const sent = data?.comment_text ?? older?.comment_text;
    const text = typeof sent === 'string' ? sent.trim() : '';
    const answered = data?.replied_to_comment_id ?? older?.replied_to_comment_id ?? null;
    const repliedTo = typeof answered === 'string' || typeof answered === 'number' ? String(answered) : null;
    const post = world.posts.byId(mediaId);
    return guard.judge.whileActing(call, async () => {
      const subject =
        repliedTo === null
          ? { action: 'comment' as const, target: post?.code ?? null, targetId: mediaId }
          : { action: 'reply' as const, target: post?.code ?? null, targetId: repliedTo };
      guard.judge.action(call, subject);
      if (placeholder.test(text)) call.verdicts.push('raw_placeholder');
      if (repliedTo === null && this.lastText(viewer.username) === text) call.verdicts.push('repeated_text');
      const effect = await guard.object(call, reply, subject, { text });
      if (effect === 'answered') return reply;
      const reason = this.reasonAgainst(call, post, text);
      if (!post || reason) {
        guard.record(call, subject, 'refused', { verdicts: call.verdicts, detail: { reason: reason ?? 'no such post', text } });
        return reply.send(failedOperation);
      }
      const { comment, isKept } = this.keep(call, post, text, repliedTo, effect);
      guard.record(call, subject, isKept ? 'done' : 'undone', {
        objection: effect,
        verdicts: call.verdicts,
        detail: { text, pk: comment.pk, parent: comment.parentPk, author: post.owner.listedUsername },
      });
      if (call.refusedYetDone) return send(reply, call.refusedYetDone);
      world.objections.actionSucceeded(viewer.username);
      if (effect === 'done_with_status_500') void reply.code(500);
      const shown = effect === 'unchanged' ? null : commentAnswer(viewer, { ...comment, hiddenBy: null, likedBy: [] }, 0);
      return reply.send(
        guard.success(
          call,
          older ? shown && { node: shown } : { __typename: 'XIGCommentCreateMutationSuccessResponse', comment_dict: shown },
          effect,
        ),
      );
    });
  }

  private reasonAgainst({ viewer }: Call, post: Post | undefined, text: string): string | null {
    if (!post || !this.roots.shownPost(viewer, post)) return 'no such post';
    if (post.commentsDisabled) return 'comments are off';
    if (post.commentsLimited && post.owner.index !== viewer.index) return 'comments are limited';
    return text === '' ? 'no text' : null;
  }

  private keep({ viewer }: Call, post: Post, text: string, repliedTo: string | null, effect: ObjectionKind | null) {
    const comment = this.world.comments.write(post, viewer.index, text, { repliedTo });
    const isKept = effect !== 'undone_after_reload' && effect !== 'unchanged';
    if (!isKept) this.world.comments.change(post, comment.pk, { isDeleted: true });
    else if (effect === 'hidden_from_others') this.world.comments.change(post, comment.pk, { hiddenBy: 'network' });
    return { comment, isKept };
  }

  /** The text of the account's last comment within a day; undefined when there is none. */
  private lastText(username: string): unknown {
    const since = this.world.clock.now() - day;
    const sent = this.world.ledger.find({ account: username, action: 'comment', since, limit: 50 });
    return sent.findLast(({ result }) => result === 'done' || result === 'undone')?.detail['text'];
  }
}

/** REST calls about comments: the lists of one build (section 4.7), and likes of comments, which the product never gives. */
export function commentCalls(app: FastifyInstance, world: World, guard: CallGuard, roots: GraphqlRoots): void {
  interface Route {
    Params: { id: string; comment: string };
    Querystring: { min_id?: string; sort_order?: string; min_child_cursor?: string };
  }

  app.get<Route>('/api/v1/media/:id/comments/', async (request, reply) => {
    const read = await readPost(await guard.admit(request, reply, { name: 'comments', form: null }), request.params.id, reply);
    if (!read) return reply;
    const { post, viewer, effect } = read;
    if (effect === 'done_with_status_500') void reply.code(500);
    const order = request.query.sort_order === 'chronological' ? 'chronological' : 'popular';
    const page = commentPage(world, viewer, post, request.query.min_id, order);
    return reply.send({
      comment_likes_enabled: true,
      comments: page.comments.map((comment) => restComment(viewer, comment, page.replies.get(comment.pk)?.length ?? 0)),
      comment_count: world.comments.countFor(post, viewer.index),
      caption: { pk: `${post.pk.slice(0, -1)}7`, text: post.caption },
      caption_is_edited: false,
      has_more_comments: false,
      has_more_headload_comments: page.next !== null,
      ...(page.next === null ? {} : { next_min_id: page.next }),
      threading_enabled: true,
      sort_order: page.order,
      status: 'ok',
    });
  });

  app.get<Route>('/api/v1/media/:id/comments/:comment/child_comments/', async (request, reply) => {
    const read = await readPost(await guard.admit(request, reply, { name: 'replies', form: null }), request.params.id, reply);
    if (!read) return reply;
    const { post, viewer, effect } = read;
    if (effect === 'done_with_status_500') void reply.code(500);
    const { comment } = request.params;
    const page = replyPage(world, viewer, post, comment, request.query.min_child_cursor);
    return reply.send({
      child_comments: page.comments.map((each) => restComment(viewer, each, 0)),
      child_comment_count: page.replies.get(comment)?.length ?? 0,
      has_more_tail_child_comments: false,
      has_more_head_child_comments: page.next !== null,
      ...(page.next === null ? {} : { next_min_child_cursor: page.next }),
      status: 'ok',
    });
  });

  for (const [path, isLiked] of [
    ['like', true],
    ['unlike', false],
  ] as const)
    app.post<Route>(`/api/v1/web/comments/${path}/:comment/`, async (request, reply) => {
      const call = await guard.admit(request, reply, { name: 'comment_like', form: (request.body ?? {}) as Form });
      if (!call) return reply;
      const { comment } = request.params;
      const subject: Subject = { action: 'comment_like', target: null, targetId: comment };
      if ((await guard.object(call, reply, subject)) === 'answered') return reply;
      world.comments.like(comment, call.viewer.pk, isLiked);
      guard.record(call, subject, 'done', { verdicts: call.verdicts, detail: { isLiked } });
      return reply.send({ status: 'ok' });
    });

  /** @returns null when the reply is already sent. */
  async function readPost(call: Call | null, id: string, reply: FastifyReply) {
    if (!call) return null;
    const { viewer } = call;
    const post = roots.shownPost(viewer, world.posts.byId(id));
    const subject: Subject = { action: call.name === 'replies' ? 'replies' : 'comments', target: post?.code ?? null, targetId: id };
    const effect = await guard.object(call, reply, subject);
    if (effect === 'answered') return null;
    guard.record(call, subject, 'read', { verdicts: call.verdicts });
    if (post) return { post, viewer, effect };
    await reply.code(400).send({ message: 'Media not found or unavailable', status: 'fail' });
    return null;
  }
}
