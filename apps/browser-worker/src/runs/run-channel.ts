import type {
  listResume,
  personName,
  runActionDone,
  runFinished,
  runMayGoOn,
  runPage,
  runPicture,
  runPreview,
  runReserve,
  runStarted,
  runTrying,
  slotTargets,
} from '@decola/contracts';
import type { PayloadOf } from '@decola/contracts';
import type { z } from 'zod';

export type ReserveReply = z.infer<typeof runReserve.reply>;
export type PlaceReply = z.infer<typeof listResume.reply>;
export type SlotReply = z.infer<typeof slotTargets.reply>;

/** The messages of a run. Events resolve when the broker has confirmed them, questions when they are answered. */
export abstract class RunChannel {
  abstract started(event: PayloadOf<typeof runStarted>): Promise<void>;
  /** To be published before the click that sends an action. @throws ChannelSilentError when the broker does not confirm it. */
  abstract trying(event: PayloadOf<typeof runTrying>): Promise<void>;
  abstract action(event: PayloadOf<typeof runActionDone>): Promise<void>;
  abstract page(event: PayloadOf<typeof runPage>): Promise<void>;
  /** Published once: whoever takes pictures does without one that the broker does not confirm. @throws when it does not. */
  abstract picture(event: PayloadOf<typeof runPicture>): Promise<void>;
  abstract finished(event: PayloadOf<typeof runFinished>): Promise<void>;
  /** True while the run is still wanted. @throws ChannelSilentError when automations does not answer in time. */
  abstract mayGoOn(request: z.infer<typeof runMayGoOn.request>): Promise<boolean>;
  /** @throws ChannelSilentError when automations does not answer in time. */
  abstract reserve(request: z.infer<typeof runReserve.request>): Promise<ReserveReply>;
  /** Tells what a preview found. @returns how many targets more it wants. @throws ChannelSilentError when automations does not answer in time. */
  abstract preview(request: z.infer<typeof runPreview.request>): Promise<number>;
  /** Where a list goes on. @throws ChannelSilentError when extraction does not answer in time. */
  abstract resumeList(request: z.infer<typeof listResume.request>): Promise<PlaceReply>;
  /** @throws ChannelSilentError when extraction does not answer in time. */
  abstract slotTargets(request: z.infer<typeof slotTargets.request>): Promise<SlotReply>;
  /** The newest username known of a person, or null. @throws ChannelSilentError when extraction does not answer in time. */
  abstract personName(request: z.infer<typeof personName.request>): Promise<string | null>;
}
