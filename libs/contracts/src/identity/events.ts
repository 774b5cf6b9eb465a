import { z } from 'zod';
import { defineEvent } from '../messages/definitions.js';

/** A user signed up. Published by identity. */
export const userRegistered = defineEvent(
  'user.registered',
  z.object({ userId: z.uuid(), email: z.email(), registeredAt: z.iso.datetime() }),
);

/** The e-mail address, name, time zone or language of a user changed or became known. Published by identity. */
export const userUpdated = defineEvent(
  'user.updated',
  z.object({
    userId: z.uuid(),
    email: z.email(),
    fullName: z.string().nullable(),
    /** IANA name that the browser reported; null while unknown. */
    timeZone: z.string().nullish(),
    /** Language of the browser, such as `pt-BR`; null while unknown. */
    locale: z.string().nullish(),
    updatedAt: z.iso.datetime(),
  }),
);

/** A user's account was erased: every service deletes or anonymises its data about this user. Published by identity. */
export const userDeleted = defineEvent('user.deleted', z.object({ userId: z.uuid(), deletedAt: z.iso.datetime() }));
