import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { canaryPassed, runKind } from '@decola/contracts';
import { casesOf, collectEvents, eventually, testBroker } from '@decola/testing';
import { type CanaryJson, type CanaryRun, runCanary } from './support/canary-process.js';
import { Network } from './support/network.js';
import { sideBySide, testsSideBySide } from './support/side-by-side.js';

type Language = 'pt' | 'en';
type Customer = Awaited<ReturnType<Network['customer']>>;

const recipes = [
  'start page',
  'own profile',
  'hashtag grid',
  'followers list',
  'profile with its follow button',
  'profile with its message button',
  'feed',
  'grid of a profile',
  'post with its heart',
  'post with its comment box',
  'comments of a post',
  'stories tray',
  'story before it is shown',
  'conversation with its message box',
  'following list',
  'likers of a post',
].sort();

/** How long the canary waits for what a changed page never shows; long enough for what the other pages show. */
const missedAfterMs = '10000';
const allKinds: readonly string[] = [...runKind.options].sort();

/** An operator's account with everything that the canary looks at, in a part of the network of its own. */
class Operator {
  private constructor(
    private readonly network: Network,
    readonly me: Customer,
    readonly profile: string,
    readonly hashtag: string,
    readonly post: string,
    readonly teller: string,
    readonly thread: string,
  ) {}

  static async of(network: Network, tag: string, language: Language = 'pt'): Promise<Operator> {
    const me = await network.customer(language, { following: 0, followers: 5 });
    const { username: profile } = await network.account({ followers: 30, following: 30, posts: 6 });
    const hashtag = `zz${tag}`;
    const post = await network.post({ caption: `hoje #${hashtag}`, comments: 20, likes: 40 });
    const friend = await network.post({});
    await network.tie(me.username, friend.username, 'following');
    await network.call('PUT', `/accounts/${friend.username}/stories`, { items: [{ ageMs: 60_000 }] });
    const { thread } = await network.call<{ thread: string }>('POST', '/messages', { from: friend.username, to: me.username, text: 'oi' });
    return new Operator(network, me, profile, hashtag, post.code, friend.username, thread);
  }

  get session(): string {
    return this.me.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  async run(words: readonly string[] = [], environment: NodeJS.ProcessEnv = {}): Promise<CanaryRun> {
    const subjects = { CANARY_PROFILE: this.profile, CANARY_HASHTAG: this.hashtag, CANARY_THREAD: this.thread };
    const run = await runCanary(this.network.url, this.session, { words, environment: { ...subjects, ...environment } });
    for (const { value } of this.me.cookies.filter(({ value: { length } }) => length >= 16)) {
      expect(run.stdout + run.stderr).not.toContain(value);
      expect(run.stdout + run.stderr).not.toContain(decodeURIComponent(value));
    }
    return run;
  }

  async json(environment: NodeJS.ProcessEnv = {}): Promise<{ code: number | null; found: CanaryJson; wrong: [string, string][] }> {
    const { code, stdout, stderr } = await this.run(['--json'], environment);
    expect(stderr).toBe('');
    const found = JSON.parse(stdout) as CanaryJson;
    const wrong = found.results.flatMap((result): [string, string][] => {
      if (result.result === 'fits') return [];
      return [[result.recipe, result.result === 'not tried' ? `not tried: ${result.because}` : result.landmark]];
    });
    return { code, found, wrong };
  }

  object(script: Record<string, unknown>): Promise<unknown> {
    return this.network.object({ username: this.me.username, times: null, ...script });
  }

  /** The account did nothing that counts, and nothing that the network holds against it. */
  async expectNothingDone(): Promise<void> {
    expect(await this.network.actions(this.me.username)).toEqual([]);
    expect(await this.network.verdicts(this.me.username)).toEqual([]);
  }
}

describe.each(casesOf(['main', 'drift'], () => 'any build'))('the canary on the pages of the build %s', (build) => {
  const network = new Network();
  beforeAll(() => network.start(build));
  afterAll(() => network.stop());

  const languages = ['pt', 'en'] as const;
  const run = sideBySide(languages, async (language) => {
    const operator = await Operator.of(network, `${build}${language}`, language);
    const { code, stdout, stderr } = await operator.run();
    const lines = stdout.trim().split('\n');
    expect(lines.filter((line) => !line.startsWith('fits '))).toEqual([]);
    expect(lines.map((line) => line.slice('fits '.length).trim()).sort()).toEqual(recipes);
    expect([code, stderr]).toEqual([0, '']);
    await operator.expectNothingDone();
    const pages = await network.ledger({ account: operator.me.username, action: 'page_view' });
    expect(pages.length).toBeLessThanOrEqual(18);
  });
  it.each(languages)('finds every screen in %s, and acts on nothing', (language) => run(languages.indexOf(language)));
});

/** Screens that are made unlike what the drivers know, by the scripts of the sandbox network, and what the canary then says. */
const changes = {
  'button of a profile': {
    script: ({ profile }: Operator) => ({ kind: 'button_missing', call: 'page', target: profile }),
    wrong: [
      ['profile with its follow button', 'button in the profile header'],
      ['profile with its message button', 'message button in the profile header'],
    ],
    kinds: ['follow', 'unfollow', 'send-dm'],
  },
  'page of a hashtag': {
    script: () => ({ kind: 'html_instead_of_json', call: 'hashtag' }),
    wrong: [['hashtag grid', 'html']],
    kinds: ['follow', 'like', 'comment', 'view-story'],
  },
  'buttons of a post': {
    script: ({ post }: Operator) => ({ kind: 'button_missing', call: 'page', target: `/p/${post}/` }),
    wrong: [
      ['post with its heart', 'heart of a post'],
      ['post with its comment box', 'comment box'],
    ],
    kinds: ['like', 'comment', 'send-dm'],
  },
  'page before a story': {
    script: ({ teller }: Operator) => ({ kind: 'landmark_missing', call: 'page', target: `/stories/${teller}/` }),
    wrong: [['story before it is shown', 'button that shows a story']],
    kinds: ['view-story'],
  },
  'page of a conversation': {
    script: ({ thread }: Operator) => ({ kind: 'landmark_missing', call: 'page', target: `/direct/t/${thread}/` }),
    wrong: [['conversation with its message box', 'conversation']],
    kinds: ['send-dm'],
  },
} as const;
type Change = keyof typeof changes;

describe.each<[build: string, cases: [Change, Language][]]>([
  [
    'main',
    [
      ['button of a profile', 'pt'],
      ['page of a hashtag', 'en'],
      ['buttons of a post', 'pt'],
      ['page before a story', 'en'],
      ['page of a conversation', 'pt'],
    ],
  ],
  [
    'drift',
    [
      ['button of a profile', 'en'],
      ['buttons of a post', 'en'],
      ['page of a hashtag', 'pt'],
    ],
  ],
])('on a changed page of the build %s the canary', (build, cases) => {
  const network = new Network();
  beforeAll(() => network.start(build));
  afterAll(() => network.stop());

  const run = sideBySide(cases, async ([change, language]) => {
    const operator = await Operator.of(network, `changed${build}${cases.findIndex(([one]) => one === change)}`, language);
    const { script, wrong, kinds } = changes[change];
    await operator.object(script(operator));
    // The post is named, so that the recipes for posts do not depend on the hashtag.
    const seen = await operator.json({ CANARY_POST: operator.post, ANSWER_TIMEOUT_MS: missedAfterMs });
    expect(seen.wrong).toEqual(wrong);
    expect(seen.code).toBe(1);
    expect([...seen.found.kindsThatFit].sort()).toEqual(allKinds.filter((kind) => !(kinds as readonly string[]).includes(kind)));
    for (const result of seen.found.results) {
      if (result.result === 'does not fit')
        expect([result.row, existsSync(result.screenshot!)]).toEqual([change === 'page of a hashtag' ? 10 : 16, true]);
    }
    await operator.expectNothingDone();
  });
  it.each(cases)('names what does not fit, and only that: the %s, in %s', (change, language) =>
    run(cases.findIndex((one) => one[0] === change && one[1] === language)),
  );
});

describe('the canary', () => {
  const network = new Network();
  beforeAll(() => network.start());
  afterAll(() => network.stop());
  const invalid = (session: string, words: string[] = []) => runCanary(network.url, session, { words });

  testsSideBySide([
    [
      'tells automations which kinds of runs fit, and when it began',
      async () => {
        const operator = await Operator.of(network, 'told');
        const broker = await testBroker();
        const told = await collectEvents(broker.url, 'canary.*');
        try {
          await operator.object(changes['page before a story'].script(operator));
          const before = Date.now();
          const { found } = await operator.json({ RABBITMQ_URL: broker.url, ANSWER_TIMEOUT_MS: missedAfterMs });
          const [event, ...others] = await eventually(() => {
            expect(told.events.length).toBeGreaterThan(0);
            return told.events;
          });
          expect(others).toEqual([]);
          expect(event!.type).toBe(canaryPassed.type);
          expect(event!.payload).toEqual({ kinds: found.kindsThatFit, at: found.at });
          expect([...found.kindsThatFit].sort()).toEqual(allKinds.filter((kind) => kind !== 'view-story'));
          expect(Date.parse(found.at)).toBeGreaterThanOrEqual(before);
        } finally {
          await told.dispose();
          await broker.dispose();
        }
      },
    ],
    [
      'opens nothing more after the network objected, and tells automations only what it had seen before',
      async () => {
        const operator = await Operator.of(network, 'objected');
        const broker = await testBroker();
        const told = await collectEvents(broker.url, 'canary.*');
        try {
          await operator.object({ kind: 'challenge_required', call: 'page', target: `/explore/tags/${operator.hashtag}/` });
          const { code, stdout } = await operator.run([], { RABBITMQ_URL: broker.url });
          const lines = stdout.trim().split('\n');
          expect(lines.slice(0, 4)).toEqual([
            'fits          start page',
            'fits          own profile',
            'not tried     hashtag grid: challenge (row 3)',
            'not tried     followers list: challenge (row 3)',
          ]);
          expect(lines.slice(2).every((line) => line.endsWith(': challenge (row 3)'))).toBe(true);
          expect(code).toBe(1);
          // The pages of these two recipes, and the one that objected.
          expect(await network.ledger({ account: operator.me.username, action: 'page_view' })).toHaveLength(1 + 2 + 1);
          await operator.expectNothingDone();
          await eventually(() => expect(told.events.map(({ payload }) => payload['kinds'])).toEqual([['check-session']]));
        } finally {
          await told.dispose();
          await broker.dispose();
        }
      },
    ],
    [
      'says what it could not try, and why',
      async () => {
        const operator = await Operator.of(network, 'untried');
        const { username: quiet } = await network.account({ followers: 0, following: 3, posts: 0 });
        await network.call('PUT', `/accounts/${operator.teller}/stories`, { items: [] });
        const { wrong, code } = await operator.json({ CANARY_PROFILE: quiet, CANARY_HASHTAG: 'zznothinghere', CANARY_THREAD: '' });
        expect(wrong).toEqual([
          ['hashtag grid', 'not tried: #zznothinghere has no posts'],
          ['followers list', `not tried: the followers list of ${quiet} is empty`],
          ['grid of a profile', `not tried: ${quiet} has no posts`],
          ['post with its heart', expect.stringContaining('not tried: no post is known')],
          ['post with its comment box', expect.stringContaining('not tried: no post is known')],
          ['comments of a post', expect.stringContaining('not tried: no post is known')],
          ['story before it is shown', expect.stringContaining('not tried: nobody in the tray has a story')],
          ['conversation with its message box', 'not tried: CANARY_THREAD is not set'],
          ['likers of a post', expect.stringContaining('not tried: no post is known')],
        ]);
        expect(code).toBe(1);
        await operator.expectNothingDone();
      },
    ],
    [
      'reads a session from a file in any form that customers paste, and says when it has ended',
      async () => {
        const operator = await Operator.of(network, 'ended');
        const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'canary-session-')), 'session.json');
        writeFileSync(file, JSON.stringify(Object.fromEntries(operator.me.cookies.map(({ name, value }) => [name, value]))));
        await network.call('DELETE', `/sessions/${operator.me.id}?reason=logout`);
        const { code, stdout } = await runCanary(network.url, '', { words: ['--session-file', file] });
        expect(stdout.trim().split('\n')[0]).toBe('not tried     start page: session_ended (row 6)');
        expect(stdout).not.toMatch(/^(fits|does not fit)/m);
        expect(code).toBe(1);
      },
    ],
    [
      'refuses what is no session, and repeats none of it',
      async () => {
        const secret = '1234567%3AAbCdEfGhIjKlMn%3A12%3AAYdHashHashHash';
        for (const run of [
          await invalid(''),
          await invalid(`csrftoken=${secret}`),
          await invalid('', [`sessionid=${secret}`]),
          await invalid('', [`--sessionid=${secret}`]),
          await invalid('', ['--session-file', `/nowhere/${secret}`]),
        ]) {
          expect([run.code, run.stdout]).toEqual([1, '']);
          expect(run.stderr).not.toBe('');
          expect(run.stderr).not.toContain(secret.slice(0, 12));
        }
      },
    ],
  ]);
});
