import { Controller, Get, NotFoundException, Param } from '@nestjs/common';
import { SessionsService } from './sessions.service.js';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** For the gateway alone, which does not route it: whether a session is active, and whether its second factor is still pending. */
@Controller('internal/sessions')
export class InternalSessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Get(':id')
  async state(@Param('id') id: string) {
    const state = uuid.test(id) ? await this.sessions.state(id) : null;
    if (!state) throw new NotFoundException();
    return { active: true, ...state };
  }
}
