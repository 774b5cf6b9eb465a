import { ChevronDown, ExternalLink, FileText, Pencil, RotateCw } from 'lucide-react';
import { Button } from '../../components/ui/button';
import { Lamp } from '../../components/ui/lamp';
import { classes } from '../../lib/classes';
import { useRetryDelivery, useRetryRun } from './article-actions';
import type { Entry } from './article-data';
import { dueAt, type EntryState, isEditable, isOnSite } from './entry-state';
import { journeyOf } from './journey';
import type { Question } from './sure-dialog';
import { actionTexts as texts, diaryTexts } from './texts';

const time = new Intl.DateTimeFormat('pt-BR', { hour: '2-digit', minute: '2-digit', timeZone: 'America/Sao_Paulo' });
const timeOf = (at: string) => time.format(new Date(at));

export const titleOf = ({ run, article }: Entry): string => article?.title ?? run.title ?? diaryTexts.untitled(run.keyword);

interface EntryLineProps {
  entry: Entry;
  state: EntryState;
  /** The first of its day stands under the day's name. */
  isFirst: boolean;
  now: Date;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  onRead: () => void;
  onEdit: () => void;
  onAsk: (about: Question['about']) => void;
}

/** An article of the diary; its way and what can be done about it open below. */
export function EntryLine({ entry, state, isFirst, now, isOpen, onToggle, ...deeds }: EntryLineProps) {
  const { run } = entry;
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => currentTarget.open !== isOpen && onToggle(currentTarget.open)}
      className={classes('group border-line', !isFirst && 'border-t')}
      data-testid={`entry-${run.id}`}
    >
      <summary className="grid min-h-18 cursor-pointer list-none grid-cols-[minmax(0,1fr)_20px] items-center gap-x-4 gap-y-1 px-4 py-3.5 -outline-offset-3 hover:bg-sunken/45 sm:px-6 min-[56.25rem]:grid-cols-[4rem_minmax(0,1fr)_18.75rem_20px] [&::-webkit-details-marker]:hidden">
        <time dateTime={dueAt(entry)} className="text-sm text-muted tabular-nums max-[56.24rem]:col-start-1">
          {timeOf(dueAt(entry))}
        </time>
        <h3 className="text-base leading-snug font-semibold font-stretch-normal wrap-anywhere max-[56.24rem]:col-start-1">
          {titleOf(entry)}
        </h3>
        <Lamp state={state.lamp} className="items-start whitespace-normal max-[56.24rem]:col-start-1 [&>.light]:mt-[7px]">
          <span className="min-w-0 wrap-anywhere">{state.sentence}</span>
        </Lamp>
        <ChevronDown
          className="size-5 text-muted transition-transform duration-150 group-open:rotate-180 max-[56.24rem]:col-start-2 max-[56.24rem]:row-span-3 max-[56.24rem]:row-start-1"
          aria-hidden
        />
      </summary>
      {isOpen && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5 px-4 pt-1 pb-5 sm:px-6 min-[56.25rem]:grid-cols-[minmax(0,1fr)_18.75rem] min-[56.25rem]:gap-4 min-[56.25rem]:pr-15 min-[56.25rem]:pl-26">
          <Journey entry={entry} now={now} />
          <Deeds entry={entry} state={state} {...deeds} />
        </div>
      )}
    </details>
  );
}

function Journey({ entry, now }: { entry: Entry; now: Date }) {
  return (
    <ol aria-label={diaryTexts.journey} className="journey">
      {journeyOf(entry, now).map(({ name, state, at, detail }) => (
        <li key={name} data-step={state}>
          <b className="font-semibold">{name}</b>
          {at !== null && <time dateTime={at}>{timeOf(at)}</time>}
          {detail !== null && <span className="detail wrap-anywhere">{detail}</span>}
        </li>
      ))}
    </ol>
  );
}

type DeedsProps = Pick<EntryLineProps, 'entry' | 'state' | 'onRead' | 'onEdit' | 'onAsk'>;

function Deeds({ entry, state: { remedy }, onRead, onEdit, onAsk }: DeedsProps) {
  const { run, article, delivery } = entry;
  const title = titleOf(entry);
  const retryRun = useRetryRun();
  const retryDelivery = useRetryDelivery();
  const named = (action: string) => ({ 'aria-label': texts.of(action, title), children: action });
  const isShown = delivery !== null && isOnSite(entry);
  return (
    <div className="flex flex-wrap content-start gap-2 min-[56.25rem]:flex-col min-[56.25rem]:items-start">
      {remedy === 'decide' && article && <Button {...named(texts.decide)} onClick={onRead} />}
      {remedy === 'retry-run' && (
        <Button
          variant="secondary"
          isBusy={retryRun.isPending}
          aria-label={texts.of(texts.retryRun, title)}
          onClick={() => retryRun.mutate({ runId: run.id })}
        >
          <RotateCw className="size-[18px]" aria-hidden /> {texts.retryRun}
        </Button>
      )}
      {remedy === 'retry-delivery' && delivery && (
        <Button
          variant="secondary"
          isBusy={retryDelivery.isPending}
          aria-label={texts.of(texts.retryDelivery, title)}
          onClick={() => retryDelivery.mutate({ deliveryId: delivery.id })}
        >
          <RotateCw className="size-[18px]" aria-hidden /> {texts.retryDelivery}
        </Button>
      )}
      {remedy === 'replace' && <Button variant="secondary" {...named(texts.replace)} onClick={() => onAsk('replace')} />}
      {isShown && delivery.public_url && delivery.state !== 'accepted' && (
        <Button asChild variant="secondary">
          <a href={delivery.public_url} target="_blank" rel="noopener noreferrer" aria-label={texts.of(texts.onSite, title)}>
            <ExternalLink className="size-[18px]" aria-hidden /> {texts.onSite}
          </a>
        </Button>
      )}
      {isShown && delivery.edit_url && delivery.state === 'accepted' && (
        <Button asChild variant="secondary">
          <a href={delivery.edit_url} target="_blank" rel="noopener noreferrer" aria-label={texts.of(texts.inWordPress, title)}>
            <ExternalLink className="size-[18px]" aria-hidden /> {texts.inWordPress}
          </a>
        </Button>
      )}
      {article && remedy !== 'decide' && (
        <Button variant="secondary" aria-label={texts.of(texts.read, title)} onClick={onRead}>
          <FileText className="size-[18px]" aria-hidden /> {texts.read}
        </Button>
      )}
      {isEditable(entry) && (
        <Button variant="quiet" aria-label={texts.of(texts.edit, title)} onClick={onEdit}>
          <Pencil className="size-[18px]" aria-hidden /> {texts.edit}
        </Button>
      )}
      {isShown && <Button variant="quiet" {...named(texts.withdraw)} onClick={() => onAsk('withdraw')} />}
    </div>
  );
}
