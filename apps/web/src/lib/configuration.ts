/** Configuration of the deployment that every page may read; nothing in it is secret. */
export interface PublicConfiguration {
  publishableKey: string;
  productName: string;
  supportEmail: string;
  privacyEmail: string;
  dpoEmail: string;
  /** Legal name and CNPJ of the company; empty while unknown, then nothing is shown. */
  company?: string;
}

let loaded: PublicConfiguration | undefined;

/** Loads the public configuration, once per visit and before the first page is shown. */
export async function loadConfiguration(): Promise<PublicConfiguration> {
  if (loaded) return loaded;
  const answer = await fetch('/config.json');
  if (!answer.ok) throw new Error('configuration');
  return setConfiguration((await answer.json()) as PublicConfiguration);
}

export function setConfiguration(configuration: PublicConfiguration): PublicConfiguration {
  loaded = configuration;
  return configuration;
}

export function configuration(): PublicConfiguration {
  if (!loaded) throw new Error('the configuration is not loaded');
  return loaded;
}
