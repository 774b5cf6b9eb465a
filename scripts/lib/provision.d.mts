export const servicesWithDatabase: string[];
export const databaseExtensions: string[];
export const roleSettings: Record<'statement_timeout' | 'lock_timeout' | 'idle_in_transaction_session_timeout', string>;
export function roleOf(service: string): string;
export function preparationOf(database: string, roles: readonly string[]): string[];
export function provisionRole(
  client: { query(text: string, values?: unknown[]): Promise<{ rowCount: number | null }>; escapeLiteral(text: string): string },
  options: { role: string; password: string },
): Promise<void>;
export function provisionDatabase(options: {
  adminUrl: string;
  database: string;
  passwords: Record<string, string>;
}): Promise<{ url: string; byService: Record<string, string> }>;
export function dropDatabase(options: { adminUrl: string; database: string }): Promise<void>;
export function dropBroker(options: { managementUrl?: string | undefined; vhost: string }): Promise<void>;
export function dropKeys(options: { url: string; prefix: string }): Promise<void>;
