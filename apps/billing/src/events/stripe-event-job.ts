import { defineJob } from '@decola/contracts';
import { z } from 'zod';

/** Look at one stored event of Stripe. */
export const processStripeEvent = defineJob('billing.stripe-event', z.object({ event_id: z.string() }));

export const stripeEventsQueue = 'billing.stripe-events';
