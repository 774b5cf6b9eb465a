import type { Browser, BrowserContext, BrowserContextOptions, CDPSession } from 'playwright';
import { type GatedRequest, gatedRequests, isActing } from './gated-requests.js';

/** Decides whether a request of a context may leave the browser now; called for each request right before it would leave. */
export type MayPass = (request: GatedRequest & { readonly isActing: boolean }) => boolean;

interface GatedContext {
  readonly context: BrowserContext;
  readonly mayPass: MayPass;
}

/**
 * Holds back every page load and every call of every page, frame, worker and service worker of a browser until this process releases it. A
 * frozen process releases nothing. The gate is attached to the browser as a whole, so that no page can send anything before it is attached,
 * and the browser's caches stay on (a Playwright route would switch them off).
 */
export class CallGate {
  /** By the browser's id of the context. */
  private readonly contexts = new Map<string, GatedContext>();
  /** Id of the context by id of a frame or worker in it; open contexts only. */
  private readonly owners = new Map<string, string>();
  private opening: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly browser: Browser,
    private readonly session: CDPSession,
    private readonly onRefused: (request: GatedRequest) => void,
  ) {}

  /** @param onRefused called for each request that was refused. @throws Error when the browser is gone. */
  static async attach(browser: Browser, onRefused: (request: GatedRequest) => void = () => undefined): Promise<CallGate> {
    const session = await browser.newBrowserCDPSession();
    const gate = new CallGate(browser, session, onRefused);
    session.on('Fetch.requestPaused', (paused) => void gate.decide(paused));
    await session.send('Fetch.enable', { patterns: gatedRequests.map((pattern) => ({ ...pattern, requestStage: 'Request' as const })) });
    return gate;
  }

  /** Opens a context whose requests `mayPass` decides about. @throws Error when the browser is gone. */
  open(options: BrowserContextOptions, mayPass: MayPass): Promise<BrowserContext> {
    // One at a time: Playwright does not tell the id of the new context, so it is the one that was not there before.
    const opened = this.opening.then(async () => {
      const before = await this.contextIds();
      const context = await this.browser.newContext(options);
      const [id, ...others] = (await this.contextIds()).filter((one) => !before.includes(one));
      if (id === undefined || others.length > 0) {
        await context.close();
        throw new Error('the id of a new browser context could not be determined');
      }
      this.contexts.set(id, { context, mayPass });
      context.once('close', () => this.forget(id));
      return context;
    });
    this.opening = opened.catch(() => undefined);
    return opened;
  }

  private async contextIds(): Promise<string[]> {
    return (await this.session.send('Target.getBrowserContexts')).browserContextIds;
  }

  private forget(id: string): void {
    this.contexts.delete(id);
    for (const [frame, owner] of this.owners) if (owner === id) this.owners.delete(frame);
  }

  /** Never throws: a request whose context is unknown is refused, and one that the browser gave up meanwhile needs no decision. */
  private async decide({ requestId, frameId, request }: { requestId: string; frameId: string; request: GatedRequest }): Promise<void> {
    const owner = this.owners.get(frameId) ?? (await this.findOwner(frameId).catch(() => null));
    const gated = owner === null ? undefined : this.contexts.get(owner);
    // There must be no `await` between this decision and the command to the browser.
    if (gated?.mayPass({ ...request, isActing: isActing(request) })) {
      await this.session.send('Fetch.continueRequest', { requestId }).catch(() => undefined);
      return;
    }
    this.onRefused(request);
    await this.session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }).catch(() => undefined);
  }

  /** @returns the id of the context that a frame or worker belongs to; null when the browser does not know it any more. */
  private async findOwner(frameId: string): Promise<string | null> {
    // Pages, frames of other sites and workers are targets of their own, with the same id.
    const { targetInfos } = await this.session.send('Target.getTargets');
    let owner = targetInfos.find(({ targetId }) => targetId === frameId)?.browserContextId ?? null;
    owner ??= await this.ownerOfInnerFrame(frameId);
    if (owner !== null && this.contexts.has(owner)) this.owners.set(frameId, owner);
    return owner;
  }

  private async ownerOfInnerFrame(frameId: string): Promise<string | null> {
    for (const [id, { context }] of this.contexts) {
      for (const page of context.pages()) {
        const session = await context.newCDPSession(page).catch(() => null);
        if (!session) continue; // the page closed meanwhile
        const tree = await session.send('Page.getFrameTree').catch(() => null);
        void session.detach().catch(() => undefined);
        if (tree && containsFrame(tree.frameTree, frameId)) return id;
      }
    }
    return null;
  }
}

interface FrameTree {
  readonly frame: { readonly id: string };
  readonly childFrames?: readonly FrameTree[];
}

function containsFrame({ frame, childFrames }: FrameTree, frameId: string): boolean {
  return frame.id === frameId || (childFrames ?? []).some((child) => containsFrame(child, frameId));
}
