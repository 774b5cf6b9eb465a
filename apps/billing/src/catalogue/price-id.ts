import { z } from 'zod';

/** A price id in a request's body. Stripe's ids are printable ASCII; PostgreSQL stores neither NUL nor half of a surrogate pair. */
export const priceId = z
  .string()
  .max(255)
  .regex(/^[!-~]+$/);
