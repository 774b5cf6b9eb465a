import { z } from 'zod';

/** `profiles.notices` as it is stored and read, by cause: whether the customer gets these mails. */
export const notices = z.strictObject({
  session_ended: z.boolean(),
  blocked: z.boolean(),
  plan_shrank: z.boolean(),
  wheel_leads: z.boolean(),
  wheel_stock: z.boolean(),
});
export type Notices = z.infer<typeof notices>;

/** What a customer writes to `profiles.notices`: causes that are left out keep their value. */
export const noticesPatch = notices.partial();

/** Every mail is sent until its customer says otherwise. */
export const defaultNotices: Notices = { session_ended: true, blocked: true, plan_shrank: true, wheel_leads: true, wheel_stock: true };
