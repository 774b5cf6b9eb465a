import { MessagingModule } from '@decola/messaging';
import { type DynamicModule, Module } from '@nestjs/common';
import type { WorkerConfig } from './config/config.js';
import { RUN_MODULES } from './runs/run-modules.token.js';
import { RunsConsumer } from './runs/runs.consumer.js';
import { runModules } from './tools/registry.js';

/** The browser worker. It has no database and no routes of its own: it uses the broker, Redis and the network's site. */
@Module({})
export class AppModule {
  static forRoot(config: WorkerConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [MessagingModule.forRoot({ url: config.RABBITMQ_URL, service: 'browser-worker', relay: false })],
      providers: [{ provide: RUN_MODULES, useValue: runModules }, RunsConsumer],
    };
  }
}
