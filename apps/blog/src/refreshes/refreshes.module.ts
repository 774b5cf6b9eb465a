import { Module } from '@nestjs/common';
import { ModelModule } from '../model/model.module.js';
import { WritingModule } from '../writing/writing.module.js';
import { LinkChecks } from './link-checks.service.js';
import { RefreshDecisions } from './refresh-decisions.service.js';
import { RefreshWatch } from './refresh-watch.service.js';
import { RefreshesController } from './refreshes.controller.js';

/** Articles on customers' sites that should be written anew: why, and what their owners decide. */
@Module({
  imports: [ModelModule, WritingModule],
  controllers: [RefreshesController],
  providers: [LinkChecks, RefreshDecisions, RefreshWatch],
})
export class RefreshesModule {}
