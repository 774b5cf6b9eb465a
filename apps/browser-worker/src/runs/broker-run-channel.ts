import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type EventDefinition,
  type PayloadOf,
  type RequestDefinition,
  runActionDone,
  runFinished,
  runMayGoOn,
  runPage,
  runReserve,
  runStarted,
  slotTargets,
} from '@decola/contracts';
import type { EventPublisher, Requester } from '@decola/messaging';
import type { z } from 'zod';
import { ChannelSilentError } from './errors.js';
import { type ReserveReply, RunChannel, type SlotReply } from './run-channel.js';

/** A broker that restarts is back within these; each try waits for its own confirm. */
const pausesBetweenTriesMs = [500, 2_000, 5_000];

/** The same question gets the same answer: what it reserved for this run it hands out again. */
const mostQuestions = 3;
const questionPauseMs = 1_000;

/** The run's messages over RabbitMQ. The subject of every event is the run, so that they arrive in order. */
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

  action(event: PayloadOf<typeof runActionDone>): Promise<void> {
    return this.publish(runActionDone, event, event.runId);
  }

  page(event: PayloadOf<typeof runPage>): Promise<void> {
    return this.publish(runPage, event, event.runId);
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

  slotTargets(request: z.infer<typeof slotTargets.request>): Promise<SlotReply> {
    return this.ask(slotTargets, request);
  }

  private async publish<Schema extends z.ZodType>(
    definition: EventDefinition<Schema>,
    payload: z.input<Schema>,
    runId: string,
  ): Promise<void> {
    const id = randomUUID(); // one id for all tries: listeners drop a second arrival
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
