import {
  extractionCompleted,
  extractionPassEnded,
  type PayloadOf,
  runActionDone,
  runFinished,
  runMayGoOn,
  runPage,
  runReserve,
  runStarted,
} from '@decola/contracts';
import { EventContext } from '@decola/messaging';
import { Clock, CONFIG } from '@decola/service-kit';
import { Controller, Inject } from '@nestjs/common';
import { Ctx, EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import { DataSource } from 'typeorm';
import type { z } from 'zod';
import type { AutomationsConfig } from '../config.js';
import { ActionReports } from './action-reports.js';
import { ExtractionCourse } from './extraction-course.js';
import { reserve, type ReserveReply, type ReserveRequest } from './reserve.js';
import { mayGoOn } from './may-go-on.js';
import { RunEvents } from './run-events.js';

/** What browser workers and extraction report and ask. Each message is one transaction with its inbox row. */
@Controller()
export class RunsConsumer {
  constructor(
    private readonly runs: RunEvents,
    private readonly actions: ActionReports,
    private readonly extractions: ExtractionCourse,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: AutomationsConfig,
  ) {}

  @EventPattern<string>(runStarted.type)
  async started(@Payload() event: PayloadOf<typeof runStarted>, @Ctx() context: EventContext): Promise<void> {
    await this.runs.started(context.manager, event);
  }

  @EventPattern<string>(runActionDone.type)
  async action(@Payload() event: PayloadOf<typeof runActionDone>, @Ctx() context: EventContext): Promise<void> {
    await this.actions.record(context.manager, event);
  }

  @EventPattern<string>(runPage.type)
  async page(@Payload() event: PayloadOf<typeof runPage>, @Ctx() context: EventContext): Promise<void> {
    await this.extractions.page(context.manager, event);
  }

  @EventPattern<string>(runFinished.type)
  async finished(@Payload() event: PayloadOf<typeof runFinished>, @Ctx() context: EventContext): Promise<void> {
    await this.runs.finished(context.manager, event);
  }

  @EventPattern<string>(extractionPassEnded.type)
  async passEnded(@Payload() event: PayloadOf<typeof extractionPassEnded>, @Ctx() context: EventContext): Promise<void> {
    await this.extractions.passEnded(context.manager, event);
  }

  @EventPattern<string>(extractionCompleted.type)
  async completed(@Payload() event: PayloadOf<typeof extractionCompleted>, @Ctx() context: EventContext): Promise<void> {
    await this.extractions.completed(context.manager, event);
  }

  @MessagePattern(runMayGoOn.type)
  async mayGoOn(@Payload() request: z.infer<typeof runMayGoOn.request>): Promise<z.infer<typeof runMayGoOn.reply>> {
    return { goOn: await mayGoOn(this.dataSource.manager, request) };
  }

  @MessagePattern(runReserve.type)
  reserve(@Payload() request: ReserveRequest): Promise<ReserveReply> {
    const rules = { ceilings: this.config.CEILINGS, unfollowAfterDays: this.config.UNFOLLOW_AFTER_DAYS };
    return this.dataSource.transaction((manager) => reserve(manager, request, rules, this.clock.now()));
  }
}
