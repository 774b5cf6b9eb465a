import { type AutomationType, type PreviewItem, type PreviewRow, previewTargets, tools } from '@decola/contracts';
import { ChevronRight, ExternalLink, Loader2 } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Button } from '../../components/ui/button';
import { Card, Failure, Notice, Skeleton } from '../../components/ui/surface';
import { ApiError } from '../../lib/api-client';
import { classes } from '../../lib/classes';
import { formatAgo } from '../../lib/relative-time';
import { postUrl, profileUrl } from '../../lib/network-links';
import { AccountInitials } from '../instagram-accounts/account-initials';
import { usePreview } from './preview-query';
import { previewTexts as texts } from './texts';

interface NextTargetsProps {
  automationId: string;
  type: AutomationType;
  /** `panel`: a panel of its own, with a heading of level 2; `plan`: a part of a panel, with one of level 3. */
  look?: 'panel' | 'plan';
  /** Heading; by the tool when absent. */
  title?: string;
  /** Whether the page has changes that are not stored: the preview knows only what is. */
  isChanged?: boolean;
}

/** Whether the tool has targets that a preview shows. */
export const hasPreview = (type: AutomationType): boolean => Object.keys(tools[type].runs).length > 0;

/** The next targets of a stored automation or draft, and who would be passed over, found by a dry run on demand. */
export function NextTargets({ automationId, type, look = 'panel', title = texts.titles[type], isChanged = false }: NextTargetsProps) {
  const titleId = useId();
  const { preview, asking, isOpen } = usePreview(automationId);
  const [Heading, Frame] = look === 'panel' ? (['h2', Card] as const) : (['h3', 'section'] as const);
  const row = preview.data ?? null;
  const { isExtractor } = tools[type];
  const isBusy = asking.isPending || isOpen;
  const button = !isBusy && preview.isSuccess && (
    <Button variant="secondary" size="small" onClick={() => asking.mutate()}>
      {row ? texts.askAgain : texts.ask}
    </Button>
  );
  return (
    <Frame aria-labelledby={titleId} className={classes('grid grid-cols-1 content-start', look === 'panel' ? 'gap-4' : 'gap-3')}>
      <div className={classes('flex flex-wrap items-center justify-between gap-x-4 gap-y-2', look === 'panel' && 'min-h-11')}>
        <Heading
          id={titleId}
          className={look === 'panel' ? 'text-xl' : 'text-sm leading-6 font-semibold font-stretch-normal tracking-normal text-muted'}
        >
          {title}
        </Heading>
        {look === 'panel' && button}
      </div>
      {preview.isPending ? (
        <Loading />
      ) : preview.isError ? (
        <Failure text={texts.loadFailed} onRetry={() => void preview.refetch()} />
      ) : (
        <>
          {!row && <p className="max-w-[60ch] text-pretty text-muted">{isExtractor ? texts.ledeOfList : texts.lede}</p>}
          {row && <Shown preview={row} isList={isExtractor} look={look} />}
          {asking.isPending && !isOpen && <Progress text={texts.waiting} />}
          {asking.isError && (
            <div role="alert">
              <Notice tone="danger">{(asking.error instanceof ApiError && asking.error.message) || texts.askFailed}</Notice>
            </div>
          )}
          {isChanged && <p className="text-sm text-pretty text-muted">{texts.unsaved}</p>}
          {look === 'plan' && button && <div className="flex">{button}</div>}
        </>
      )}
    </Frame>
  );
}

function Loading() {
  return (
    <div role="status" className="grid gap-2">
      <span className="sr-only">{texts.loading}</span>
      <Skeleton className="h-11" />
      <Skeleton className="h-11" />
    </div>
  );
}

/** Its text is told to people who hear the page whenever it changes. */
function Progress({ text }: { text: string }) {
  return (
    <p role="status" className="flex items-center gap-2.5 text-sm text-muted">
      <Loader2 className="size-4 shrink-0 animate-spin motion-reduce:animate-none" aria-hidden />
      {text}
    </p>
  );
}

/** In a narrow panel so many targets are shown at first. */
const shownInPlan = 4;

const columns = 'grid gap-x-6 gap-y-3 grid-cols-[repeat(auto-fill,minmax(min(100%,16rem),1fr))]';

function Shown({ preview, isList, look }: { preview: PreviewRow; isList: boolean; look: 'panel' | 'plan' }) {
  const { state, reason, items, finished_at: finishedAt } = preview;
  const next = items.filter(({ would }) => would);
  const passedOver = items.filter(({ would }) => !would);
  const reading = isList ? texts.readingList : texts.reading(next.length, previewTargets);
  // What is the same for all is said once.
  const reasons = new Set(next.map(({ why }) => why));
  const common = next.length > 1 && reasons.size === 1 ? next[0]!.why : null;
  const shown = next.slice(0, look === 'plan' ? shownInPlan : previewTargets);
  const more = next.slice(shown.length);
  const targets = (some: readonly PreviewItem[]) =>
    some.map((item) => <Target key={`${item.target_username} ${item.post_code}`} item={item} why={common === null ? item.why : null} />);
  return (
    <>
      {(state === 'waiting' || state === 'reading') && <Progress text={state === 'waiting' ? texts.waiting : reading} />}
      {common !== null && <p className="text-sm text-pretty text-muted">{common}</p>}
      {shown.length > 0 && <ol className={columns}>{targets(shown)}</ol>}
      {more.length > 0 && (
        <More title={texts.more(more.length)}>
          <ol start={shown.length + 1} className={columns}>
            {targets(more)}
          </ol>
        </More>
      )}
      {reason !== null && <Notice tone={state === 'failed' ? 'warning' : 'neutral'}>{reason}</Notice>}
      {passedOver.length > 0 && (
        // A list that cannot be read is all that there is to see.
        <More title={texts.passedOver(passedOver.length)} isOpen={next.length === 0}>
          <ul className={columns}>
            {passedOver.map((item) => (
              <Target key={`${item.target_username} ${item.post_code}`} item={item} why={item.reason} />
            ))}
          </ul>
        </More>
      )}
      {state === 'done' && finishedAt !== null && items.length > 0 && (
        <p className="text-sm text-pretty text-muted">{texts.seen(formatAgo(finishedAt))}</p>
      )}
    </>
  );
}

function More({ title, isOpen = false, children }: { title: string; isOpen?: boolean; children: ReactNode }) {
  return (
    <details open={isOpen} className="group">
      <summary className="flex min-h-11 w-fit cursor-pointer list-none items-center gap-1.5 text-sm font-semibold underline-offset-4 hover:underline [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-4 shrink-0 transition-transform group-open:rotate-90 motion-reduce:transition-none" aria-hidden />
        {title}
      </summary>
      <div className="pt-1 pb-2">{children}</div>
    </details>
  );
}

const link = 'relative underline-offset-4 before:absolute before:-inset-x-1 before:-inset-y-2.5 hover:underline';

/** Somebody or a post: who, why, and what would be written. @param why why it is a target, or would be passed over; null when that is said for all */
function Target({ item, why }: { item: PreviewItem; why: string | null }) {
  const { target_username: username, post_code: postCode, text, would } = item;
  const name = `@${username}`;
  return (
    <li
      className={classes(
        'grid grid-cols-[2rem_minmax(0,1fr)] gap-x-3',
        why === null && text === null ? 'items-center' : 'items-start',
        !would && 'text-muted',
      )}
    >
      <AccountInitials name={username} className="size-8 text-xs" />
      <div className="min-w-0 text-sm [overflow-wrap:anywhere]">
        <p className="flex flex-wrap items-baseline gap-x-2.5 text-md">
          {username !== '' && (
            <a
              href={profileUrl(username)}
              target="_blank"
              rel="noreferrer"
              aria-label={texts.openProfile(name)}
              className={classes('font-medium', link)}
            >
              {name}
            </a>
          )}
          {postCode !== null && (
            <a
              href={postUrl(postCode)}
              target="_blank"
              rel="noreferrer"
              aria-label={texts.openPost(name)}
              className={classes('inline-flex items-center gap-1 text-sm text-muted', link)}
            >
              {texts.post} <ExternalLink className="size-3.5 shrink-0" aria-hidden />
            </a>
          )}
        </p>
        {why !== null && <p className="text-pretty text-muted">{why}</p>}
        {text !== null && (
          <p className="mt-1.5 w-fit max-w-full rounded-[14px_14px_14px_4px] bg-sunken px-3 py-2 whitespace-pre-line">
            <span className="sr-only">{texts.gets}: </span>
            {text}
          </p>
        )}
      </div>
    </li>
  );
}
