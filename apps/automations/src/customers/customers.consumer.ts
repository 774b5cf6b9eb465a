import { type PayloadOf, userUpdated } from '@decola/contracts';
import { rowsOf, yieldToPeople } from '@decola/database';
import { EventContext } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { perform } from '../automation-state/perform.js';
import { isTimeZone } from '../safety/quiet-hours.js';
import { isErased } from './erased-customers.js';

/** A language tag that a browser context accepts, such as `pt-BR`. */
const localePattern = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/;

/** Copies time zone and language of customers from identity. Quiet hours and browser contexts depend on them. */
@Controller()
export class CustomersConsumer {
  constructor(private readonly clock: Clock) {}

  /** Idempotent, and safe out of order: an older update changes nothing. An unknown time zone or language is stored as null. */
  @EventPattern<string>(userUpdated.type)
  async updated(@Payload() event: PayloadOf<typeof userUpdated>, @Ctx() { manager }: EventContext): Promise<void> {
    await yieldToPeople(manager);
    if (await isErased(manager, event.userId)) return;
    const timeZone = event.timeZone && isTimeZone(event.timeZone) ? event.timeZone : null;
    const locale = event.locale && localePattern.test(event.locale) ? event.locale : null;
    // A dispatcher that holds an automation for quiet hours locks these rows, so that it sees the new time zone, or is seen here. They are locked
    // first, as an erasure does.
    await manager.query(`select 1 from instagram_accounts where user_id = $1 order by id for no key update`, [event.userId]);
    const changed = await rowsOf(
      manager,
      `insert into customers (user_id, time_zone, locale, updated_at) values ($1, $2, $3, $4)
       on conflict (user_id) do update set time_zone = excluded.time_zone, locale = excluded.locale, updated_at = excluded.updated_at
       where customers.updated_at < excluded.updated_at
       returning user_id`,
      [event.userId, timeZone, locale, event.updatedAt],
    );
    if (changed.length === 0) return;
    // In the new time zone the quiet hours may be over.
    await perform(manager, 'due', { userId: event.userId, holdCodes: ['quiet_hours'] }, { now: this.clock.now() });
  }
}
