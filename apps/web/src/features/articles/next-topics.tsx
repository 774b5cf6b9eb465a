import type { PreviewTopicsAnswer } from '@decola/contracts';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Lock, LockOpen, Pencil, SkipForward } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../../components/ui/button';
import { TextField } from '../../components/ui/field';
import { Card, Failure, Skeleton } from '../../components/ui/surface';
import { ApiError, callFunction, client, unwrap } from '../../lib/api-client';
import { livePolling } from '../../lib/live-state';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { moveOf, type Topic, type TopicChange, useChangeTopics } from '../blog-admin/topics';
import { readIfThere } from '../customer-sites/sites';
import type { ArticleAutomation } from './article-data';
import { nextDatesOf } from '../blog-wizard/blog-draft';
import { formatDateOfWeek } from '../blog-wizard/dates';
import { TopicFacts } from '../blog-wizard/topic-facts';
import { topicTexts as texts } from './texts';

const shownTopics = 5;
const longestTitle = 300;
const mostTopics = 500;
const slowPollMs = 60_000;

const topicsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['topics', userId, 'customer'],
    queryFn: () =>
      readIfThere(async () =>
        unwrap(
          await client()
            .from('topics')
            .select('*')
            .eq('user_id', userId)
            .in('state', ['planned', 'locked'])
            .order('position')
            .limit(mostTopics)
            .overrideTypes<Topic[], { merge: false }>(),
        ),
      ),
    refetchInterval: () => livePolling(slowPollMs),
  });

function useSuggestTopics() {
  const queryClient = useQueryClient();
  const failure = useErrorToast();
  return useMutation({
    mutationFn: async ({ blogAutomationId, isReplacing }: { blogAutomationId: string; isReplacing: boolean }) => {
      const body = { blogAutomationId, ...(isReplacing ? { replace: true } : {}) };
      const answer = await callFunction<PreviewTopicsAnswer>('preview-topics', body);
      if (!answer.success) throw new ApiError(answer.error);
      return answer.topics;
    },
    onMutate: () => failure.clear(),
    onSuccess: (topics, { isReplacing }) => void toast.success(isReplacing ? texts.replaced : texts.suggested(topics.length)),
    onError: (error) => failure.show(texts.suggestFailed, { description: error.message || undefined }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['topics'] }),
  });
}

interface NextTopicsProps {
  userId: string;
  automations: readonly ArticleAutomation[];
  now: Date;
}

/** What the next five articles of each automation will be about, and why; each can be moved, kept in its place, renamed and skipped. */
export function NextTopics({ userId, automations, now }: NextTopicsProps) {
  const topics = useQuery(topicsQuery(userId));
  const change = useChangeTopics();
  return (
    <section aria-labelledby="next-topics" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div>
        <h2 id="next-topics" className="text-xl">
          {texts.title}
        </h2>
        <p className="mt-1 text-md text-muted">{texts.lede}</p>
      </div>
      {topics.isPending && <Skeleton className="h-72" />}
      {topics.isError && <Failure text={texts.loadFailed} onRetry={() => void topics.refetch()} />}
      {topics.data &&
        automations.map((automation) => (
          <AutomationTopics
            key={automation.id}
            automation={automation}
            isNamed={automations.length > 1}
            topics={topics.data.filter(({ blog_automation_id: id }) => id === automation.id)}
            now={now}
            isBusy={change.isPending}
            onChange={(patch) => change.mutate(patch)}
          />
        ))}
    </section>
  );
}

interface AutomationTopicsProps {
  automation: ArticleAutomation;
  isNamed: boolean;
  topics: readonly Topic[];
  now: Date;
  isBusy: boolean;
  onChange: (change: TopicChange) => void;
}

function AutomationTopics({ automation, isNamed, topics, now, isBusy, onChange }: AutomationTopicsProps) {
  const suggest = useSuggestTopics();
  const { schedule_days: days, schedule_time: time, is_active: isActive } = automation;
  const dates = isActive ? nextDatesOf({ days: days ?? [], time: time ?? '' }, now, shownTopics) : [];
  const shown = topics.slice(0, shownTopics);
  const isShort = shown.length < shownTopics;
  return (
    <Card className="grid grid-cols-[minmax(0,1fr)] gap-1 py-2! sm:py-2!">
      {isNamed && <h3 className="pt-3 text-md font-semibold font-stretch-normal wrap-anywhere">{texts.of(automation.keyword)}</h3>}
      {shown.length === 0 && <p className="pt-3 text-md text-muted">{texts.none}</p>}
      <ol className="grid grid-cols-[minmax(0,1fr)] divide-y divide-line">
        {shown.map((topic, index) => (
          <TopicLine
            key={topic.id}
            heading={isNamed ? 'h4' : 'h3'}
            topic={topic}
            date={dates[index]}
            earlier={index === 0 ? null : moveOf(topic, topics, -1)}
            later={moveOf(topic, topics, 1)}
            isBusy={isBusy}
            onChange={onChange}
          />
        ))}
      </ol>
      <Button
        variant="secondary"
        className="my-3 justify-self-start"
        isBusy={suggest.isPending}
        aria-label={isShort ? texts.suggestOf(automation.keyword) : texts.replaceOf(automation.keyword)}
        onClick={() => suggest.mutate({ blogAutomationId: automation.id, isReplacing: !isShort })}
      >
        {isShort ? texts.suggest : texts.replace}
      </Button>
    </Card>
  );
}

interface TopicLineProps {
  /** One level below the automation's name, where that is shown. */
  heading: 'h3' | 'h4';
  topic: Topic;
  date: Date | undefined;
  earlier: TopicChange | null;
  later: TopicChange | null;
  isBusy: boolean;
  onChange: (change: TopicChange) => void;
}

function TopicLine({ heading, topic, date, earlier, later, isBusy, onChange }: TopicLineProps) {
  const [isRenaming, setRenaming] = useState(false);
  const { id, title, state, why, focus_keyword: keyword } = topic;
  const isLocked = state === 'locked';
  const patch = (changes: TopicChange['patches'][number]['patch'], done: string) => onChange({ patches: [{ id, patch: changes }], done });
  const move = (change: TopicChange | null) => change && onChange({ ...change, done: texts.moved });
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-1 py-3.5 min-[56.25rem]:grid-cols-[6.5rem_minmax(0,1fr)_auto] min-[56.25rem]:items-start">
      <span className="text-sm text-muted tabular-nums min-[56.25rem]:pt-0.5">
        {date && <time dateTime={date.toISOString()}>{formatDateOfWeek(date).replace(/,.*/, '')}</time>}
      </span>
      {isRenaming ? (
        <Rename
          title={title}
          onSave={(next) => {
            setRenaming(false);
            if (next !== title) patch({ title: next }, texts.retitled);
          }}
          onCancel={() => setRenaming(false)}
        />
      ) : (
        <>
          <div className="grid min-w-0 gap-0.5 wrap-anywhere">
            <TopicFacts heading={heading} title={title} keyword={keyword} why={why} />
            {isLocked && (
              <p className="flex items-center gap-1.5 text-sm font-medium">
                <Lock className="size-4" aria-hidden /> {texts.locked}
              </p>
            )}
          </div>
          <div className="-ml-3 flex flex-wrap min-[56.25rem]:ml-0">
            <Deed name={texts.earlier(title)} isDisabled={isBusy || earlier === null} onClick={() => move(earlier)}>
              <ArrowUp className="size-5" aria-hidden />
            </Deed>
            <Deed name={texts.later(title)} isDisabled={isBusy || later === null} onClick={() => move(later)}>
              <ArrowDown className="size-5" aria-hidden />
            </Deed>
            <Deed
              name={isLocked ? texts.unlock(title) : texts.lock(title)}
              isDisabled={isBusy}
              onClick={() => patch({ state: isLocked ? 'planned' : 'locked' }, isLocked ? texts.unlockedDone : texts.lockedDone)}
            >
              {isLocked ? <LockOpen className="size-5" aria-hidden /> : <Lock className="size-5" aria-hidden />}
            </Deed>
            <Deed name={texts.retitle(title)} isDisabled={isBusy} onClick={() => setRenaming(true)}>
              <Pencil className="size-5" aria-hidden />
            </Deed>
            <Deed name={texts.skip(title)} isDisabled={isBusy} onClick={() => patch({ state: 'skipped' }, texts.skipped)}>
              <SkipForward className="size-5" aria-hidden />
            </Deed>
          </div>
        </>
      )}
    </li>
  );
}

function Deed({ name, isDisabled, onClick, children }: { name: string; isDisabled: boolean; onClick: () => void; children: ReactNode }) {
  return (
    <Button variant="quiet" size="icon" aria-label={name} title={name} disabled={isDisabled} onClick={onClick}>
      {children}
    </Button>
  );
}

function Rename({ title, onSave, onCancel }: { title: string; onSave: (title: string) => void; onCancel: () => void }) {
  const [typed, setTyped] = useState(title);
  const [problem, setProblem] = useState<string>();
  const save = () => (typed.trim() === '' ? setProblem(texts.titleMissing) : onSave(typed.trim()));
  return (
    <form
      noValidate
      className="col-span-full grid grid-cols-[minmax(0,1fr)] gap-2 min-[56.25rem]:col-start-2"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDown={({ key }) => key === 'Escape' && onCancel()}
    >
      <TextField
        autoFocus
        label={texts.titleField}
        maxLength={longestTitle}
        value={typed}
        error={problem}
        onChange={({ target }) => {
          setProblem(undefined);
          setTyped(target.value);
        }}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small">
          {texts.save}
        </Button>
        <Button variant="quiet" size="small" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  );
}
