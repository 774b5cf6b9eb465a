import { accountExportPath, readExportFrames } from '@decola/service-kit';
import { authenticated } from './callers.js';

/** The account export of a service for one person: the text of each file by its name. */
export async function accountExportOf(serviceUrl: string, userId: string): Promise<Record<string, string>> {
  const answer = await fetch(`${serviceUrl}${accountExportPath}`, { headers: authenticated(userId) });
  if (!answer.ok || !answer.body) throw new Error(`the export was answered with ${answer.status}`);
  const files: Record<string, string> = {};
  let name = '';
  for await (const frame of readExportFrames(answer.body)) {
    if ('file' in frame) files[(name = frame.file.name)] = '';
    else if ('text' in frame) files[name] += frame.text;
  }
  return files;
}
