import { z } from 'zod';
import { defineEvent } from '../messages/definitions.js';

/** Somebody signed up. Billing opens an account for them on demand; nothing else is known yet. Published by identity. */
export const userRegistered = defineEvent(
  'user.registered',
  z.object({ userId: z.uuid(), email: z.email(), registeredAt: z.iso.datetime() }),
);

/** The e-mail address or the name of a user changed. Published by identity. */
export const userUpdated = defineEvent(
  'user.updated',
  z.object({ userId: z.uuid(), email: z.email(), fullName: z.string().nullable(), updatedAt: z.iso.datetime() }),
);

/** The account is gone: every service erases or anonymises what it holds about this person. Published by identity. */
export const userDeleted = defineEvent('user.deleted', z.object({ userId: z.uuid(), deletedAt: z.iso.datetime() }));
