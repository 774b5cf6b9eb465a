import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type EventDefinition,
  listResume,
  type PayloadOf,
  personName,
  type RequestDefinition,
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
import type { EventPublisher, Requester } from '@decola/messaging';
import type { z } from 'zod';
import { ChannelSilentError } from './run.errors.js';
import { type PlaceReply, type ReserveReply, RunChannel, type SlotReply } from './run-channel.js';

/** Together longer than a restart of the broker takes. */
const pausesBetweenTriesMs = [500, 2_000, 5_000];

/** A question may be repeated: automations answers it with the same reservations, extraction with the same place. */
const mostQuestions = 3;
const questionPauseMs = 1_000;

/** The messages of a run over RabbitMQ. The subject of every event is the run, so that its events arrive in order. */
export class BrokerRunChannel extends RunChannel {
  constructor(
    private readonly publisher: EventPublisher,
    private readonly requester: Requester,
    private readonly requestTimeoutMs: number,
  ) {
    super();
  }

  started(event: PayloadOf<typeof runStarted>): Promise<void> {
    return this.publish(runStarted, event, event.runId);
  }

  trying(event: PayloadOf<typeof runTrying>): Promise<void> {
    return this.publish(runTrying, event, event.runId);
  }

  action(event: PayloadOf<typeof runActionDone>): Promise<void> {
    return this.publish(runActionDone, event, event.runId);
  }

  page(event: PayloadOf<typeof runPage>): Promise<void> {
    return this.publish(runPage, event, event.runId);
  }

  picture(event: PayloadOf<typeof runPicture>): Promise<void> {
    return this.publisher.publish(runPicture, event, { subject: event.runId, id: event.pictureId });
  }

  finished(event: PayloadOf<typeof runFinished>): Promise<void> {
    return this.publish(runFinished, event, event.runId);
  }

  async mayGoOn(request: z.infer<typeof runMayGoOn.request>): Promise<boolean> {
    return (await this.ask(runMayGoOn, request)).goOn;
  }

  reserve(request: z.infer<typeof runReserve.request>): Promise<ReserveReply> {
    return this.ask(runReserve, request);
  }

  async preview(request: z.infer<typeof runPreview.request>): Promise<number> {
    return (await this.ask(runPreview, request)).wanted;
  }

  resumeList(request: z.infer<typeof listResume.request>): Promise<PlaceReply> {
    return this.ask(listResume, request);
  }

  slotTargets(request: z.infer<typeof slotTargets.request>): Promise<SlotReply> {
    return this.ask(slotTargets, request);
  }

  async personName(request: z.infer<typeof personName.request>): Promise<string | null> {
    return (await this.ask(personName, request)).username;
  }

  private async publish<Schema extends z.ZodType>(
    definition: EventDefinition<Schema>,
    payload: z.input<Schema>,
    runId: string,
  ): Promise<void> {
    const id = randomUUID(); // the same id in every try, so that consumers ignore duplicates
    for (const pauseMs of [...pausesBetweenTriesMs, null]) {
      try {
        return await this.publisher.publish(definition, payload, { subject: runId, id });
      } catch (error) {
        if (pauseMs === null) throw new ChannelSilentError(definition.type, error);
        await sleep(pauseMs);
      }
    }
  }

  private async ask<Request extends z.ZodType, Reply extends z.ZodType>(
    definition: RequestDefinition<Request, Reply>,
    request: z.input<Request>,
  ): Promise<z.infer<Reply>> {
    for (let triesLeft = mostQuestions - 1; ; triesLeft -= 1) {
      try {
        return await this.requester.ask(definition, request, { timeoutMs: this.requestTimeoutMs });
      } catch (error) {
        if (triesLeft === 0) throw new ChannelSilentError(definition.type, error);
        await sleep(questionPauseMs);
      }
    }
  }
}
