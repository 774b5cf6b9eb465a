import type { BrowserContext } from 'playwright';
import type { BrowserPool } from '../../../browser-worker/src/browser/browser-pool.js';
import { StopError } from '../../../browser-worker/src/driver/driver.errors.js';
import type { Landmarks } from '../../../browser-worker/src/driver/page-scripts.js';
import type { PageViews } from '../../../browser-worker/src/driver/page-views.js';
import type { SiteTab, SiteTabOptions } from '../../../browser-worker/src/driver/site-tab.js';
import { type Objection, toStopSignal } from '../../../browser-worker/src/network/signals.js';
import type { SimulatedNetwork } from './simulated-network.js';

/** The name of an account, which its profile link shows. */
export const nameOf = (id: string) => `conta_${id}`;

/** What a run has instead of a browser context: the session's cookies. */
class SimulatedContext {
  private readonly stored: { name: string; value: string }[] = [];
  /** The run whose tab was opened in it. */
  run: { runId: string; automationId: string } | null = null;

  addCookies(cookies: { name: string; value: string }[]): Promise<void> {
    this.stored.push(...cookies);
    return Promise.resolve();
  }

  cookies() {
    return Promise.resolve(this.stored);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** The account whose session it is. */
  get accountId(): string {
    const session = this.stored.find(({ name }) => name === 'sessionid')?.value ?? '';
    return decodeURIComponent(session).split(':', 1)[0]!;
  }
}

/** As much of a tab as the engine itself needs: the start page, on which it reads whose session it is, and objections. */
export class SimulatedTab {
  action: SiteTab['action'] = null;
  readonly path = '/';
  stopped = false;
  private readonly views: PageViews;

  constructor(
    readonly accountId: string,
    { views }: SiteTabOptions,
    private readonly network: SimulatedNetwork,
  ) {
    this.views = views!;
  }

  visit(): Promise<void> {
    this.views.require(1);
    this.load(1);
    return Promise.resolve();
  }

  /** Opens documents that the engine has required before. */
  load(documents: number): void {
    for (let count = 0; count < documents; count += 1) {
      this.views.count();
      this.network.view(this.accountId, 'page-view');
    }
  }

  landmarks(): Promise<Landmarks> {
    return Promise.resolve({
      isLoaded: true,
      hasInbox: true,
      barLinks: [`/${nameOf(this.accountId)}/`],
      hasLoginForm: false,
      hasProfileHeader: false,
      language: 'pt-BR',
      headings: [],
      counters: { followers: null, following: null },
    });
  }

  look<Result>(probe: () => Promise<Result | null>): Promise<Result | null> {
    return probe();
  }

  withReload<Result>(step: () => Promise<Result>): Promise<Result> {
    return step();
  }

  listen() {
    return () => undefined;
  }

  isComplete = () => true;
  handleDialogs = () => Promise.resolve();
  screenshot = () => Promise.resolve(null);
  blurredPicture = () => Promise.resolve(null);
  readLoginState = () => Promise.resolve('in' as const);

  object(objection: Objection): StopError {
    this.stopped = true;
    return new StopError(toStopSignal(objection, this.action));
  }
}

/** What a worker has instead of Chromium. A tab is opened by `openTab`, and the network hears of its beginning and its end. */
export class SimulatedBrowsers {
  constructor(
    private readonly network: SimulatedNetwork,
    /** The run that holds an account's lease. */
    private readonly runOf: (accountId: string) => { runId: string; automationId: string },
  ) {}

  open(): Promise<SimulatedContext> {
    return Promise.resolve(new SimulatedContext());
  }

  readonly openTab = (context: BrowserContext, options: SiteTabOptions): Promise<SiteTab> => {
    const simulated = context as unknown as SimulatedContext;
    const { accountId } = simulated;
    simulated.run = this.runOf(accountId);
    this.network.open(accountId, simulated.run.runId, simulated.run.automationId);
    return Promise.resolve(new SimulatedTab(accountId, options, this.network) as unknown as SiteTab);
  };

  closeContext({ accountId, run }: SimulatedContext): Promise<boolean> {
    if (run) this.network.close(accountId, run.runId);
    return Promise.resolve(true);
  }

  get asPool(): BrowserPool {
    return this as unknown as BrowserPool;
  }
}
