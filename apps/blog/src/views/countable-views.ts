import { isbot } from 'isbot';

/**
 * Programs that call an API and render no page. isbot takes them for crawlers, but whoever asks for a view to be counted with one does it on purpose:
 * crawlers fetch pages and call nothing.
 */
const httpClient =
  /^(?:node|undici|node-fetch|axios|deno|bun|curl|dart|okhttp|go-http-client|python-requests|python-httpx|postgrest|supabase)\b/i;

/** Whether a view counts by the program that reports it: crawlers, previews of links and browsers without a person do not. */
export function isCountableProgram(userAgent: string | null): boolean {
  if (userAgent === null || userAgent.trim() === '') return true;
  return httpClient.test(userAgent) || !isbot(userAgent);
}
