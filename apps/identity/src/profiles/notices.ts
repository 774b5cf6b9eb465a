import { defaultNotices, type Notices, noticesPatch } from '@decola/contracts';
import { RestError } from '@decola/table-api';

/**
 * Which mails a person wants, after a write: what it leaves out stays as it is stored.
 * @throws RestError 22023 for a mail that does not exist, and for anything but true and false
 */
export function readNotices(stored: unknown, given: unknown): Notices {
  const patch = noticesPatch.safeParse(given);
  if (!patch.success) {
    const [issue] = patch.error.issues;
    const what = issue?.code === 'unrecognized_keys' ? `"${issue.keys[0]?.slice(0, 64)}"` : (issue?.path.join('.') ?? '');
    throw new RestError(400, '22023', `notices${what === '' ? '' : ` ${what}`} not recognized`);
  }
  return { ...defaultNotices, ...(stored as Notices), ...patch.data };
}
