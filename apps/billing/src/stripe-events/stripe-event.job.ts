import { defineJob } from '@decola/contracts';
import { z } from 'zod';

/** One stored event of Stripe is to be processed. Ordered and carried out by billing alone. */
export const processStripeEvent = defineJob('billing.stripe-event', z.object({ event_id: z.string() }));

/** The queue of these jobs. */
export const stripeEventsQueue = 'billing.stripe-events';
