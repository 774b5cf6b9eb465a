import { setTimeout as sleep } from 'node:timers/promises';
import type { RunAction, StopSignal } from '@decola/contracts';
import type { BrowserContext, ElementHandle, Frame, Page, Request, Response } from 'playwright-core';
import { type Answer, parseBody } from '../network/answers.js';
import { isLabel, type Label } from '../network/labels.js';
import { isDataPath } from '../network/routes.js';
import {
  type DialogSight,
  harmlessButtons,
  type Interruption,
  meaningOfDialog,
  objectionOfAddress,
  objectionOfAnswer,
  objectionOfFrame,
  objectionOfLoad,
  type Objection,
  type PageLoad,
  toStopSignal,
} from '../network/signals.js';
import { BrowserGoneError, isBrowserGone, RepairNeededError, StopError } from './errors.js';
import { type Landmarks, namesOf, readLandmarks, sightDialogs } from './page-scripts.js';

/** What the tab asks before every look and every click: it throws when the run must not go on. */
export interface RunGuard {
  assertMayGoOn(): void;
}

export interface SiteTabOptions {
  readonly baseUrl: URL;
  readonly guard: RunGuard;
  /** How long the page may take to show something or to answer. */
  readonly answerTimeoutMs: number;
  /** After so long without any answer to a look, the page hangs and is given up. Default: 60 s, far more than a slow one takes. */
  readonly hangTimeoutMs?: number;
}

/** A page load as the driver sees it. */
export interface LoadedPage extends PageLoad {
  /** The document as it came, before any script ran. */
  html(): Promise<string>;
}

const anyButton = ':is(button, [role="button"], [role="menuitem"])';
const anyDialog = ':is([role="dialog"], [role="alertdialog"], [role="menu"]):not(article *)';
const bannerButtons = ':is(button, [role="button"]):not(:is([role="dialog"], [role="alertdialog"], [role="menu"], article, header) *)';
const lookEveryMs = 100;
const listenEveryMs = 15;
/** Longer than any body takes to arrive once its head is there. */
const bodyTimeoutMs = 5_000;
const hangTimeoutMs = 60_000;
/** How long a dialog that objects waits for the answer that caused it: the answer says more, and may reach us later. */
const settleMs = 1_500;

/**
 * One tab of the network's site. It acts as a person does (addresses, clicks, the wheel) and listens to what the page's own
 * calls are answered. Every look and every click first asks whether the network has objected; after the first objection
 * nothing is clicked any more.
 */
export class SiteTab {
  /** The action under way, for the stop signal; null while reading. */
  action: RunAction | null = null;
  private readonly hearers = new Set<(answer: Answer) => void>();
  private readonly hearing = new Set<Promise<void>>();
  /** The page's own calls that have no answer yet. */
  private readonly unanswered = new Set<Request>();
  private readonly closedInterruptions = new Set<Interruption>();
  private objection: Objection | null = null;
  private objectionWeight = 0;
  private repairAsked: Objection | null = null;
  private repaired = false;
  private crashed = false;
  private lastLoad: LoadedPage | null = null;
  private unknownDialog = false;

  private constructor(
    readonly page: Page,
    private readonly options: SiteTabOptions,
  ) {
    page.on('request', (request) => {
      if (isCall(request)) this.unanswered.add(request);
    });
    page.on('requestfailed', (request) => this.unanswered.delete(request));
    page.on('response', (response) => this.onResponse(response));
    page.on('framenavigated', (frame) => this.onMoved(frame));
    page.on('crash', () => (this.crashed = true));
  }

  static async open(context: BrowserContext, options: SiteTabOptions): Promise<SiteTab> {
    return new SiteTab(await context.newPage(), options);
  }

  get path(): string {
    return new URL(this.page.url()).pathname;
  }

  get url(): URL {
    return new URL(this.page.url());
  }

  /** True once the network objected (row 10 counts only the second time). */
  get stopped(): boolean {
    return this.objection !== null;
  }

  /** Hears every answer to the page's own calls, in order of arrival, until the returned function is called. */
  listen(hear: (answer: Answer) => void): () => void {
    this.hearers.add(hear);
    return () => this.hearers.delete(hear);
  }

  /**
   * Goes to an address of the site. @throws StopError when the network objects, RepairNeededError for the first ambiguous
   * sign, BrowserGoneError when the browser crashed.
   */
  async visit(path: string): Promise<LoadedPage> {
    await this.check();
    this.lastLoad = null;
    return this.load(() =>
      this.page.goto(new URL(path, this.options.baseUrl).href, { waitUntil: 'domcontentloaded', timeout: this.loadTimeoutMs }),
    );
  }

  /** Loads the same address again. */
  async reload(): Promise<LoadedPage> {
    await this.check();
    this.lastLoad = null;
    return this.load(() => this.page.reload({ waitUntil: 'domcontentloaded', timeout: this.loadTimeoutMs }));
  }

  /** @throws when the run must not go on: the lease, the worker, the browser or the network says so. */
  async check(): Promise<void> {
    this.options.guard.assertMayGoOn();
    await this.hearOut();
    if (this.crashed || this.page.isClosed()) throw new BrowserGoneError('page');
    if (this.objection) throw this.object(this.objection);
    if (this.repairAsked) throw new RepairNeededError();
    this.options.guard.assertMayGoOn();
  }

  /** Waits for the answers whose bodies are still on their way. */
  async hearOut(): Promise<void> {
    if (this.hearing.size > 0) await Promise.race([Promise.all(this.hearing), sleep(bodyTimeoutMs, undefined, { ref: false })]);
  }

  /** Does a reading step; when the page needs to be loaded again, does it a second time from its beginning, once in a run. */
  async repairing<Result>(step: () => Promise<Result>): Promise<Result> {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof RepairNeededError)) throw error;
      this.beginRepair();
      return await step();
    }
  }

  /** Takes note that the page is about to be loaded again; from now on an ambiguous sign is an objection. */
  beginRepair(): void {
    this.repaired = true;
    this.repairAsked = null;
  }

  /**
   * Looks until `probe` finds something, closing harmless interruptions on the way.
   * @returns null when time runs out. @throws as `check`.
   */
  async look<Result>(
    probe: () => Promise<Result | null> | Result | null,
    timeoutMs = this.options.answerTimeoutMs,
  ): Promise<Result | null> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      await this.check();
      const found = await this.inPage(probe);
      if (found !== null) {
        await this.check();
        return found;
      }
      await this.readDialogs();
      if (performance.now() >= deadline) return null;
      await sleep(lookEveryMs);
    }
  }

  /**
   * Waits a moment for something that an answer brings, without looking at the page. @returns null when time runs out.
   * @throws as `check`.
   */
  async waitForHeard<Result>(heard: () => Result | null, timeoutMs: number): Promise<Result | null> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      await this.check();
      const found = heard();
      if (found !== null || performance.now() >= deadline) return found;
      await sleep(listenEveryMs);
    }
  }

  /**
   * As `look`, for something that must be there. The first time it is not, the page may have come broken: it is loaded again,
   * unless a dialog that we do not know explains it. @throws RepairNeededError, then StopError row 16.
   */
  async require<Result>(landmark: string, probe: () => Promise<Result | null> | Result | null): Promise<Result> {
    const found = await this.look(probe);
    if (found !== null) return found;
    throw this.missing(landmark);
  }

  /** True when an absent landmark is the page's own: it was loaded again already, and no dialog that we do not know lies over it. */
  get showsAllItHas(): boolean {
    return this.repaired && !this.unknownDialog && this.objection === null;
  }

  /** What to throw while reading when a landmark is absent: once that the page be loaded again, then row 16. */
  missing(landmark: string): StopError | RepairNeededError {
    if (this.repaired || this.unknownDialog || this.objection !== null) return this.siteChanged(landmark);
    this.repairAsked ??= { class: 'site_changed', row: 16, evidence: { landmark, path: this.path } };
    return new RepairNeededError();
  }

  /** Row 16: something known is absent and no known dialog explains it. */
  siteChanged(landmark: string): StopError {
    return this.object({ class: 'site_changed', row: 16, evidence: { landmark, path: this.path, unknownDialog: this.unknownDialog } });
  }

  /** Row 13 (three different items in a row), row 14 and others that only the run can see. @returns the error to throw. */
  object(objection: Objection): StopError {
    this.objection ??= objection;
    this.objectionWeight = weight.told;
    return new StopError(toStopSignal(this.objection, this.action));
  }

  /** Closes what may be closed, the topmost first, and reads the rest. @throws StopError when a dialog objects. */
  async readDialogs(): Promise<void> {
    for (;;) {
      const sights = await this.inPage(() => this.page.evaluate(sightDialogs));
      const seen = sights.map((sight) => ({ sight, meaning: meaningOfDialog(sight) }));
      for (const { meaning } of seen) {
        if (meaning.kind !== 'stop') continue;
        await this.settle();
        throw this.object({ ...meaning.objection, evidence: { ...meaning.objection.evidence, path: this.path } });
      }
      this.unknownDialog = seen.some(({ meaning }) => meaning.kind === 'unknown');
      // Dialogs lie over banners, and the last one over the others.
      const top = seen.findLast(({ sight }) => sight.role !== 'banner') ?? seen[0];
      if (top?.meaning.kind !== 'interruption' || !(await this.closeInterruption(top.meaning.interruption, top.sight.role))) return;
    }
  }

  landmarks(): Promise<Landmarks> {
    return this.inPage(() => this.page.evaluate(readLandmarks));
  }

  /**
   * The first visible element of `selector` (within `root`) that goes by one of the labels, the label named first before the
   * others.
   */
  findLabelled<L extends Label>(
    selector: string,
    labels: readonly L[],
    root?: ElementHandle,
  ): Promise<{ element: ElementHandle; label: L } | null> {
    return this.inPage(async () => bestLabelled(await (root ?? this.page).$$(selector), labels));
  }

  /**
   * Clicks as a person does: only what is there, visible and not covered. @returns false when it cannot be clicked. True says
   * that the click may have been made: a page that hangs under it never confirms it, and what it shows later decides.
   */
  async click(element: ElementHandle): Promise<boolean> {
    await this.readDialogs();
    await this.check();
    const timeout = Math.min(this.options.answerTimeoutMs, 5_000);
    try {
      await element.click({ trial: true, timeout });
    } catch (error) {
      if (isBrowserGone(error)) throw new BrowserGoneError(error);
      await this.check();
      return false;
    }
    await this.check();
    await element.click({ timeout }).catch((error: unknown) => {
      if (isBrowserGone(error)) throw new BrowserGoneError(error);
    });
    return true;
  }

  /** After a stop: reads once whether `/` still knows us. Nothing else is done on the site then. */
  async readLoginState(): Promise<'in' | 'out' | 'unknown'> {
    try {
      await this.page.goto(this.options.baseUrl.href, { waitUntil: 'domcontentloaded', timeout: this.loadTimeoutMs });
      const deadline = performance.now() + this.options.answerTimeoutMs;
      while (performance.now() < deadline) {
        const landmarks = await this.landmarks().catch(() => null);
        if (landmarks?.hasInbox) return 'in';
        if (landmarks?.hasLoginForm || /^\/accounts\/login/.test(this.path)) return 'out';
        await sleep(lookEveryMs);
      }
      return 'unknown';
    } catch {
      return 'unknown';
    }
  }

  /** A picture of what is visible. Never throws; null when there is none to take. */
  async picture(): Promise<Buffer | null> {
    return this.unlessHanging(this.page.screenshot({ timeout: 5_000 })).catch(() => null);
  }

  /**
   * Runs a look inside the page; a page that moved under it counts as "nothing seen yet". Whatever asks the page something without
   * a time limit of its own goes through here. @throws BrowserGoneError when the page hangs.
   */
  async inPage<Result>(look: () => Promise<Result> | Result): Promise<Result> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.unlessHanging(look());
      } catch (error) {
        if (error instanceof BrowserGoneError) throw error;
        if (isBrowserGone(error)) throw new BrowserGoneError(error);
        const moved =
          error instanceof Error &&
          /Execution context was destroyed|navigat|Cannot find context|detached|not attached/i.test(error.message);
        if (!moved || attempt >= 20) throw error;
        await sleep(lookEveryMs / 2);
      }
    }
  }

  /** A script without an end keeps a page from answering for ever, and Playwright waits for ever with it. */
  private async unlessHanging<Result>(asked: Promise<Result> | Result): Promise<Result> {
    let timer: NodeJS.Timeout | undefined;
    const hanging = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.crashed = true;
        reject(new BrowserGoneError('the page hangs'));
      }, this.options.hangTimeoutMs ?? hangTimeoutMs);
    });
    try {
      return await Promise.race([asked, hanging]);
    } finally {
      clearTimeout(timer);
    }
  }

  private get loadTimeoutMs(): number {
    return Math.max(30_000, this.options.answerTimeoutMs);
  }

  private async load(go: () => Promise<Response | null>): Promise<LoadedPage> {
    let response: Response | null;
    try {
      response = await go();
    } catch (error) {
      if (isBrowserGone(error)) throw new BrowserGoneError(error);
      await this.check();
      // A page that moves itself while it loads aborts the load that we asked for: what it shows decides.
      if (!(error instanceof Error && /ERR_ABORTED|interrupted by another navigation/.test(error.message))) {
        const reason = error instanceof Error ? (/net::\w+|Timeout/.exec(error.message)?.[0] ?? error.name) : 'unknown';
        throw this.object({ class: 'site_trouble', row: 9, evidence: { reason } });
      }
      response = null;
    }
    await this.check();
    if (response && !this.lastLoad) this.noteLoad(response);
    await this.check();
    return (
      this.lastLoad ?? {
        askedPath: this.path,
        redirectPaths: [],
        finalPath: this.path,
        status: 200,
        html: () => this.inPage(() => this.page.content()),
      }
    );
  }

  /** @returns true when something was clicked. Each kind is closed at most once in a run, whether it helped or not. */
  private async closeInterruption(interruption: Interruption, role: DialogSight['role']): Promise<boolean> {
    if (this.closedInterruptions.has(interruption)) return false;
    // Within the dialog itself: the same word on another one means another thing.
    const root = role === 'banner' ? undefined : await this.topmostDialog();
    const button = await this.findLabelled(root ? anyButton : bannerButtons, harmlessButtons[interruption], root);
    if (!button) return false;
    await this.check();
    this.closedInterruptions.add(interruption);
    await button.element.click({ timeout: 2_000 }).catch(() => undefined);
    return true;
  }

  private topmostDialog(): Promise<ElementHandle | undefined> {
    return this.inPage(async () => {
      const dialogs = await this.page.$$(anyDialog);
      const visible = await Promise.all(dialogs.map((dialog) => dialog.isVisible().catch(() => false)));
      return dialogs.findLast((_, index) => visible[index]);
    });
  }

  private onMoved(frame: Frame): void {
    const isMain = frame === this.page.mainFrame();
    const found = isMain ? objectionOfAddress(safePath(frame.url())) : objectionOfFrame(frame.url());
    if (found) this.note(found, isMain ? weight.address : weight.frame);
  }

  /** Lets the answers under way arrive before what the page made of them is judged. Never throws. */
  private async settle(): Promise<void> {
    const deadline = performance.now() + settleMs;
    while (this.unanswered.size > 0 && this.objection === null && performance.now() < deadline) await sleep(listenEveryMs);
    await this.hearOut();
  }

  private onResponse(response: Response): void {
    const request = response.request();
    if (request.isNavigationRequest()) {
      if (request.frame() === this.page.mainFrame() && !isRedirect(response)) this.noteLoad(response);
      return;
    }
    if (!isCall(request)) return;
    if (!isRedirect(response)) {
      const work = this.hear(response)
        .catch(() => undefined) // what cannot be heard is not acted upon
        .finally(() => this.hearing.delete(work));
      this.hearing.add(work);
    }
    this.unanswered.delete(request);
  }

  private noteLoad(response: Response): void {
    const steps: string[] = [];
    for (let step = response.request().redirectedFrom(); step; step = step.redirectedFrom()) steps.unshift(safePath(step.url()));
    const finalPath = safePath(response.url());
    const load = { askedPath: steps[0] ?? finalPath, redirectPaths: steps.slice(1), finalPath, status: response.status() };
    this.lastLoad = { ...load, html: () => this.inPage(() => response.text().catch(() => this.page.content())) };
    const found = objectionOfLoad(load);
    if (found) this.note(found, weight.load);
  }

  private async hear(response: Response): Promise<void> {
    const request = response.request();
    let first = request;
    for (let step = request.redirectedFrom(); step; step = step.redirectedFrom()) first = step;
    const asked = new URL(first.url());
    if (asked.origin !== this.options.baseUrl.origin || !isDataPath(asked.pathname)) return;
    const form = new URLSearchParams(request.postData() ?? '');
    const headers = request.headers();
    const answer: Answer = {
      path: asked.pathname,
      method: first.method(),
      status: response.status(),
      friendlyName: headers['x-fb-friendly-name'] ?? form.get('fb_api_req_friendly_name'),
      variables: readJson(form.get('variables')),
      redirectedTo: first === request ? null : safePath(response.url()),
      // A page that moves on at once takes the body with it; the status is known all the same.
      ...(await response.text().then(parseBody, () => ({ json: null, notJson: 'lost' }))),
    };
    const found = objectionOfAnswer(answer);
    if (found) this.note(found, weight.answer);
    for (const hear of this.hearers) hear(answer);
  }

  /** Signs of one objection arrive in any order; the one that says most is kept, and among equals the first. */
  private note(found: Objection, foundWeight: number): void {
    if (found.repairable && !this.repaired) this.repairAsked ??= found;
    else if (this.objection === null || foundWeight > this.objectionWeight) {
      this.objection = found;
      this.objectionWeight = foundWeight;
    }
  }
}

/** How much a sign says about why the network objects: its own words before where it sends the page, and before what is only seen. */
const weight = { frame: 1, load: 2, address: 3, answer: 4, told: 5 } as const;

function isCall(request: Request): boolean {
  return !request.isNavigationRequest() && ['xhr', 'fetch'].includes(request.resourceType());
}

/** The signal of an error that ends a run by the network's word; null for every other error. */
export function signalOf(error: unknown): StopSignal | null {
  return error instanceof StopError ? error.signal : null;
}

function isRedirect(response: Response): boolean {
  return response.status() >= 300 && response.status() < 400;
}

function safePath(address: string): string {
  try {
    return new URL(address).pathname;
  } catch {
    return address;
  }
}

function readJson(text: string | null): unknown {
  try {
    return text === null ? null : (JSON.parse(text) as unknown);
  } catch {
    return null;
  }
}

async function bestLabelled<L extends Label>(
  elements: readonly ElementHandle[],
  labels: readonly L[],
): Promise<{ element: ElementHandle; label: L } | null> {
  let best: { element: ElementHandle; label: L; rank: number } | null = null;
  for (const element of elements) {
    const names: string[] = await element.evaluate(namesOf as (element: Node) => string[]).catch(() => []);
    const rank = labels.findIndex((label) => names.some((name) => isLabel(label, name)));
    if (rank >= 0 && (best === null || rank < best.rank) && (await element.isVisible().catch(() => false))) {
      await best?.element.dispose().catch(() => undefined);
      best = { element, label: labels[rank]!, rank };
    } else {
      await element.dispose().catch(() => undefined);
    }
  }
  return best;
}
