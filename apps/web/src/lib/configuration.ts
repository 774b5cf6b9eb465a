/** What the deployment tells every page; nothing here is secret. */
export interface RuntimeConfiguration {
  publishableKey: string;
  productName: string;
  supportEmail: string;
  privacyEmail: string;
  dpoEmail: string;
}

let loaded: RuntimeConfiguration | undefined;

/** Reads the public configuration; asked once per visit, before the first page is shown. */
export async function loadConfiguration(): Promise<RuntimeConfiguration> {
  if (loaded) return loaded;
  const answer = await fetch('/config.json');
  if (!answer.ok) throw new Error('configuration');
  return setConfiguration((await answer.json()) as RuntimeConfiguration);
}

export function setConfiguration(configuration: RuntimeConfiguration): RuntimeConfiguration {
  loaded = configuration;
  return configuration;
}

export function configuration(): RuntimeConfiguration {
  if (!loaded) throw new Error('the configuration is not loaded');
  return loaded;
}
