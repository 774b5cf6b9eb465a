import { type OperationName, rootOf } from '../build/operations.js';
import { feedPage } from '../calls/feed.js';
import { GraphqlRoots } from '../calls/graphql-roots.js';
import { StoryShapes } from '../calls/story-shapes.js';
import type { Account } from '../population/accounts.js';
import { hash, keyOf } from '../population/hashing.js';
import type { World } from '../state/world.js';

/** JSON inside a script element must not end the element. */
export const inScript = (value: unknown): string => JSON.stringify(value).replace(/</g, '\\u003c');

/**
 * Answers that documents of preloading builds contain: the feed, the tray, reels, profiles with their first posts, posts with their first comments. In these builds
 * the visitor's own profile is available in no other way.
 */
export class Preloads {
  private readonly roots: GraphqlRoots;
  private readonly stories: StoryShapes;

  constructor(private readonly world: World) {
    this.roots = new GraphqlRoots(world);
    this.stories = new StoryShapes(world);
  }

  /** The script elements with preloaded answers for the document at this path. */
  scriptsFor(viewer: Account, address: URL): string[] {
    const { build, accounts } = this.world;
    if (!build.traits.preloads) return [];
    if (address.pathname === '/')
      return [
        this.script(
          viewer,
          'PolarisFeedTimelineRootV2Query',
          feedPage(this.world, viewer, { variant: address.searchParams.get('variant') }),
        ),
        this.script(viewer, 'PolarisStoriesV3TrayContainerQuery', this.stories.tray(viewer)),
      ];
    const [, first = '', second = ''] = address.pathname.split('/');
    if (first === 'stories') {
      const owner = this.roots.visible(viewer, accounts.byUsername(second));
      return owner ? [this.script(viewer, 'PolarisStoriesV3ReelPageStandaloneQuery', this.stories.reels(viewer, [owner.pk]))] : [];
    }
    if (first === 'p' || first === 'reel') {
      const post = this.roots.post(viewer, second);
      if (!post) return [];
      return [
        this.script(viewer, 'PolarisPostRootQuery', post),
        this.script(viewer, 'PolarisPostCommentsContainerQuery', this.roots.comments(viewer, this.world.posts.byCode(second), {})),
      ];
    }
    const account = this.roots.visible(viewer, accounts.byUsername(first));
    if (!account) return [];
    return [
      this.script(viewer, build.traits.profileQuery, this.roots.profile(viewer, account)),
      ...(this.roots.maySeePosts(viewer, account)
        ? [this.script(viewer, 'PolarisProfilePostsQuery', this.roots.postsOf(viewer, { username: account.username }))]
        : []),
    ];
  }

  private script(viewer: Account, operation: OperationName, value: unknown): string {
    const data = { [rootOf(operation, {})]: value, xdt_viewer: { user: { id: viewer.pk, pk: viewer.pk } } };
    const key = `adp_${operation}RelayPreloader_${hash(keyOf(operation), viewer.index, this.world.clock.now() % 2 ** 31).toString(16)}`;
    const content = { __bbox: { complete: true, result: { data, extensions: { is_final: true } }, sequence_number: 0 } };
    return `<script type="application/json" data-sjs>${inScript({
      require: [
        ['ScheduledServerJS', 'handle', null, [{ __bbox: { require: [['RelayPrefetchedStreamCache', 'next', [], [key, content]]] } }]],
      ],
    })}</script>`;
  }
}
