import { setTimeout as sleep } from 'node:timers/promises';
import type { RunAction } from '@decola/contracts';
import pTimeout from 'p-timeout';
import type { BrowserContext, ElementHandle, Page, Response } from 'playwright';
import type { PageCall } from '../network/answers.js';
import { type Label, textsOf } from '../network/labels.js';
import { isDataPath, objectionOfPath } from '../network/routes.js';
import {
  classifyDialog,
  closeButtons,
  type DialogContent,
  type Interruption,
  isConnectionFailure,
  noConnection,
  objectionOfAddress,
  objectionOfAnswer,
  objectionOfFrame,
  objectionOfLoad,
  type Objection,
  type PageLoad,
  toStopSignal,
} from '../network/signals.js';
import { blurredPicture } from './blurred-picture.js';
import { BrowserGoneError, isBrowserGone, ReloadNeededError, StopError } from './driver.errors.js';
import { Objections, type SignSource } from './objections.js';
import { describeDialogs, drawTwoFrames, findNamed, type Landmarks, readLandmarks } from './page-scripts.js';
import { type AnswerListener, PageTraffic, pathOf } from './page-traffic.js';
import { PageViews } from './page-views.js';

/** Checked by the tab before it reads the page and before every click: throws when the run must not go on. */
export interface RunGuard {
  assertMayGoOn(): void;
}

export interface SiteTabOptions {
  readonly baseUrl: URL;
  readonly guard: RunGuard;
  /** How long the page may take to show something or to answer. */
  readonly answerTimeoutMs: number;
  /** How long the page may take to run a script of ours before it counts as hanging. Default: 60 s, much longer than a slow page takes. */
  readonly hangTimeoutMs?: number;
  /** Counts documents and limits visits. Default: no limit. */
  readonly views?: PageViews;
}

/** A document that the tab loaded. */
export interface LoadedPage extends PageLoad {
  /** The document as it was received, before any script ran. */
  html(): Promise<string>;
}

const anyButton = ':is(button, [role="button"], [role="menuitem"])';
const anyDialog = ':is([role="dialog"], [role="alertdialog"], [role="menu"]):not(article *)';
const bannerButtons = ':is(button, [role="button"]):not(:is([role="dialog"], [role="alertdialog"], [role="menu"], article, header) *)';
const lookEveryMs = 100;
/** Between two keys. */
const typingDelayMs = 25;
const listenEveryMs = 15;
const hangTimeoutMs = 60_000;
/** How long a dialog that objects is held back for the answer that caused it: the answer says more, and may be read later. */
const dialogDelayMs = 1_500;

/**
 * One tab of the network's site. It acts like a person (navigates, clicks, scrolls) and reads the answers to the page's own calls. Before
 * everything that it reads or clicks it checks whether the network has objected; after the first objection it clicks nothing.
 */
export class SiteTab {
  /** The action under way, for the stop signal; null while reading. */
  action: RunAction | null = null;
  private readonly traffic: PageTraffic;
  private readonly objections = new Objections();
  private readonly closedInterruptions = new Set<Interruption>();
  private readonly views: PageViews;
  private crashed = false;
  private lastLoad: LoadedPage | null = null;
  private unknownDialog = false;

  private constructor(
    readonly page: Page,
    private readonly options: SiteTabOptions,
  ) {
    this.views = options.views ?? new PageViews();
    this.traffic = new PageTraffic(page, {
      origin: options.baseUrl.origin,
      views: this.views,
      onAnswer: (answer) => this.note(objectionOfAnswer(answer), 'answer'),
      onLoad: (load, response) => this.noteLoad(load, response),
    });
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) this.note(objectionOfAddress(pathOf(frame.url())), 'address');
      else this.note(objectionOfFrame(frame.url()), 'frame');
    });
    page.on('crash', () => (this.crashed = true));
  }

  static async open(context: BrowserContext, options: SiteTabOptions): Promise<SiteTab> {
    return new SiteTab(await context.newPage(), options);
  }

  get path(): string {
    return this.url.pathname;
  }

  get url(): URL {
    return new URL(this.page.url());
  }

  /** Documents that were opened so far. They are numbered from 1 in this order. */
  get documents(): number {
    return this.views.opened;
  }

  /** True while the answer to such a call of the open document was not received and read. */
  awaits(matches: (call: PageCall) => boolean): boolean {
    return this.traffic.awaits(matches);
  }

  /** True when the open document has made such a call, whether it was answered or not. */
  hasSent(matches: (call: PageCall) => boolean): boolean {
    return this.traffic.hasSent(matches);
  }

  /** True once the network objected. An ambiguous sign counts only the second time. */
  get stopped(): boolean {
    return this.objections.current !== null;
  }

  /** Calls `listener` with every answer to the page's calls and every answer that a document contains, until the returned function is called. */
  listen(listener: AnswerListener): () => void {
    return this.traffic.listen(listener);
  }

  /**
   * Opens a path of the site. @throws StopError when the network objects, ReloadNeededError at the first ambiguous sign, BrowserGoneError when
   * the browser crashed, PageViewsSpentError when the run may open no more pages.
   */
  async visit(path: string): Promise<LoadedPage> {
    await this.check();
    this.views.require(1);
    this.lastLoad = null;
    return this.load(() =>
      this.page.goto(new URL(path, this.options.baseUrl).href, { waitUntil: 'domcontentloaded', timeout: this.loadTimeoutMs }),
    );
  }

  /** Reloads the page. Not limited by the page views that are left, because the reload proves what an action changed. */
  async reload(): Promise<LoadedPage> {
    await this.check();
    this.lastLoad = null;
    return this.load(() => this.page.reload({ waitUntil: 'domcontentloaded', timeout: this.loadTimeoutMs }));
  }

  /** @throws when the run must not go on: the lease was lost, the worker stops, the browser is gone, or the network objected. */
  async check(): Promise<void> {
    this.options.guard.assertMayGoOn();
    await this.finishReading();
    if (this.crashed || this.page.isClosed()) throw new BrowserGoneError('page');
    if (this.objections.current) throw this.object(this.objections.current);
    if (this.objections.needsReload) throw new ReloadNeededError();
    this.options.guard.assertMayGoOn();
  }

  /** Waits, for a limited time, until the answers that are arriving have been read. */
  finishReading(): Promise<void> {
    return this.traffic.finishReading();
  }

  /** Runs a reading step, and runs it again from its beginning after an ambiguous sign: once in a run for each kind of sign. */
  async withReload<Result>(step: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await step();
      } catch (error) {
        if (!(error instanceof ReloadNeededError)) throw error;
        this.beginReload();
      }
    }
  }

  /** To be called right before the page is reloaded because of an ambiguous sign: from now on such a sign is an objection. */
  beginReload(): void {
    this.objections.beginReload();
  }

  /**
   * Reads the page again and again until `probe` finds something, and closes harmless interruptions.
   * @returns null when the time is over. @throws as `check`.
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
      await this.handleDialogs();
      if (performance.now() >= deadline) return null;
      await sleep(lookEveryMs);
    }
  }

  /** Like `look`, for something that an answer brings: the page itself is not read. @returns null when the time is over. @throws as `check`. */
  async waitForAnswer<Result>(probe: () => Result | null, timeoutMs: number): Promise<Result | null> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      await this.check();
      const found = probe();
      if (found !== null || performance.now() >= deadline) return found;
      await sleep(listenEveryMs);
    }
  }

  /**
   * Like `look`, for something that must be there. A page without it may be incomplete: it is reloaded once, unless an unknown dialog explains
   * the absence. @throws ReloadNeededError the first time, then StopError row 16.
   */
  async require<Result>(landmark: string, probe: () => Promise<Result | null> | Result | null): Promise<Result> {
    const found = await this.look(probe);
    if (found !== null) return found;
    throw this.missing(landmark);
  }

  /**
   * True when the document is loaded and every call of it for data was answered: what it shows then is what it has. A page may show a form,
   * a word or an empty list before its own answers arrive, and something else afterwards.
   */
  isComplete(landmarks: Landmarks): boolean {
    return landmarks.isLoaded && !this.awaits(({ path }) => isDataPath(path));
  }

  /** True when a landmark is absent although the page was reloaded, no unknown dialog covers it and no call failed. */
  get showsAllItHas(): boolean {
    return this.objections.hasReloadedPage && !this.isExplained;
  }

  /** @returns the error for a landmark that is absent while reading: the first time a reload, then row 16. */
  missing(landmark: string): StopError | ReloadNeededError {
    if (this.objections.hasReloadedPage || this.isExplained) return this.siteChanged(landmark);
    this.objections.requestReload({
      class: 'site_changed',
      row: 16,
      evidence: { landmark, path: this.path },
      reloadOnce: 'page',
    });
    return new ReloadNeededError();
  }

  /** @returns the error for an absent landmark that no known dialog explains (row 16), or our own outage when the page's last call failed. */
  siteChanged(landmark: string): StopError {
    return (
      this.outage() ??
      this.object({ class: 'site_changed', row: 16, evidence: { landmark, path: this.path, unknownDialog: this.unknownDialog } })
    );
  }

  /** @returns the error for a page whose last call failed on its way; null when it was answered. */
  outage(): StopError | null {
    const reason = this.traffic.lastFailure;
    return reason === null ? null : this.object(noConnection({ reason, path: this.path }));
  }

  /** Ends the tab with an objection that only the caller can see, such as row 13 or 14. @returns the error to throw. */
  object(objection: Objection): StopError {
    return new StopError(toStopSignal(this.objections.decide(objection), this.action));
  }

  /** Closes the harmless dialogs, the topmost first, and reads the others. @throws StopError when a dialog objects. */
  async handleDialogs(): Promise<void> {
    for (;;) {
      const dialogs = await this.inPage(() => this.page.evaluate(describeDialogs));
      const seen = dialogs.map((dialog) => ({ dialog, is: classifyDialog(dialog) }));
      for (const { is } of seen) {
        if (is.kind !== 'stop') continue;
        await this.waitForCause();
        throw this.object({ ...is.objection, evidence: { ...is.objection.evidence, path: this.path } });
      }
      this.unknownDialog = seen.some(({ is }) => is.kind === 'unknown');
      // Dialogs cover banners, and the last dialog covers the others.
      const top = seen.findLast(({ dialog }) => dialog.role !== 'banner') ?? seen[0];
      if (top?.is.kind !== 'interruption' || !(await this.closeInterruption(top.is.interruption, top.dialog.role))) return;
    }
  }

  landmarks(): Promise<Landmarks> {
    return this.inPage(() => this.page.evaluate(readLandmarks));
  }

  /** The first visible element of `selector` (within `root`) with one of the labels; an element with an earlier label is preferred. */
  findLabelled<L extends Label>(
    selector: string,
    labels: readonly L[],
    root?: ElementHandle,
  ): Promise<{ element: ElementHandle; label: L } | null> {
    return this.inPage(async () => {
      const label = await this.searchLabel(selector, labels, root);
      if (label === null) return null;
      const found = await this.page.evaluateHandle(findNamed, { ...searchFor(selector, [label], root), returns: 'element' as const });
      const element = found.asElement();
      // The page may have changed since its label was read.
      return element && { element: element, label };
    });
  }

  /** The label of the element that `findLabelled` would return. */
  labelOf<L extends Label>(selector: string, labels: readonly L[]): Promise<L | null> {
    return this.inPage(() => this.searchLabel(selector, labels));
  }

  /**
   * Clicks an element as a person can: only when it is visible and not covered.
   * @param announce called when the click comes next; when it throws, nothing is clicked.
   * @returns false when the element cannot be clicked. True means that the click may have been made: a page that hangs never confirms it.
   */
  async click(element: ElementHandle, announce?: () => Promise<void>): Promise<boolean> {
    await this.handleDialogs();
    await this.check();
    // As long as for an answer: a page that a busy machine draws slowly must not look like a button that cannot be clicked.
    const timeout = this.options.answerTimeoutMs;
    try {
      await element.click({ trial: true, timeout });
    } catch (error) {
      if (isBrowserGone(error)) throw new BrowserGoneError(error);
      await this.check();
      return false;
    }
    await announce?.();
    await this.check();
    await element.click({ timeout }).catch((error: unknown) => {
      if (isBrowserGone(error)) throw new BrowserGoneError(error);
    });
    return true;
  }

  /**
   * Turns the wheel over the place where the mouse is, and waits until the page has handled the scroll: a busy page does so late, and until then
   * nobody knows whether it asks for more rows.
   */
  async wheel(px: number): Promise<void> {
    await this.inPage(() => this.page.mouse.wheel(0, px));
    await this.inPage(() => this.page.evaluate(drawTwoFrames));
  }

  /** Types into the element that has the focus, as a person does; a line break is typed without sending what is written. */
  async type(text: string): Promise<void> {
    const { keyboard } = this.page;
    for (const [index, line] of text.split(/\r?\n/).entries()) {
      await this.check();
      if (index > 0) await this.inPage(() => keyboard.press('Shift+Enter'));
      await this.inPage(() => keyboard.type(line, { delay: typingDelayMs }));
    }
  }

  /**
   * Presses Enter in the element that has the focus.
   * @param announce called when the key comes next; when it throws, nothing is pressed.
   */
  async pressEnter(announce?: () => Promise<void>): Promise<void> {
    await this.handleDialogs();
    await this.check();
    await announce?.();
    await this.check();
    await this.inPage(() => this.page.keyboard.press('Enter'));
  }

  /** Presses Escape, which closes what lies over the page. */
  async pressEscape(): Promise<void> {
    await this.check();
    await this.inPage(() => this.page.keyboard.press('Escape'));
  }

  /** After a stop: opens `/` once and reads whether the session is still logged in. Never throws. */
  async readLoginState(): Promise<'in' | 'out' | 'unknown'> {
    try {
      await this.page.goto(this.options.baseUrl.href, { waitUntil: 'domcontentloaded', timeout: this.loadTimeoutMs });
      const deadline = performance.now() + this.options.answerTimeoutMs;
      let showsForm = false;
      while (performance.now() < deadline) {
        const landmarks = await this.landmarks().catch(() => null);
        if (landmarks?.hasInbox) return 'in';
        if (objectionOfPath(this.path) === 'login') return 'out';
        showsForm = landmarks?.hasLoginForm ?? false;
        if (landmarks && showsForm && this.isComplete(landmarks)) return 'out';
        await sleep(lookEveryMs);
      }
      return showsForm ? 'out' : 'unknown';
    } catch {
      return 'unknown';
    }
  }

  /** A screenshot of what is visible; null when none can be taken. Never throws. */
  async screenshot(): Promise<Buffer | null> {
    return this.unlessHanging(this.page.screenshot({ timeout: this.options.answerTimeoutMs })).catch(() => null);
  }

  /** See `blurredPicture`. */
  blurredPicture(limits: { timeoutMs: number; mostBytes: number }): Promise<Buffer | null> {
    return blurredPicture(this.page, limits);
  }

  /**
   * Runs a read inside the page, and repeats it when the page navigated meanwhile. Every read without a time limit of its own has to go through
   * this method. @throws BrowserGoneError when the page hangs.
   */
  async inPage<Result>(read: () => Promise<Result> | Result): Promise<Result> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.unlessHanging(read());
      } catch (error) {
        if (error instanceof BrowserGoneError) throw error;
        if (isBrowserGone(error)) throw new BrowserGoneError(error);
        const hasNavigated =
          error instanceof Error &&
          /Execution context was destroyed|navigat|Cannot find context|detached|not attached/i.test(error.message);
        if (!hasNavigated || attempt >= 20) throw error;
        await sleep(lookEveryMs / 2);
      }
    }
  }

  /** A page with an endless script never answers, and Playwright would wait for it for ever. */
  private unlessHanging<Result>(asked: Promise<Result> | Result): Promise<Result> {
    return pTimeout(Promise.resolve(asked), {
      milliseconds: this.options.hangTimeoutMs ?? hangTimeoutMs,
      fallback: () => {
        this.crashed = true;
        throw new BrowserGoneError('the page hangs');
      },
    });
  }

  private get loadTimeoutMs(): number {
    return Math.max(30_000, this.options.answerTimeoutMs);
  }

  private async load(go: () => Promise<Response | null>): Promise<LoadedPage> {
    this.traffic.forgetFailure();
    try {
      await go();
    } catch (error) {
      if (isBrowserGone(error)) throw new BrowserGoneError(error);
      await this.check();
      // A page that navigates while it loads aborts our own navigation; then what it shows decides.
      if (!(error instanceof Error && /ERR_ABORTED|interrupted by another navigation/.test(error.message))) {
        const reason = error instanceof Error ? (/net::\w+|Timeout/.exec(error.message)?.[0] ?? error.name) : 'unknown';
        const isUnanswered = reason === 'Timeout' && this.views.opened <= 1;
        throw this.object(
          isConnectionFailure(reason) || isUnanswered ? noConnection({ reason }) : { class: 'site_trouble', row: 9, evidence: { reason } },
        );
      }
    }
    await this.check();
    return (
      this.lastLoad ?? {
        askedPath: this.path,
        redirectPaths: [],
        finalPath: this.path,
        status: 200,
        isFirst: this.views.opened <= 1,
        html: () => this.inPage(() => this.page.content()),
      }
    );
  }

  /** Something that explains an absent landmark: an unknown dialog, an objection, or a call that failed. */
  private get isExplained(): boolean {
    return this.unknownDialog || this.stopped || this.traffic.lastFailure !== null;
  }

  /** @returns true when something was clicked. Each kind is closed at most once in a run, whether that helped or not. */
  private async closeInterruption(interruption: Interruption, role: DialogContent['role']): Promise<boolean> {
    if (this.closedInterruptions.has(interruption)) return false;
    // Only inside the dialog: the same label on another one has another meaning.
    const root = role === 'banner' ? undefined : await this.topmostDialog();
    const button = await this.findLabelled(root ? anyButton : bannerButtons, closeButtons[interruption], root);
    if (!button) return false;
    await this.check();
    this.closedInterruptions.add(interruption);
    await button.element.click({ timeout: this.options.answerTimeoutMs }).catch(() => undefined);
    return true;
  }

  private async searchLabel<L extends Label>(selector: string, labels: readonly L[], root?: ElementHandle): Promise<L | null> {
    const index = await this.page.evaluate(findNamed, { ...searchFor(selector, labels, root), returns: 'label' as const });
    return typeof index === 'number' ? labels[index]! : null;
  }

  private topmostDialog(): Promise<ElementHandle | undefined> {
    return this.inPage(async () => {
      const dialogs = await this.page.$$(anyDialog);
      const visible = await Promise.all(dialogs.map((dialog) => dialog.isVisible().catch(() => false)));
      return dialogs.findLast((_, index) => visible[index]);
    });
  }

  /** Waits, for a limited time, for the answer that made the page show an objecting dialog. Never throws. */
  private async waitForCause(): Promise<void> {
    const deadline = performance.now() + dialogDelayMs;
    while (!this.stopped && this.awaits(() => true) && performance.now() < deadline) await sleep(listenEveryMs);
    await this.finishReading();
  }

  private noteLoad(load: PageLoad, response: Response): void {
    this.lastLoad = { ...load, html: () => this.inPage(() => response.text().catch(() => this.page.content())) };
    this.note(objectionOfLoad(load), 'load');
  }

  private note(sign: Objection | null, source: Exclude<SignSource, 'decided'>): void {
    if (sign) this.objections.note(sign, source);
  }
}

function searchFor(selector: string, labels: readonly Label[], root?: ElementHandle) {
  return { selector, texts: labels.map(textsOf), root: (root as ElementHandle<Element> | undefined) ?? null };
}
