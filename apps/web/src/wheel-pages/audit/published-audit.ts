import { CallError, sendCall } from '../call-function';

/** Fetches the audit file of a wheel, as far as its owner publishes it. */
export async function publishedAudit(automationId: string): Promise<Blob | 'not_published' | 'failed'> {
  try {
    return await (await sendCall('prize-audit', { automationId })).blob();
  } catch (error) {
    const isRefused = error instanceof CallError && error.status !== null && [400, 401, 403, 404].includes(error.status);
    return isRefused ? 'not_published' : 'failed';
  }
}
