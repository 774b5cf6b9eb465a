import type { TargetKind } from '@decola/contracts';
import { Check, Clock, ExternalLink, Minus, X } from 'lucide-react';
import { classes } from '../../lib/classes';
import { postUrl, profileUrl } from '../../lib/network-links';
import { AccountInitials } from '../instagram-accounts/account-initials';
import { FailurePicture } from '../pictures/failure-picture';
import { groupOf } from './diary-lines';
import type { DiaryEntry } from './diary-queries';
import { reasonOf, resultOf } from './entry-words';
import { timeOf } from './moments';
import { entryTexts as texts } from './texts';

const looks = {
  done: { Icon: Check, color: 'text-success' },
  skipped: { Icon: Minus, color: 'text-muted' },
  failed: { Icon: X, color: 'text-danger' },
};

/** From 900 px on, the columns of a line and of the head above it. */
const entryColumns = 'min-[56.25rem]:grid-cols-[minmax(0,1.1fr)_9.5rem_minmax(0,1.4fr)_3.5rem] min-[56.25rem]:gap-x-4';

/** Room at the left for lines below a run, where the run has its time. */
const entryIndent = (isInRun: boolean) => (isInRun ? 'px-4 md:px-6 min-[56.25rem]:pr-14 min-[56.25rem]:pl-[6.25rem]' : 'px-4 md:px-6');

/** Names of the columns. Without columns, below 900 px, there are none. */
export function EntryHead({ target, isInRun }: { target: TargetKind; isInRun: boolean }) {
  return (
    <div
      className={classes('hidden py-2 text-sm font-semibold text-muted min-[56.25rem]:grid', entryColumns, entryIndent(isInRun))}
      aria-hidden
    >
      <span>{texts.head[target]}</span>
      <span>{texts.head.result}</span>
      <span>{texts.head.reason}</span>
      <span className="text-right">{texts.head.time}</span>
    </div>
  );
}

/** One person or post: who, how it ended, why, when, and what was written. Below 900 px a block instead of a row. */
export function EntryLine({ entry, isInRun, isLast }: { entry: DiaryEntry; isInRun: boolean; isLast: boolean }) {
  const { target_username: username, post_code: postCode, outcome, at, text } = entry;
  const { Icon, color } = outcome === 'unknown' ? { Icon: Clock, color: 'text-muted' } : looks[groupOf(entry)];
  const name = `@${username}`;
  return (
    <div
      className={classes(
        'grid grid-cols-[2rem_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 py-2 text-md',
        entryColumns,
        entryIndent(isInRun),
        isLast && 'pb-4',
      )}
    >
      <span className="col-span-2 flex min-w-0 items-center gap-3 min-[56.25rem]:col-span-1">
        <AccountInitials name={username} className="size-8 text-xs" />
        <span className="min-w-0">
          <a
            href={profileUrl(username)}
            target="_blank"
            rel="noreferrer"
            title={texts.openProfile(name)}
            className="relative font-medium [overflow-wrap:anywhere] underline-offset-4 before:absolute before:-inset-x-1 before:-inset-y-2.5 hover:underline"
          >
            {name}
          </a>
          {postCode !== null && (
            <a
              href={postUrl(postCode)}
              target="_blank"
              rel="noreferrer"
              aria-label={texts.openPost(postCode)}
              className="relative mt-1 flex w-fit items-center gap-1.5 text-sm text-muted [overflow-wrap:anywhere] underline-offset-4 before:absolute before:-inset-x-1 before:-inset-y-2 hover:underline"
            >
              {texts.post(postCode)}
              <ExternalLink className="size-3.5 shrink-0" aria-hidden />
            </a>
          )}
        </span>
      </span>
      <span className={classes('flex items-center gap-2 text-sm font-semibold whitespace-nowrap', color)}>
        <Icon className="size-4 shrink-0 stroke-2" aria-hidden />
        {resultOf(entry)}
      </span>
      <span className="col-span-2 col-start-2 flex items-end justify-between gap-3 text-sm text-muted min-[56.25rem]:contents min-[56.25rem]:text-md">
        <span className="min-w-0 text-pretty [overflow-wrap:anywhere] min-[56.25rem]:text-md min-[56.25rem]:text-muted">
          {reasonOf(entry)}
        </span>
        <time dateTime={at} className="text-right tabular-nums min-[56.25rem]:text-md min-[56.25rem]:text-muted">
          {timeOf(at)}
        </time>
      </span>
      {text !== null && text !== '' && (
        <p className="col-span-2 col-start-2 text-sm [overflow-wrap:anywhere] whitespace-pre-line min-[56.25rem]:col-span-full min-[56.25rem]:pl-11">
          <span className="text-muted">{texts.wrote}: </span>
          <q>{text}</q>
        </p>
      )}
      {entry.picture_id !== null && (
        <div className="col-span-2 col-start-2 -ml-3 min-[56.25rem]:col-span-full min-[56.25rem]:ml-8">
          <FailurePicture pictureId={entry.picture_id} of={name} />
        </div>
      )}
    </div>
  );
}
