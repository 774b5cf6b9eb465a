import type { runActionDone, runFinished, runMayGoOn, runPage, runReserve, runStarted, slotTargets } from '@decola/contracts';
import type { PayloadOf } from '@decola/contracts';
import type { z } from 'zod';

export type ReserveReply = z.infer<typeof runReserve.reply>;
export type SlotReply = z.infer<typeof slotTargets.reply>;

/** Everything a run says and asks. Every call resolves only when the broker has taken (or answered) the message. */
export abstract class RunChannel {
  abstract started(event: PayloadOf<typeof runStarted>): Promise<void>;
  abstract action(event: PayloadOf<typeof runActionDone>): Promise<void>;
  abstract page(event: PayloadOf<typeof runPage>): Promise<void>;
  abstract finished(event: PayloadOf<typeof runFinished>): Promise<void>;
  /** Whether somebody still wants the run. @throws ChannelSilentError when automations does not answer in time. */
  abstract mayGoOn(request: z.infer<typeof runMayGoOn.request>): Promise<boolean>;
  /** @throws ChannelSilentError when automations does not answer in time. */
  abstract reserve(request: z.infer<typeof runReserve.request>): Promise<ReserveReply>;
  /** @throws ChannelSilentError when extraction does not answer in time. */
  abstract slotTargets(request: z.infer<typeof slotTargets.request>): Promise<SlotReply>;
}
