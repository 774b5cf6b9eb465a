import { randomUUID } from 'node:crypto';
import type { BrowserRun, NetworkCookie, RunPlan } from '@decola/contracts';
import { Sealer, parseKeyRing } from '@decola/service-kit';

export const testKeyRing = `test:${Buffer.alloc(32, 5).toString('base64')}`;
export const testSealer = new Sealer(parseKeyRing(testKeyRing));

export interface TestSession {
  networkUserId: string;
  username: string;
  cookies: NetworkCookie[];
}

/** A job as automations would send it, without pauses. */
export function jobFor(session: TestSession, plan: RunPlan, over: Partial<BrowserRun> = {}): BrowserRun {
  const sessionId = randomUUID();
  return {
    runId: randomUUID(),
    automationId: randomUUID(),
    automationType: plan.kind === 'extract-list' ? 'followers-following-extractor' : 'auto-follow-unfollow',
    userId: randomUUID(),
    accountKey: `account-key-of-${session.networkUserId.padStart(20, '0')}`,
    session: {
      envelope: testSealer.seal(JSON.stringify(session.cookies), sessionId),
      sessionId,
      networkUserId: session.networkUserId,
    },
    plan,
    unsettled: [],
    pace: { actionGapMs: { min: 300, max: 300 }, pageGapMs: { min: 0, max: 0 } },
    expiresAt: new Date(Date.now() + 600_000).toISOString(),
    ...over,
  };
}
