import { type PayloadOf, runPicture } from '@decola/contracts';
import { EventContext } from '@decola/messaging';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { isErased } from '../customers/erased-customers.js';

/** Stores the pictures that workers take of failures. */
@Controller()
export class PicturesConsumer {
  /** Stores a picture once. One of a run that is not known (any more) is dropped. */
  @EventPattern<string>(runPicture.type)
  async picture(@Payload() event: PayloadOf<typeof runPicture>, @Ctx() { manager }: EventContext): Promise<void> {
    if (await isErased(manager, event.userId)) return;
    await manager.query(
      `insert into run_pictures (id, user_id, automation_id, run_id, reservation_id, taken_at, jpeg)
       select $1, r.user_id, r.automation_id, r.id, $4, $5, $6 from runs r where r.id = $2 and r.user_id = $3
       on conflict do nothing`,
      [event.pictureId, event.runId, event.userId, event.reservationId, event.takenAt, Buffer.from(event.jpeg, 'base64')],
    );
  }
}
