import { setTimeout as sleep } from 'node:timers/promises';
import type { RunKind, StopSignal } from '@decola/contracts';
import type { BrowserContext } from 'playwright';
import { BrowserGoneError, StopError, StoppingError } from '../driver/driver.errors.js';
import { PageViews } from '../driver/page-views.js';
import { Screens } from '../driver/screens.js';
import { SiteTab } from '../driver/site-tab.js';
import type { Screenshots } from '../runs/screenshots.js';
import { type CanaryFindings, type CanaryRecipe, type CanarySubjects, type CanaryVisit, NotTriedError } from './canary-recipe.js';

/** The recipes of every kind of run. Those of `check-session` belong to all kinds, because every run begins with that check. */
export type Canaries = { readonly [Kind in RunKind | 'check-session']: readonly CanaryRecipe[] };

/** What was found out about one recipe. */
export type CanaryResult =
  | { readonly recipe: string; readonly result: 'fits' }
  | {
      readonly recipe: string;
      readonly result: 'does not fit';
      /** What is missing on the page, or what it says instead. */
      readonly landmark: string;
      /** Row of the fact sheet on the site; null when no row describes it. */
      readonly row: number | null;
      /** Path below the folder for screenshots; null when none was taken. */
      readonly screenshot: string | null;
    }
  | { readonly recipe: string; readonly result: 'not tried'; readonly because: string };

export interface CanaryReport {
  /** When the canary began: every page was opened after this moment. */
  readonly at: Date;
  readonly results: readonly CanaryResult[];
  /** Kinds of runs of which every recipe fits. */
  readonly kindsThatFit: readonly (keyof Canaries)[];
}

export interface CanaryOptions {
  readonly baseUrl: URL;
  readonly answerTimeoutMs: number;
  readonly shownTimeoutMs: number;
  /** Average pause between two screens, as a person makes it. */
  readonly gapMs: number;
  /** The account of the session, by its numeric id. */
  readonly ownUserId: string;
  readonly subjects: CanarySubjects;
  /** False when the canary has to end. */
  readonly mayGoOn: () => boolean;
}

/**
 * Opens each screen that the drivers need, one after the other, each in a tab of its own, and says which of them is as the drivers expect it. A
 * screen that is not is no reason to stop; when the network objects to the account, nothing more is opened with it.
 */
export class Canary {
  private readonly views = new PageViews();
  private readonly found: CanaryFindings = {};

  constructor(
    private readonly canaries: Canaries,
    private readonly context: BrowserContext,
    private readonly screenshots: Screenshots,
    private readonly options: CanaryOptions,
  ) {}

  async run(at: Date): Promise<CanaryReport> {
    const results = new Map<CanaryRecipe, CanaryResult>();
    const folder = `canary-${at.toISOString().replace(/[:.]/g, '-')}`;
    /** Why nothing more may be opened; null while it may. */
    let ended: string | null = null;
    for (const recipe of recipesOf(this.canaries)) {
      if (ended === null && results.size > 0) await sleep(this.options.gapMs * (0.5 + Math.random()));
      if (ended === null && !this.options.mayGoOn()) ended = 'the canary took too long';
      if (ended !== null) {
        results.set(recipe, { recipe: recipe.name, result: 'not tried', because: ended });
        continue;
      }
      const checked = await this.check(recipe, folder);
      results.set(recipe, checked.result);
      ended = checked.ended;
    }
    const fit = (recipes: readonly CanaryRecipe[]) => recipes.every((recipe) => results.get(recipe)?.result === 'fits');
    const kinds = Object.keys(this.canaries) as (keyof Canaries)[];
    const kindsThatFit = fit(this.canaries['check-session']) ? kinds.filter((kind) => fit(this.canaries[kind])) : [];
    return { at, results: [...results.values()], kindsThatFit };
  }

  /** @returns also why nothing more may be opened; null when the next recipe may be checked. */
  private async check(recipe: CanaryRecipe, folder: string): Promise<{ result: CanaryResult; ended: string | null }> {
    const tab = await SiteTab.open(this.context, {
      baseUrl: this.options.baseUrl,
      answerTimeoutMs: this.options.answerTimeoutMs,
      views: this.views,
      guard: { assertMayGoOn: () => this.assertMayGoOn() },
    });
    try {
      await recipe.check(this.visitOf(tab));
      return { result: { recipe: recipe.name, result: 'fits' }, ended: null };
    } catch (error) {
      const ended = whyEnded(error);
      if (ended !== null || error instanceof NotTriedError) {
        const because = ended ?? (error as NotTriedError).reason;
        return { result: { recipe: recipe.name, result: 'not tried', because }, ended };
      }
      const screenshot = await this.screenshots.save(folder, recipe.name.replaceAll(' ', '_'), await tab.screenshot());
      return { result: { recipe: recipe.name, result: 'does not fit', ...misfitOf(error), screenshot }, ended: null };
    } finally {
      await tab.page.close().catch(() => undefined);
    }
  }

  private visitOf(tab: SiteTab): CanaryVisit {
    const { ownUserId, shownTimeoutMs, subjects } = this.options;
    const screens = new Screens(tab, {
      wordTimeoutMs: shownTimeoutMs,
      nameOf: () => Promise.resolve(null),
      views: this.views,
      ownUserId,
      onProfile: () => undefined,
    });
    return { tab, screens, subjects, found: this.found, ownUserId, shownTimeoutMs };
  }

  private assertMayGoOn(): void {
    if (!this.options.mayGoOn()) throw new StoppingError();
  }
}

/** Every recipe once, in the order of the kinds; what every run begins with comes first. */
function recipesOf(canaries: Canaries): Set<CanaryRecipe> {
  return new Set([...canaries['check-session'], ...Object.values(canaries).flat()]);
}

/** Why nothing more may be opened after an error; null when the error is about one screen. */
function whyEnded(error: unknown): string | null {
  if (error instanceof StoppingError) return 'the canary took too long';
  if (error instanceof BrowserGoneError) return 'the browser crashed';
  if (!(error instanceof StopError) || error.signal.class === 'site_changed') return null;
  const { class: objection, row } = error.signal;
  return row === null ? objection : `${objection} (row ${row})`;
}

/** What does not fit. An error that no rule foresees counts as a page that we do not know, as in runs. */
function misfitOf(error: unknown): { landmark: string; row: number | null } {
  if (!(error instanceof StopError)) return { landmark: `unforeseen ${error instanceof Error ? error.name : 'error'}`, row: null };
  const { row, evidence }: StopSignal = error.signal;
  const landmark = evidence['landmark'] ?? evidence['error'] ?? evidence['message'] ?? evidence['got'];
  return { landmark: landmark == null ? 'the answer to its query' : String(landmark), row };
}
