export const servicesWithDatabase: string[];
export function dropDatabase(options: { adminUrl: string; database: string }): Promise<void>;
export function dropBroker(options: { managementUrl?: string | undefined; vhost: string }): Promise<void>;
export function dropKeys(options: { url: string; prefix: string }): Promise<void>;
