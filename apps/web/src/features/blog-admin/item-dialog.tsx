import { articleAddress, gateRuleNames, type RunQuality } from '@decola/contracts';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../../components/ui/button';
import { Dialog } from '../../components/ui/dialog';
import { TextField } from '../../components/ui/field';
import { Lamp, type LampState } from '../../components/ui/lamp';
import { Failure, Notice, Skeleton } from '../../components/ui/surface';
import { formatDateTime } from '../../lib/format';
import { articleContentQuery, usePublishArticle } from './articles';
import { timeOf } from './automations';
import type { CalendarItem } from './calendar';
import { costOf } from './runs';
import { calendarTexts as texts, topicTexts } from './texts';
import { moveOf, type Topic, useChangeTopics } from './topics';

const lamps: Record<CalendarItem['state'], LampState> = {
  published: 'on',
  running: 'run',
  held: 'warn',
  failed: 'stop',
  skipped: 'off',
  planned: 'off',
};

interface ItemDialogProps {
  item: CalendarItem | null;
  /** All planned topics, in their order. */
  topics: readonly Topic[];
  onKeyword: (keyword: string) => void;
  onClose: () => void;
}

/** All about one entry of the calendar, and what can be done about it. */
export function ItemDialog({ item, topics, onKeyword, onClose }: ItemDialogProps) {
  return (
    <Dialog isOpen={item !== null} onClose={onClose} title={item?.title ?? ''}>
      {item && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 wrap-anywhere">
          <Facts item={item} />
          {item.run?.quality && <Quality quality={item.run.quality} />}
          {item.state === 'published' && item.article && (
            <Button asChild variant="secondary" className="justify-self-start">
              <a href={articleAddress(item.article.slug)}>{texts.open}</a>
            </Button>
          )}
          {item.state === 'held' && item.article && <Draft key={item.article.id} articleId={item.article.id} onClose={onClose} />}
          {item.state === 'failed' && item.keyword !== null && (
            <Button
              variant="secondary"
              className="justify-self-start"
              onClick={() => {
                onClose();
                onKeyword(item.keyword ?? '');
              }}
            >
              {texts.again}
            </Button>
          )}
          {item.state === 'planned' && item.topic && (
            <PlannedTopic key={item.topic.id} topic={item.topic} topics={topics} onClose={onClose} />
          )}
        </div>
      )}
    </Dialog>
  );
}

function Facts({ item: { state, detail, at, run, keyword, automation } }: { item: CalendarItem }) {
  const origin = automation ? texts.byAutomation(automation.keyword) : run ? texts.byHand : null;
  return (
    <div className="grid gap-1.5 text-md">
      <Lamp state={lamps[state]}>{texts.states[state]}</Lamp>
      {state === 'planned' && automation ? (
        <p>{texts.planned(automation.keyword, timeOf(automation))}</p>
      ) : (
        <>
          <p className="text-muted">{formatDateTime(new Date(at).toISOString())}</p>
          {detail !== null && <p>{detail}</p>}
          <p className="text-muted">
            {[origin, keyword === null || automation?.keyword === keyword ? null : texts.keyword(keyword), spentOn(run)]
              .filter(Boolean)
              .join(' ')}
          </p>
        </>
      )}
    </div>
  );
}

/** "21.000 tokens, R$ 0,42." */
function spentOn(run: CalendarItem['run']): string | null {
  const cost = costOf([run]);
  const parts = [run && run.tokens > 0 ? texts.tokens(run.tokens) : null, cost === null ? null : texts.cost(cost)].filter(
    (part) => part !== null,
  );
  return parts.length === 0 ? null : `${parts.join(', ')}.`;
}

/** What the gate found: what keeps an article back, then what could be better. */
function Quality({ quality: { hard, soft } }: { quality: RunQuality }) {
  if (hard.length + soft.length === 0) return <p className="text-md text-muted">{texts.noFindings}</p>;
  return (
    <details className="group border-y border-line" open={hard.length > 0}>
      <summary className="flex min-h-14 cursor-pointer list-none items-center gap-3 rounded-control py-2 [&::-webkit-details-marker]:hidden">
        <span className="grid min-w-0 gap-0.5">
          <span className="text-md font-semibold">{texts.quality}</span>
          <span className="text-sm text-muted">{texts.findings(hard.length, soft.length)}</span>
        </span>
        <ChevronDown className="ml-auto size-5 shrink-0 text-muted transition-transform duration-150 group-open:rotate-180" aria-hidden />
      </summary>
      <ul className="grid gap-3 pt-1 pb-4 text-md">
        {[...hard, ...soft].map(({ rule, severity, sentence, quote }, index) => (
          <li key={index} className="grid gap-0.5">
            <Lamp state={severity === 'hard' ? 'warn' : 'off'} className="text-sm">
              {gateRuleNames[rule] ?? rule}
            </Lamp>
            <span>{sentence}</span>
            {quote && <q className="text-sm text-muted">{quote}</q>}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** A draft that waits for a person: its text, and its publication. */
function Draft({ articleId, onClose }: { articleId: string; onClose: () => void }) {
  const content = useQuery(articleContentQuery(articleId));
  const publish = usePublishArticle();
  let text: ReactNode;
  if (content.isPending) text = <Skeleton className="h-40" />;
  else if (content.isError) text = <Failure text={texts.loadArticleFailed} onRetry={() => void content.refetch()} />;
  else
    text = (
      <div
        role="region"
        aria-label={texts.draft}
        tabIndex={0}
        className="draft-text max-h-[45dvh] overflow-y-auto rounded-tile bg-sunken p-4 text-md"
        // The server has removed everything active; readers of the published article get the same HTML.
        dangerouslySetInnerHTML={{ __html: content.data.content }}
      />
    );
  return (
    <>
      <Notice>{texts.held}</Notice>
      {text}
      <Button
        className="justify-self-start"
        isBusy={publish.isPending}
        disabled={!content.isSuccess}
        onClick={() => publish.mutate(articleId, { onSuccess: onClose })}
      >
        {texts.publish}
      </Button>
    </>
  );
}

/** What a future article will be about: another title, another place, or none. */
function PlannedTopic({ topic, topics, onClose }: { topic: Topic; topics: readonly Topic[]; onClose: () => void }) {
  const [title, setTitle] = useState(topic.title);
  const [problem, setProblem] = useState<string>();
  const change = useChangeTopics();
  const isLocked = topic.state === 'locked';
  const earlier = moveOf(topic, topics, -1);
  const later = moveOf(topic, topics, 1);
  const retitle = () => {
    const typed = title.trim();
    if (typed === '') setProblem(topicTexts.titleEmpty);
    else change.mutate({ patches: [{ id: topic.id, patch: { title: typed } }], done: topicTexts.retitled });
  };
  return (
    <>
      {topic.why && <p className="text-md text-muted">{topic.why}</p>}
      <form
        noValidate
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          retitle();
        }}
      >
        <TextField
          label={topicTexts.title}
          value={title}
          maxLength={200}
          error={problem}
          onChange={({ target }) => {
            setTitle(target.value);
            setProblem(undefined);
          }}
        />
        <Button
          type="submit"
          variant="secondary"
          className="justify-self-start"
          disabled={title.trim() === topic.title || change.isPending}
        >
          {topicTexts.retitle}
        </Button>
      </form>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="soft"
          disabled={!earlier || change.isPending}
          onClick={() => earlier && change.mutate(earlier, { onSuccess: onClose })}
        >
          {topicTexts.earlier}
        </Button>
        <Button variant="soft" disabled={!later || change.isPending} onClick={() => later && change.mutate(later, { onSuccess: onClose })}>
          {topicTexts.later}
        </Button>
        <Button
          variant="soft"
          disabled={change.isPending}
          onClick={() =>
            change.mutate({
              patches: [{ id: topic.id, patch: { state: isLocked ? 'planned' : 'locked' } }],
              done: isLocked ? topicTexts.unlocked : topicTexts.locked,
            })
          }
        >
          {isLocked ? topicTexts.unlock : topicTexts.lock}
        </Button>
        <Button
          variant="quiet"
          disabled={change.isPending}
          onClick={() =>
            change.mutate({ patches: [{ id: topic.id, patch: { state: 'skipped' } }], done: topicTexts.skipped }, { onSuccess: onClose })
          }
        >
          {topicTexts.skip}
        </Button>
      </div>
    </>
  );
}
