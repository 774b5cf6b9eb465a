import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Post } from '../population/posts.js';
import type { ShownComment } from '../state/comments.js';
import type { PostSettings } from '../state/published-posts.js';
import type { World } from '../state/world.js';
import { count, knownAccount, Refusal, streamLines, username } from './requests.js';

/** What a test may say about a post; `src/state/published-posts.ts` explains each field. */
const settings = z.strictObject({
  caption: z.string().max(2_200).optional(),
  mediaType: z.union([z.literal(1), z.literal(2), z.literal(8)]).optional(),
  likes: count.optional(),
  comments: count.max(20_000).optional(),
  at: z.iso.datetime({ offset: true }).optional(),
  commentsDisabled: z.boolean().optional(),
  commentsLimited: z.boolean().optional(),
  commentsHidden: z.boolean().optional(),
  likesHidden: z.boolean().optional(),
  coauthors: z.array(username).max(5).optional(),
  presence: z.enum(['present', 'deleted']).optional(),
});
const newPost = settings.extend({ username });
const newComment = z.strictObject({
  post: z.string(),
  username,
  text: z.string().trim().min(1).max(2_200),
  at: z.iso.datetime({ offset: true }).optional(),
  parent: z.string().optional(),
});
const commentChange = z.strictObject({ text: z.string().trim().min(1).max(2_200).optional(), hidden: z.boolean().optional() });
const like = z.strictObject({ username, post: z.string(), isLiked: z.boolean().default(true) });

/** Routes about posts, who likes them and what is commented on them. */
export function postControl(app: FastifyInstance, world: World): void {
  app.post('/_sandbox/posts', (request, reply) => {
    const { username: name, ...wanted } = newPost.parse(request.body);
    const post = world.posts.create(knownAccount(world, name), {
      ...settingsOf(wanted),
      takenAt: Math.floor((wanted.at ? Date.parse(wanted.at) : world.clock.now()) / 1000),
    });
    if (!post) throw new Refusal(409, `${name} cannot have more posts`);
    world.changed();
    return reply.code(201).send(describe(post));
  });

  app.get<{ Params: { code: string } }>('/_sandbox/posts/:code', (request) => describe(knownPost(world, request.params.code)));

  app.put<{ Params: { code: string } }>('/_sandbox/posts/:code', (request) => {
    const { code } = request.params;
    world.posts.change(knownPost(world, code), settingsOf(settings.parse(request.body)));
    world.changed();
    return describe(knownPost(world, code));
  });

  app.get<{ Params: { code: string } }>('/_sandbox/posts/:code/likers', (request, reply) => {
    const post = knownPost(world, request.params.code);
    return streamLines(reply, world.likes.all(post), ({ pk, listedUsername, fullName, isPrivate, isVerified, presence }) => ({
      pk,
      username: listedUsername,
      fullName,
      isPrivate,
      isVerified,
      presence,
    }));
  });

  app.post('/_sandbox/likes', (request) => {
    const { username: name, post: code, isLiked } = like.parse(request.body);
    const post = knownPost(world, code);
    world.likes.change(post, knownAccount(world, name).index, isLiked);
    world.changed();
    return { post: code, username: name, isLiked, likes: world.likes.countOf(post) };
  });

  app.post('/_sandbox/comments', (request, reply) => {
    const { post: code, username: name, text, at, parent } = newComment.parse(request.body);
    const post = knownPost(world, code);
    if (parent !== undefined) knownComment(post, parent);
    const { pk, parentPk } = world.comments.write(post, knownAccount(world, name).index, text, {
      ...(at === undefined ? {} : { at: Date.parse(at) }),
      ...(parent === undefined ? {} : { repliedTo: parent }),
    });
    world.changed();
    return reply.code(201).send({ pk, parent: parentPk });
  });

  app.get<{ Params: { code: string } }>('/_sandbox/posts/:code/comments', (request, reply) =>
    streamLines(reply, world.comments.all(knownPost(world, request.params.code)), describeComment),
  );

  app.put<{ Params: { code: string; pk: string } }>('/_sandbox/posts/:code/comments/:pk', (request) => {
    const post = knownPost(world, request.params.code);
    const { pk } = knownComment(post, request.params.pk);
    const { text, hidden } = commentChange.parse(request.body);
    world.comments.change(post, pk, {
      ...(text === undefined ? {} : { text }),
      ...(hidden === undefined ? {} : { hiddenBy: hidden ? 'owner' : null }),
    });
    world.changed();
    return describeComment(knownComment(post, pk));
  });

  app.delete<{ Params: { code: string; pk: string } }>('/_sandbox/posts/:code/comments/:pk', (request) => {
    const post = knownPost(world, request.params.code);
    const { pk } = knownComment(post, request.params.pk);
    world.comments.change(post, pk, { isDeleted: true });
    world.changed();
    return { deleted: pk };
  });

  function knownComment(post: Post, pk: string): ShownComment {
    const comment = world.comments.find(post, pk);
    if (!comment) throw new Refusal(404, `the post has no comment ${pk}`);
    return comment;
  }

  function settingsOf({ at, coauthors, ...given }: z.infer<typeof settings>): PostSettings {
    return {
      ...given,
      ...(at === undefined ? {} : { takenAt: Math.floor(Date.parse(at) / 1000) }),
      ...(coauthors === undefined ? {} : { coauthors: coauthors.map((name) => knownAccount(world, name).pk) }),
    };
  }

  function describe(post: Post) {
    return {
      pk: post.pk,
      code: post.code,
      path: `/p/${post.code}/`,
      username: post.owner.username,
      mediaType: post.mediaType,
      caption: post.caption,
      takenAt: new Date(post.takenAt * 1000).toISOString(),
      likes: world.likes.countOf(post),
      comments: world.comments.all(post).length,
      commentsDisabled: post.commentsDisabled,
      commentsLimited: post.commentsLimited,
      commentsHidden: post.commentsHidden,
      likesHidden: post.likesHidden,
      coauthors: post.coauthors.map(({ username: name }) => name),
      isAd: post.isAd,
      presence: world.posts.isDeleted(post) ? 'deleted' : 'present',
    };
  }
}

const describeComment = ({ pk, author, text, createdAt, parentPk, isEdited, hiddenBy }: ShownComment) => ({
  pk,
  username: author.listedUsername,
  text,
  at: new Date(createdAt * 1000).toISOString(),
  parent: parentPk,
  isEdited,
  hiddenBy,
});

/** @throws Refusal (404) when there is no such post. */
export function knownPost(world: World, code: string): Post {
  const post = world.posts.byCode(code);
  if (!post) throw new Refusal(404, `there is no post ${code}`);
  return post;
}
