import { Module } from '@nestjs/common';

/** The gateway has no controllers of its own but those every service has; its door takes all other addresses. */
@Module({})
export class AppModule {}
