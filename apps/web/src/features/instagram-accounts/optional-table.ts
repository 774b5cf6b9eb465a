import { ApiError, client, unwrap } from '../../lib/api-client';

/** Error code of the server for an unknown table. */
const unknownTableCodes: ReadonlySet<string | null> = new Set(['PGRST205', '42P01']);

/**
 * The person's rows of a table; none when the server is older and does not have the table yet.
 * @param accountId only the rows of this account
 */
export async function readOptional<Row>(table: string, accountId?: string): Promise<Row[]> {
  const all = client().from(table).select('*');
  const asked = accountId === undefined ? all : all.eq('instagram_account_id', accountId);
  try {
    return unwrap(await asked.overrideTypes<Row[], { merge: false }>());
  } catch (error) {
    if (error instanceof ApiError && unknownTableCodes.has(error.code)) return [];
    throw error;
  }
}
