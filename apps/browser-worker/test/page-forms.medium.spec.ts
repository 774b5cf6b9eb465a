import { followPlan, listPlan } from './support/jobs.js';
import {
  me,
  mySession,
  navigation,
  ownProfilePage,
  pageOf,
  profileHeader,
  profileQuery,
  query,
  queryOf,
  type Script,
  scriptedSite,
} from './support/scripted-site.js';
import { testsSideBySide } from './support/side-by-side.js';
import { type KitOptions, withKit, type WorkerKit } from './support/worker-kit.js';

const people = {
  ana: { pk: '5550003', username: 'ana' },
  bia: { pk: '5550004', username: 'bia' },
};
const counters = { followers: '40', following: '7' };
const missing = '<main><h2>Esta página não está disponível.</h2></main>';
const relation = (following: boolean) => ({ following, outgoing_request: false, blocking: false });
const profileOf = ({ pk, username }: { pk: string; username: string }, following = false, over: object = {}) => ({
  data: {
    user: { pk, username, is_private: false, follower_count: 40, following_count: 7, friendship_status: relation(following), ...over },
  },
});
const failedQuery = { data: { user: null }, errors: [{ message: 'execution error' }], status: 'ok' };
const preloaded = (name: string, data: object) =>
  `<script type="application/json" data-sjs>${JSON.stringify({
    require: [[`adp_${name}RelayPreloader_1`, { __bbox: { complete: true, result: { data } } }]],
  })}</script>`;

/**
 * Runs `work` against a site of its own. An answer that is held back for two seconds comes after the time that a page has for its words, and long
 * before the time that it has to answer.
 */
async function onSite(
  script: Script,
  work: (kit: WorkerKit, requested: string[]) => Promise<void>,
  options: KitOptions = {},
): Promise<void> {
  const site = await scriptedSite(script);
  try {
    await withKit(site.url, { answerTimeoutMs: 30_000, wordTimeoutMs: 1_000, ...options }, (kit) => work(kit, site.requested));
  } finally {
    await site.dispose();
  }
}

/** For answers that never arrive; the pages of these sites are tiny. */
const impatient = { answerTimeoutMs: 5_000 };

/*
 * What a page shows before its own answers have arrived may be wrong. Each test holds an answer back and shows something else meanwhile;
 * without the answer the run would make a lasting decision.
 */
describe('an answer', () => {
  const ofPerson: Script = (_path, request) => {
    const person = Object.values(people).find(({ username }) => pageOf(request) === `/${username}/`);
    return person && queryOf(request) === profileQuery ? { json: profileOf(person) } : undefined;
  };
  const gridQuery = 'PolarisKeywordSearchExplorePageRelayQuery';
  const nextGridQuery = 'PolarisKeywordSearchExplorePageRelayPaginationQuery';
  const gridOf = ({ pk, username }: { pk: string; username: string }, hasNext: boolean) => ({
    data: {
      xdt_fbsearch__top_serp_graphql: {
        edges: [{ node: { __typename: 'XDTTopSerpMediaGridUnit', items: [{ user: { pk, username } }] } }],
        page_info: { has_next_page: hasNext },
      },
    },
  });
  const followOne = (kit: WorkerKit, person = people.ana) => kit.runPlan(mySession, followPlan(kit.slotOf([person])));

  testsSideBySide(
    [
      [
        'need not be an answer where our own profile is in its document',
        async () => {
          let following = '410';
          await onSite(
            (path) => (path === `/${me.username}/` ? { page: ownProfilePage(following) } : undefined),
            async (kit, requested) => {
              const follow = () => kit.runPlan(mySession, followPlan(kit.slotOf([])));
              expect(await follow()).toMatchObject({ outcome: 'done', stop: null, targetProblem: 'source_empty' });
              following = '7.450';
              expect(await follow()).toMatchObject({ outcome: 'done', stop: null, targetProblem: 'limit_of_network' });
              expect(requested).toContain(`/${me.username}/`);
            },
          );
        },
      ],
      [
        'to a list at an unknown address makes a changed site, seen twice, and never a limit',
        () => {
          const shop = { pk: '5550002', username: 'shop', follower_count: 40, following_count: 7, friendship_status: { following: false } };
          const listElsewhere = `<script>document.addEventListener('click', async (event) => {
          if (!event.target.closest('a[href*="/followers/"]')) return;
          event.preventDefault();
          const { people } = await (await fetch('/api/v9/people/')).json();
          const rows = people.map((name) => '<div><a href="/' + name + '/">' + name + '</a></div>').join('');
          document.body.insertAdjacentHTML('beforeend', '<div role="dialog"><div style="overflow:auto;height:300px">' + rows + '</div></div>');
        });</script>`;
          const page = `${navigation}${preloaded(profileQuery, { user: shop })}${profileHeader('shop', counters, '<button>Seguir</button>')}${listElsewhere}`;
          return onSite(
            (path) =>
              path === '/shop/'
                ? { page }
                : path === '/api/v9/people/'
                  ? { json: { people: ['ana', 'bia', 'caio'], status: 'ok' } }
                  : undefined,
            async (kit, requested) => {
              const end = await kit.runPlan(mySession, listPlan('shop', { maxPages: 10 }));
              expect(end).toMatchObject({
                outcome: 'stopped',
                stop: { class: 'site_changed', row: 16, evidence: { landmark: 'call for the followers' } },
                pages: 0,
                list: { state: 'more', cursor: null, profileTotal: 40 },
              });
              expect(requested.filter((path) => path === '/api/v9/people/')).toHaveLength(2);
            },
            impatient,
          );
        },
      ],
      [
        'on its way decides before the words that a person is missing: after a failed query nobody is written off',
        () =>
          onSite(
            (path, request) => {
              if (path === '/ana/') return { page: `${navigation}${missing}<script>${query(profileQuery)}</script>` };
              if (path === '/bia/') return { page: `${navigation}${missing}` };
              return queryOf(request) ? { json: failedQuery, delayMs: 2_000 } : undefined;
            },
            async (kit) => {
              const end = await kit.runPlan(mySession, followPlan(kit.slotOf(Object.values(people)), { budget: 2 }));
              expect(end).toMatchObject({ outcome: 'done', stop: null, tried: 0, skipped: 2 });
              expect(kit.actionsOf(end.runId).map(({ skipReason, proof }) => [skipReason, proof['reason']])).toEqual([
                ['unsettled', 'failed'],
                ['target_gone', undefined],
              ]);
            },
          ),
      ],
      [
        'on its way decides before those words also when the page sends its query later than it shows them',
        () =>
          onSite(
            (path, request) => {
              const late = `setTimeout(() => { ${query(profileQuery)} }, 500)`;
              if (path === '/ana/') return { page: `${navigation}${missing}<script>${late}</script>` };
              return queryOf(request) ? { json: failedQuery } : undefined;
            },
            async (kit) => {
              const end = await followOne(kit);
              expect(kit.actionsOf(end.runId)).toMatchObject([{ skipReason: 'unsettled', proof: { reason: 'failed' } }]);
            },
            { wordTimeoutMs: 15_000 },
          ),
      ],
      [
        'on its way decides before the header about a private person',
        () =>
          onSite(
            (path, request) => {
              const header = profileHeader('ana', counters, '<button>Seguir</button>');
              if (path === '/ana/')
                return {
                  page: `${navigation}<script>{"profile_id":"${people.ana.pk}"}</script>${header}<script>${query(profileQuery)}</script>`,
                };
              return queryOf(request) ? { json: profileOf(people.ana, false, { is_private: true }), delayMs: 60_000 } : undefined;
            },
            async (kit) => {
              const end = await followOne(kit);
              expect(end).toMatchObject({ tried: 0, skipped: 1 });
              expect(kit.actionsOf(end.runId)).toMatchObject([{ skipReason: 'unsettled', proof: { reason: 'late' } }]);
            },
            impatient,
          ),
      ],
      [
        'on its way decides before the counters of our own profile',
        () =>
          onSite(
            (path, request) => {
              if (path === `/${me.username}/`) return { page: `${ownProfilePage('7.450')}<script>${query(profileQuery)}</script>` };
              const own = { pk: me.id, username: me.username };
              return queryOf(request) ? { json: profileOf(own, false, { following_count: 410 }), delayMs: 2_000 } : undefined;
            },
            async (kit) => {
              expect(await kit.runPlan(mySession, followPlan(kit.slotOf([])))).toMatchObject({ targetProblem: 'source_empty' });
            },
          ),
      ],
      [
        'on its way decides before the button of the reloaded page whether a follow was undone',
        () => {
          let follows = 0;
          const afterFollow = `document.querySelector('header button').textContent = 'Seguindo';`;
          const afterProfile = `document.querySelector('header button').textContent =
          answer.data.user.friendship_status.following ? 'Seguindo' : 'Seguir';`;
          // Until its query is answered, the page shows the button for a person whom we do not follow.
          const page = `${navigation}${profileHeader('ana', counters, '<button>Seguir</button>')}<script>
          document.querySelector('header button').onclick = () => { ${query('usePolarisFollowMutation', afterFollow)} };
          ${query(profileQuery, afterProfile)}</script>`;
          return onSite(
            (path, request) => {
              if (path === '/ana/') return { page };
              if (queryOf(request) === profileQuery) return { json: profileOf(people.ana, follows > 0), delayMs: 2_000 };
              if (queryOf(request) === null) return undefined;
              follows += 1;
              return { json: { data: { xdt_create_friendship: { friendship_status: relation(true) } } } };
            },
            async (kit) => {
              const end = await followOne(kit);
              expect(end).toMatchObject({ outcome: 'done', stop: null, tried: 1, confirmed: 1 });
              expect(kit.actionsOf(end.runId)).toMatchObject([{ outcome: 'confirmed', proof: { headerAfterReload: 'following' } }]);
              expect(follows).toBe(1);
            },
          );
        },
      ],
      [
        'on its way to an unfollow without a menu makes the unfollow a tried one',
        () => {
          let follows = true;
          const page = `${navigation}${profileHeader('ana', counters, '<button>Seguindo</button>')}<script>
          document.querySelector('header button').onclick = () => { ${query('usePolarisUnfollowMutation')} };
          ${query(profileQuery, `document.querySelector('header button').textContent = answer.data.user.friendship_status.following ? 'Seguindo' : 'Seguir'`)}</script>`;
          return onSite(
            (path, request) => {
              if (path === '/ana/') return { page };
              if (queryOf(request) === profileQuery) return { json: profileOf(people.ana, follows) };
              if (queryOf(request) === null) return undefined;
              follows = false;
              return { json: { data: { xdt_destroy_friendship: { friendship_status: relation(false) } } }, delayMs: 60_000 };
            },
            async (kit) => {
              const targets = [{ targetId: people.ana.pk, username: 'ana' }];
              const end = await kit.runPlan(mySession, { kind: 'unfollow', targets, budget: 1 });
              expect(end).toMatchObject({ outcome: 'done', stop: null, tried: 1, confirmed: 1, skipped: 0 });
            },
            impatient,
          );
        },
      ],
      [
        'on its way decides before a login form whether the session has ended',
        () => {
          const form = '<form><input name="password"></form>';
          const showNavigation = `document.body.innerHTML = ${JSON.stringify(navigation)};`;
          return onSite(
            (path, request) => {
              if (path === '/') return { page: `${form}<script>${query('PolarisViewerQuery', showNavigation)}</script>` };
              return queryOf(request) ? { json: { data: { xdt_viewer: { user: { id: me.id } } } }, delayMs: 2_000 } : undefined;
            },
            async (kit) => {
              expect(await kit.runPlan(mySession, { kind: 'check-session' })).toMatchObject({ outcome: 'done', stop: null });
            },
          );
        },
      ],
      [
        'on its way decides before the cookies whose session it is',
        () =>
          onSite(
            (path, request) => {
              if (path === '/') return { page: `${navigation}<script>${query('PolarisViewerQuery')}</script>` };
              return queryOf(request) ? { json: { data: { xdt_viewer: { user: { id: '777' } } } }, delayMs: 2_000 } : undefined;
            },
            async (kit) => {
              expect(await kit.runPlan(mySession, { kind: 'check-session' })).toMatchObject({
                stop: { class: 'wrong_account', evidence: { found: '777' } },
              });
            },
          ),
      ],
      [
        'to the page before is not the answer of the page that is open',
        () =>
          onSite(
            (path, request) => {
              // The page of the first person keeps asking, also while the page of the second one is on its way.
              const again = `<script>setInterval(() => { ${query(profileQuery)} }, 50)</script>`;
              if (path === '/ana/') return { page: `${navigation}${missing}${again}` };
              if (path === '/bia/')
                return {
                  page: `${navigation}<script>${query(
                    profileQuery,
                    `document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(
                      profileHeader('bia', counters, '<button>Seguindo</button>'),
                    )})`,
                  )}</script>`,
                  delayMs: 600,
                };
              if (queryOf(request) === null) return undefined;
              return pageOf(request) === '/ana/' ? { json: { data: { user: null } } } : { json: profileOf(people.bia, true), delayMs: 500 };
            },
            async (kit) => {
              const end = await kit.runPlan(mySession, followPlan(kit.slotOf(Object.values(people)), { budget: 2 }));
              expect(kit.outcomesOf(end.runId)).toEqual(['target_gone', 'already_so']);
            },
          ),
      ],
      [
        'with the next page of a hashtag is waited for',
        () => {
          // The first scroll requests it, and it arrives long after the scrolls that end a grid without an answer.
          const page = `${navigation}<div style="height:4000px"></div><script>${query(gridQuery)}
          addEventListener('scroll', () => { ${query(nextGridQuery)} }, { once: true });</script>`;
          return onSite(
            (path, request, body) => {
              if (path.startsWith('/explore/tags/')) return { page };
              if (queryOf(request) === gridQuery) return { json: gridOf(people.ana, true) };
              if (queryOf(request) === nextGridQuery) return { json: gridOf(people.bia, false), delayMs: 9_000 };
              return ofPerson(path, request, body);
            },
            async (kit) => {
              kit.automations.alreadyKnown = () => true;
              const end = await kit.runPlan(mySession, followPlan({ kind: 'hashtag', hashtag: 'doces' }, { budget: 2 }));
              expect(end).toMatchObject({ outcome: 'done', stop: null, skipped: 2 });
              expect(kit.automations.proposedBy(end.runId)).toEqual([people.ana.pk, people.bia.pk]);
            },
          );
        },
      ],
      [
        'with the first page of a hashtag is trouble of the site when it does not arrive, and not a changed site',
        () =>
          onSite(
            (path, request) => {
              if (path.startsWith('/explore/tags/')) return { page: `${navigation}<script>${query(gridQuery)}</script>` };
              return queryOf(request) === gridQuery ? { delayMs: 60_000 } : undefined;
            },
            async (kit) => {
              const end = await kit.runPlan(mySession, followPlan({ kind: 'hashtag', hashtag: 'doces' }));
              expect(end).toMatchObject({ outcome: 'stopped', stop: { class: 'site_trouble', row: 9 } });
            },
            impatient,
          ),
      ],
    ],
    4,
  );
});
