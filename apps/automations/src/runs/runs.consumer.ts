import {
  extractionCompleted,
  extractionDue,
  extractionPassEnded,
  type PayloadOf,
  runActionDone,
  runFinished,
  runMayGoOn,
  runPage,
  runPreview,
  runReserve,
  runStarted,
  runTrying,
} from '@decola/contracts';
import { EventContext } from '@decola/messaging';
import { Clock, CONFIG } from '@decola/service-kit';
import { Controller, Inject } from '@nestjs/common';
import { Ctx, EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import { DataSource } from 'typeorm';
import type { z } from 'zod';
import type { AutomationsConfig } from '../config/config.js';
import { runRules } from '../config/run-rules.js';
import { ExtractionProgress } from '../extractions/extraction-progress.service.js';
import { ActionReports } from '../ledger/action-reports.service.js';
import { reserve, type ReserveReply, type ReserveRequest } from '../ledger/reserve.js';
import { addRunViews } from '../safety/usage.js';
import { Previews } from '../previews/previews.service.js';
import { isRunWanted } from './is-run-wanted.js';
import { RunEvents } from './run-events.service.js';

/**
 * Handles events and requests of browser workers, and events of extraction. Each event is handled in one transaction with its inbox row.
 */
@Controller()
export class RunsConsumer {
  constructor(
    private readonly runs: RunEvents,
    private readonly actions: ActionReports,
    private readonly extractions: ExtractionProgress,
    private readonly previews: Previews,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: AutomationsConfig,
  ) {}

  @EventPattern<string>(runStarted.type)
  async started(@Payload() event: PayloadOf<typeof runStarted>, @Ctx() context: EventContext): Promise<void> {
    await this.runs.started(context.manager, event);
  }

  @EventPattern<string>(runTrying.type)
  async trying(@Payload() event: PayloadOf<typeof runTrying>, @Ctx() context: EventContext): Promise<void> {
    await this.actions.trying(context.manager, event);
  }

  @EventPattern<string>(runActionDone.type)
  async actionDone(@Payload() event: PayloadOf<typeof runActionDone>, @Ctx() context: EventContext): Promise<void> {
    await this.actions.done(context.manager, event);
  }

  @EventPattern<string>(runPage.type)
  async page(@Payload() event: PayloadOf<typeof runPage>, @Ctx() context: EventContext): Promise<void> {
    await this.extractions.page(context.manager, event);
  }

  @EventPattern<string>(runFinished.type)
  async finished(@Payload() event: PayloadOf<typeof runFinished>, @Ctx() context: EventContext): Promise<void> {
    await this.runs.finished(context.manager, event);
  }

  @EventPattern<string>(extractionDue.type)
  async due(@Payload() event: PayloadOf<typeof extractionDue>, @Ctx() context: EventContext): Promise<void> {
    await this.extractions.due(context.manager, event);
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
  mayGoOn(@Payload() request: z.infer<typeof runMayGoOn.request>): Promise<z.infer<typeof runMayGoOn.reply>> {
    return this.dataSource.transaction(async (manager) => {
      const now = this.clock.now();
      await addRunViews(manager, request, now);
      return { goOn: (await isRunWanted(manager, request, now)) || (await this.previews.mayGoOn(manager, request)) };
    });
  }

  @MessagePattern(runPreview.type)
  preview(@Payload() request: z.infer<typeof runPreview.request>): Promise<z.infer<typeof runPreview.reply>> {
    return this.dataSource.transaction((manager) => this.previews.found(manager, request));
  }

  @MessagePattern(runReserve.type)
  reserve(@Payload() request: ReserveRequest): Promise<ReserveReply> {
    return this.dataSource.transaction((manager) => reserve(manager, request, runRules(this.config), this.clock.now()));
  }
}
