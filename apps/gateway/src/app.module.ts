import { Module } from '@nestjs/common';

/** The gateway has only the controllers that every service has (health, metrics). `registerRoutes` handles all other paths. */
@Module({})
export class AppModule {}
