import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Account } from '../population/accounts.js';
import type { StoryItem } from '../population/stories.js';
import type { World } from '../state/world.js';
import { failedOperation } from './answer-shapes.js';
import type { Call, Form, Subject } from './call.js';
import type { CallGuard } from './guard.js';
import { send } from './objection-answers.js';
import { StoryShapes } from './story-shapes.js';

/** People whose stories one answer of the gallery holds. */
const reelsPerPage = 3;

/** Tray, reels and seen calls of stories, section 4.11 of the fact sheet. */
export class StoryCalls {
  private readonly shapes: StoryShapes;

  constructor(
    private readonly world: World,
    private readonly guard: CallGuard,
  ) {
    this.shapes = new StoryShapes(world);
  }

  /** Answers the tray and the three queries for reels. */
  async read(call: Call, reply: FastifyReply): Promise<FastifyReply> {
    const { guard, world } = this;
    const { viewer, operation, variables } = call;
    const isTray = operation === 'PolarisStoriesV3TrayContainerQuery';
    const ids = isTray ? [] : this.askedReels(call);
    const [first] = ids;
    const subject: Subject = {
      action: 'stories',
      target: first === undefined ? null : (world.accounts.byId(first)?.username ?? null),
      targetId: first ?? null,
    };
    const effect = await guard.object(call, reply, subject);
    if (effect === 'answered') return reply;
    guard.record(call, subject, 'read', {
      verdicts: call.verdicts,
      detail: { query: operation, reels: ids, after: typeof variables.after === 'string' ? variables.after : null },
    });
    if (effect === 'done_with_status_500') void reply.code(500);
    return reply.send(guard.success(call, isTray ? this.shapes.tray(viewer) : this.shapes.reels(viewer, ids), effect));
  }

  /** Counts an item as seen: by the mutation, or by REST as in older builds. */
  async see(call: Call, reply: FastifyReply, variables: Record<string, unknown>): Promise<FastifyReply> {
    const { guard, world } = this;
    const { viewer } = call;
    const pk = String(variables.reelMediaId).split('_')[0] ?? '';
    const item = world.stories.find(viewer, pk);
    return guard.judge.whileActing(call, async () => {
      const subject = { action: 'view_story' as const, target: item?.owner.username ?? null, targetId: pk };
      guard.judge.action(call, subject);
      const why = item && reasonNotToView(viewer, item);
      if (why) call.verdicts.push('story_not_to_view');
      const effect = await guard.object(call, reply, subject);
      if (effect === 'answered') return reply;
      const isOfThisReel =
        item?.owner.pk === String(variables.reelMediaOwnerId) &&
        item.owner.pk === String(variables.reelId) &&
        item.takenAt === Number(variables.reelMediaTakenAt) &&
        Number(variables.viewSeenAt) > 0;
      if (!item || !isOfThisReel) {
        guard.record(call, subject, 'refused', { verdicts: call.verdicts, detail: { reason: 'no such story' } });
        return call.operation ? reply.send(failedOperation) : reply.code(400).send({ message: 'invalid reel', status: 'fail' });
      }
      const isKept = effect !== 'undone_after_reload' && effect !== 'unchanged';
      if (isKept) world.stories.see(viewer, item);
      guard.record(call, subject, isKept ? 'done' : 'undone', {
        objection: effect,
        verdicts: call.verdicts,
        detail: { reel: item.owner.pk, media: item.mediaType === 1 ? 'photo' : 'video', ...(why ? { why } : {}) },
      });
      if (call.refusedYetDone) return send(reply, call.refusedYetDone);
      world.objections.actionSucceeded(viewer.username);
      if (effect === 'done_with_status_500') void reply.code(500);
      return reply.send(call.operation ? guard.success(call, { __typename: 'XDTStatusResponse', status: 'ok' }, effect) : { status: 'ok' });
    });
  }

  /** Records a like or a reply in the viewer, which no tool of ours may make. */
  async touch(call: Call, action: 'story_like' | 'story_reply', reply: FastifyReply): Promise<FastifyReply> {
    const { guard, world } = this;
    const { viewer, variables } = call;
    return guard.judge.whileActing(call, async () => {
      const pk = String(variables.media_id);
      const item = world.stories.find(viewer, pk);
      const subject = { action, target: item?.owner.username ?? null, targetId: pk };
      guard.judge.action(call, subject);
      call.verdicts.push('story_touched');
      const effect = await guard.object(call, reply, subject);
      if (effect === 'answered') return reply;
      if (!item) {
        guard.record(call, subject, 'refused', { verdicts: call.verdicts, detail: { reason: 'no such story' } });
        return reply.send(failedOperation);
      }
      if (action === 'story_like') world.stories.like(viewer, item);
      guard.record(call, subject, 'done', {
        objection: effect,
        verdicts: call.verdicts,
        detail: action === 'story_reply' ? { text: String(variables.text) } : {},
      });
      world.objections.actionSucceeded(viewer.username);
      return reply.send(guard.success(call, { __typename: 'XDTStatusResponse', status: 'ok' }, effect));
    });
  }

  private askedReels({ operation, variables }: Call): string[] {
    const ids = Array.isArray(variables.reel_ids) ? variables.reel_ids.map(String) : [];
    if (operation === 'PolarisStoriesV3ReelPageStandaloneQuery') return ids.slice(0, 1);
    const after = typeof variables.after === 'string' ? ids.indexOf(variables.after) : -1;
    const first =
      operation === 'PolarisStoriesV3ReelPageGalleryQuery' ? Math.max(0, ids.indexOf(String(variables.initial_reel_id))) : after + 1;
    return ids.slice(first, first + reelsPerPage);
  }
}

/** Why a careful client does not view the item; undefined when it may. */
function reasonNotToView(viewer: Account, { owner, isForCloseFriends }: StoryItem): string | undefined {
  return owner.index === viewer.index ? 'own' : isForCloseFriends ? 'close_friends' : undefined;
}

/** The REST calls of stories: the seen call of older builds, and the one by which a live broadcast counts its viewers. */
export function storyRestCalls(app: FastifyInstance, world: World, guard: CallGuard): void {
  const stories = new StoryCalls(world, guard);

  app.post('/api/v1/stories/reel/seen', async (request, reply) => {
    const form = (request.body ?? {}) as Form;
    const call = await guard.admit(request, reply, { name: 'view_story', form });
    return call ? stories.see(call, reply, form) : reply;
  });

  app.post<{ Params: { id: string } }>('/api/v1/live/:id/heartbeat_and_get_viewer_count/', async (request, reply) => {
    const call = await guard.admit(request, reply, { name: 'view_live', form: (request.body ?? {}) as Form });
    if (!call) return reply;
    const owner = world.accounts.byId(request.params.id.replace(/^180/, ''));
    const subject = { action: 'view_live' as const, target: owner?.username ?? null, targetId: owner?.pk ?? null };
    call.verdicts.push('story_not_to_view');
    if ((await guard.object(call, reply, subject)) === 'answered') return reply;
    const isLive = owner !== undefined && world.stories.isLive(call.viewer, owner);
    guard.record(call, subject, isLive ? 'done' : 'refused', { verdicts: call.verdicts, detail: { why: 'live' } });
    return isLive ? reply.send({ viewer_count: 1, status: 'ok' }) : reply.code(404).send({ message: 'Media not found', status: 'fail' });
  });
}
