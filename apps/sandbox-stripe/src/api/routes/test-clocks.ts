import { day } from '../../objects/calendar.js';
import { invalid, StripeRefusal } from '../../objects/errors.js';
import type { Customer, Subscription, TestClock } from '../../objects/objects.js';
import type { Parts } from '../parts.js';
import { type Handler, page, text } from './parameters.js';

export function clockRoutes({ world, dueWork }: Parts): Record<string, Handler> {
  const object = 'test_helpers.test_clock';
  return {
    'POST /v1/test_helpers/test_clocks': (_path, parameters) => {
      const clock = world.make<TestClock>(object, {
        deletes_after: world.now() + 30 * day,
        frozen_time: parameters['frozen_time'] as number,
        name: text(parameters, 'name') ?? null,
        status: 'ready',
        status_details: {},
      });
      world.emit('test_helpers.test_clock.created', clock);
      return clock;
    },
    'GET /v1/test_helpers/test_clocks': (_path, parameters) =>
      page(world.all<TestClock>(object), parameters, '/v1/test_helpers/test_clocks'),
    'GET /v1/test_helpers/test_clocks/{id}': ({ id = '' }) => world.get(object, id),
    'DELETE /v1/test_helpers/test_clocks/{id}': ({ id = '' }) => {
      const clock = world.get<TestClock>(object, id);
      world.remove(clock);
      return { id, object, deleted: true };
    },
    'POST /v1/test_helpers/test_clocks/{id}/advance': ({ id = '' }, parameters) => {
      const clock = world.get<TestClock>(object, id);
      const to = parameters['frozen_time'] as number;
      if (to <= clock.frozen_time) throw invalid('The frozen time must be after the current one.', 'frozen_time');
      const furthest = world
        .all<Customer>('customer', ({ test_clock }) => test_clock === clock.id)
        .flatMap((customer) =>
          world.all<Subscription>('subscription', (each) => each.customer === customer.id && each.status !== 'canceled'),
        )
        .flatMap(({ items }) =>
          items.data.map((item) => item.current_period_end + 2 * (item.current_period_end - item.current_period_start)),
        );
      if (furthest.length > 0 && to > Math.min(...furthest))
        throw new StripeRefusal(
          400,
          { type: 'invalid_request_error', message: 'You can only advance at most two intervals at a time.', param: 'frozen_time' },
          true,
        );
      dueWork.advance(clock, to);
      return clock;
    },
  };
}
