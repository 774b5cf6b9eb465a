import { MessagingModule } from '@decola/messaging';
import { type DynamicModule, Module } from '@nestjs/common';
import type { WorkerConfig } from './config.js';
import { RunsService } from './runs/runs.service.js';

/** The browser worker: no table, no route of its own; it talks to the broker and to the network that it drives. */
@Module({})
export class AppModule {
  static forRoot(config: WorkerConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [MessagingModule.forRoot({ url: config.RABBITMQ_URL, service: 'browser-worker', relay: false })],
      providers: [RunsService],
    };
  }
}
