import type { Account } from '../population/accounts.js';
import { hash } from '../population/hashing.js';
import { codeOfId } from '../population/posts.js';
import { type StoryItem, storyLife } from '../population/stories.js';
import { pictureKinds } from '../population/picture-kinds.js';
import type { World } from '../state/world.js';
import { pictureOf, postUser } from './answer-shapes.js';

/** People in the tray at most. */
const trayLength = 100;
/** Length of the only video, in seconds. */
const videoSeconds = 3;

/** Tray and reels as in section 4.11 of the fact sheet, for calls and for documents that contain them. */
export class StoryShapes {
  constructor(private readonly world: World) {}

  /** People with stories: the visitor first, then unseen ones, seen ones and muted ones. */
  tray(viewer: Account): Record<string, unknown> {
    const { stories, friendships } = this.world;
    const broadcasts: Record<string, unknown>[] = [];
    const found: { owner: Account; items: StoryItem[]; rank: number }[] = [];
    for (const owner of friendships.all(viewer.index, 'following')) {
      if (stories.isLive(viewer, owner)) broadcasts.push(this.broadcast(owner));
      const items = stories.shownTo(viewer, owner);
      if (items.length > 0) found.push({ owner, items, rank: hash(viewer.index, owner.index, 79) / 2 ** 32 + this.classOf(viewer, items) });
      if (found.length >= trayLength) break;
    }
    found.sort((one, other) => one.rank - other.rank);
    const own = stories.shownTo(viewer, viewer);
    if (own.length > 0) found.unshift({ owner: viewer, items: own, rank: 0 });
    return {
      broadcasts,
      tray: found.map(({ owner, items }, place) => this.reel(viewer, owner, items, place)),
    };
  }

  /** The reels of these people that the visitor may see. */
  reels(viewer: Account, ids: readonly string[]): Record<string, unknown> {
    const reels: Record<string, unknown>[] = [];
    const hidden: Record<string, unknown>[] = [];
    for (const [place, id] of ids.entries()) {
      const owner = this.world.accounts.byId(id);
      if (!owner) continue;
      const items = this.world.stories.shownTo(viewer, owner);
      if (items.length > 0)
        reels.push({
          ...this.reel(viewer, owner, items, place),
          items: items.map((item) => this.item(viewer, item)),
        });
      else if (this.world.stories.itemsOf(owner).length > 0) hidden.push({ user: postUser(owner) });
    }
    return { reels_media: reels, unviewable_authors_infos: hidden };
  }

  /** 0 unseen, 1 seen, 2 muted. */
  private classOf(viewer: Account, items: readonly StoryItem[]): number {
    const { stories } = this.world;
    const last = items.at(-1);
    if (!last) return 0;
    return stories.isMuted(viewer, last.owner) ? 2 : stories.seenAt(viewer, last.owner) >= last.takenAt ? 1 : 0;
  }

  private broadcast(owner: Account): Record<string, unknown> {
    return {
      id: `180${owner.pk}`,
      broadcast_status: 'active',
      broadcast_owner: postUser(owner),
      cover_frame_url: `/static/media/${hash(owner.index, 80) % pictureKinds}.jpg`,
      published_time: Math.floor(this.world.clock.now() / 3_600_000) * 3_600,
    };
  }

  private reel(viewer: Account, owner: Account, items: readonly StoryItem[], place: number): Record<string, unknown> {
    const { stories, friendships } = this.world;
    const latest = items.at(-1)?.takenAt ?? 0;
    const seen = stories.seenAt(viewer, owner);
    return {
      id: owner.pk,
      reel_type: 'user_reel',
      user: {
        ...postUser(owner),
        profile_pic_url: pictureOf(owner),
        reel_media_seen_timestamp: seen || null,
        friendship_status: owner.index === viewer.index ? null : friendships.status(viewer.index, owner.index),
      },
      latest_reel_media: latest,
      seen,
      expiring_at: latest + storyLife,
      ranked_position: place + 1,
      seen_ranked_position: place + 1,
      muted: stories.isMuted(viewer, owner),
      has_besties_media: items.some(({ isForCloseFriends }) => isForCloseFriends),
      media_count: items.length,
      __typename: 'XDTReelDict',
    };
  }

  private item(viewer: Account, item: StoryItem): Record<string, unknown> {
    const { pk, owner, takenAt, mediaType, plays, isForCloseFriends } = item;
    return {
      pk,
      id: `${pk}_${owner.pk}`,
      code: codeOfId(BigInt(pk)),
      taken_at: takenAt,
      expiring_at: takenAt + storyLife,
      media_type: mediaType,
      product_type: 'story',
      video_duration: mediaType === 2 ? videoSeconds : null,
      video_versions:
        mediaType === 2 ? [{ type: 101, width: 720, height: 1280, url: `/static/stories/${plays ? pk : 'broken'}.mp4` }] : null,
      image_versions2: {
        candidates: [{ width: 720, height: 1280, url: `/static/media/${hash(Number(pk.slice(-9)), 81) % pictureKinds}.jpg` }],
      },
      original_width: 720,
      original_height: 1280,
      can_reply: true,
      can_reshare: true,
      has_audio: mediaType === 2 ? true : null,
      has_liked: this.world.stories.hasLiked(viewer, item),
      audience: isForCloseFriends ? 'besties' : null,
      user: { pk: owner.pk, id: owner.pk },
      __typename: 'XDTMediaDict',
    };
  }
}
