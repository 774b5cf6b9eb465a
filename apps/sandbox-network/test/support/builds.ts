import type { Browser } from 'playwright';
import { makeBuild } from '../../src/build/build.js';
import type { BuildName } from '../../src/build/traits.js';
import { openWindow, testNetwork, type TestNetwork, type TestSession, type Visit } from './network.js';
import { PageClient } from './page-client.js';

/** Much longer than the time within which two actions count as simultaneous: a page may show the first one before it has sent it. */
export const personsPauseMs = 1_000;

export interface TestPost {
  pk: string;
  code: string;
  path: string;
  likes: number;
  comments: number;
}

/** Starts a network of one build for the tests of a `describe` block. */
export function inBuild(name: BuildName, browser: () => Browser) {
  let network: TestNetwork;
  let names = 0;
  beforeAll(async () => {
    network = await testNetwork({ build: name });
  });
  afterAll(() => network?.stop());

  const person = (over: Record<string, unknown> = {}) =>
    network.account({ username: `autora.${++names}`, followers: 30, following: 15, posts: 20, ...over });
  return {
    network: () => network,
    /** Sends the calls of this build by hand, for a new visitor or for the given session. */
    client: async (session?: TestSession) =>
      PageClient.open(network, session ?? (await network.visitor()), 'tester', makeBuild('tests', name, 0)),
    person,
    /** A post of a new person, or of the given one. */
    post: async ({ username, ...over }: Record<string, unknown> & { username?: string } = {}): Promise<TestPost & { author: string }> => {
      const author = username ?? (await person()).username;
      return { ...(await network.control<TestPost>('POST', '/posts', { username: author, ...over })), author };
    },
    /** Opens a window at a path. */
    visit: (path: string, options: Parameters<typeof openWindow>[3] = {}): Promise<Visit> => openWindow(browser(), network, path, options),
    verdicts: (session: TestSession) => network.ledger(`account=${session.username}&verdicts=true`),
    actions: async (session: TestSession): Promise<string[]> =>
      (await network.ledger(`account=${session.username}&action=like,unlike,comment,reply`)).map(
        ({ action, target, result }) => `${action} ${target} ${result}`,
      ),
    /** The complete list of a control route, of one JSON object a line. */
    lines: async <Row>(path: string): Promise<Row[]> =>
      (await (await fetch(`${network.url}/_sandbox${path}`)).text())
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Row),
  };
}
