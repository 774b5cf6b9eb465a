import type { FastifyRequest } from 'fastify';
import type { ActionName } from '../build/operations.js';
import type { Verdict } from '../state/ledger.js';
import type { Session } from '../state/sessions.js';
import type { CeilingAction, World } from '../state/world.js';
import type { Call, Subject } from './call.js';

/** Browsers of one account that are remembered; the oldest are forgotten first. */
const rememberedBrowsers = 50;

/** Detects behaviour that would look suspicious to the network, and adds a verdict to the call for each. */
export class Judge {
  /** The browser that sent an account's last call, and those before it. */
  private readonly browsers = new Map<string, { current: string; earlier: Set<string> }>();
  private readonly lastActionAt = new Map<string, number>();
  private readonly actionsInFlight = new Map<string, number>();

  constructor(private readonly world: World) {}

  /** Judges an action before the network objects to it or carries it out. */
  action(call: Call, { action, targetId }: Subject & { action: ActionName }): void {
    const { world } = this;
    const { username } = call.viewer;
    const now = world.clock.now();
    if (targetId && world.ledger.hasDone(username, action, targetId)) call.verdicts.push('double_action');
    if (world.objections.restOf(username)) call.verdicts.push('after_objection');
    const gap = now - (this.lastActionAt.get(username) ?? -Infinity);
    if ((this.actionsInFlight.get(username) ?? 0) > 1 || (gap >= 0 && gap < world.ceilings.sameMomentMs)) call.verdicts.push('same_moment');
    if (action === 'unfollow' && targetId && !world.ledger.hasDone(username, 'follow', targetId))
      call.verdicts.push('unfollow_of_stranger');
    if (this.exceeds(username, action, now)) call.verdicts.push('ceiling_exceeded');
    this.lastActionAt.set(username, now);
  }

  listPage(call: Call): void {
    if (this.exceeds(call.viewer.username, 'list_page', this.world.clock.now())) call.verdicts.push('ceiling_exceeded');
  }

  /** @returns the verdicts on opening a document. */
  pageView(username: string): Verdict[] {
    return this.exceeds(username, 'page_view', this.world.clock.now()) ? ['ceiling_exceeded'] : [];
  }

  /**
   * Notices two browsers of one account that take turns.
   * The first part of the web session id identifies the browser.
   */
  browser(request: FastifyRequest, { username }: Session): Verdict[] {
    const browser = String(request.headers['x-web-session-id'] ?? '').split(':')[0] ?? '';
    if (!browser) return [];
    const known = this.browsers.get(username);
    if (!known) {
      this.browsers.set(username, { current: browser, earlier: new Set() });
      return [];
    }
    if (known.current === browser) return [];
    const returned = known.earlier.has(browser);
    known.earlier.add(known.current);
    known.current = browser;
    if (known.earlier.size > rememberedBrowsers) known.earlier.delete(known.earlier.values().next().value ?? '');
    return returned ? ['two_at_once'] : [];
  }

  /** Counts the call as in flight during `work`, so that a second action at the same time is noticed. */
  async whileActing<Result>(call: Call, work: () => Promise<Result>): Promise<Result> {
    const { username } = call.viewer;
    this.actionsInFlight.set(username, (this.actionsInFlight.get(username) ?? 0) + 1);
    try {
      return await work();
    } finally {
      this.actionsInFlight.set(username, (this.actionsInFlight.get(username) ?? 1) - 1);
    }
  }

  forget(): void {
    this.browsers.clear();
    this.lastActionAt.clear();
  }

  private exceeds(username: string, action: CeilingAction, now: number): boolean {
    const { ceilings, ledger } = this.world;
    const [hour, day] = [ceilings.perHour[action], ceilings.perDay[action]];
    return (
      (hour !== undefined && ledger.countSince(username, action, now - 3_600_000) >= hour) ||
      (day !== undefined && ledger.countSince(username, action, now - 86_400_000) >= day)
    );
  }
}
