import { productTimeZone } from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';

/** Language of browser contexts of customers whose own language is not known. */
export const productLocale = 'pt-BR';

/** A customer's time zone (IANA name) and language (BCP 47), with the product's own as defaults. */
export async function browserSettingsOf(db: Database, userId: string): Promise<{ locale: string; timeZone: string }> {
  const customer = await rowOf<{ locale: string | null; time_zone: string | null }>(
    db,
    `select locale, time_zone from customers where user_id = $1`,
    [userId],
  );
  return { locale: customer?.locale ?? productLocale, timeZone: customer?.time_zone ?? productTimeZone };
}

/** SQL over a row `t` with a `user_id`: the customer's time zone. */
export const timeZoneOfRow = `coalesce((select u.time_zone from customers u where u.user_id = t.user_id), '${productTimeZone}')`;
