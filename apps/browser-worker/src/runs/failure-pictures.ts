import { randomUUID } from 'node:crypto';
import { type BrowserRun, maxPictureBytes } from '@decola/contracts';
import type { Clock } from '@decola/service-kit';
import type { SiteTab } from '../driver/site-tab.js';
import type { RunChannel } from './run-channel.js';
import type { RunReport } from './run-report.js';

/** Most pictures of one run: what fails again and again looks the same. */
const mostPictures = 3;

/** Longest time that a run waits for a picture, unless its options name another. */
const defaultTimeoutMs = 1_500;

/**
 * Shows customers what the page looked like when an action failed or the network objected (decision record 0037). A picture is worth having and never
 * more: without one the run goes on as if it had been taken.
 */
export class FailurePictures {
  private taken = 0;
  /** Number of the document that the last picture shows. */
  private lastDocument: number | null = null;
  private isSending = false;

  constructor(
    private readonly job: Pick<BrowserRun, 'runId' | 'userId' | 'automationId'>,
    private readonly tab: Pick<SiteTab, 'blurredPicture'>,
    private readonly report: Pick<RunReport, 'views'>,
    private readonly channel: Pick<RunChannel, 'picture'>,
    private readonly clock: Clock,
    private readonly onLeftOut: (reason: string) => void,
    private readonly timeoutMs = defaultTimeoutMs,
  ) {}

  /** Takes a picture of an action that failed. Never throws, and does not wait for the broker. */
  async ofAction(reservationId: string): Promise<void> {
    await this.take(reservationId);
  }

  /** Takes a picture of the page on which the network objected, unless that page was shown for the action that met the objection. Never throws. */
  async ofStop(): Promise<void> {
    if (this.report.views.opened !== this.lastDocument) await this.take(null);
  }

  private async take(reservationId: string | null): Promise<void> {
    const { runId, userId, automationId } = this.job;
    // A visit that checks a session has no diary in which the picture could be shown.
    if (automationId === null || this.taken >= mostPictures) return;
    // Its memory is not free yet: the broker does not answer.
    if (this.isSending) return this.onLeftOut('the one before was not sent yet');
    this.taken += 1;
    const picture = await this.tab.blurredPicture({ timeoutMs: this.timeoutMs, mostBytes: maxPictureBytes });
    if (!picture) return this.onLeftOut('it was not ready in time, or too large');
    this.lastDocument = this.report.views.opened;
    this.isSending = true;
    const event = {
      pictureId: randomUUID(),
      runId,
      userId,
      reservationId,
      jpeg: picture.toString('base64'),
      takenAt: this.clock.now().toISOString(),
    };
    void this.channel
      .picture(event)
      .catch(() => this.onLeftOut('the broker did not take it'))
      .finally(() => (this.isSending = false));
  }
}
