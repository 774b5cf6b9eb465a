import { type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { Button } from '../../components/ui/button';
import { FilterButtons, FilterCount, SearchInput } from '../../components/ui/filter-bar';
import { Card, Failure, Skeleton } from '../../components/ui/surface';
import { formatCount } from '../../lib/format';
import type { ArticlesOfFile } from './article-csv';
import type { Entry } from './article-data';
import { CsvButton } from './csv-button';
import { EditDialog } from './edit-dialog';
import { EntryLine, titleOf } from './entry-line';
import { dateOf, dueAt, type EntryKind, type EntryState, stateOf } from './entry-state';
import { type Question, SureDialog } from './sure-dialog';
import { diaryTexts as texts, pageTexts } from './texts';

const parameter = 'situacao';
const filters = ['published', 'waiting', 'failed'] as const satisfies readonly EntryKind[];
type Filter = (typeof filters)[number];

const longDay = new Intl.DateTimeFormat('pt-BR', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'America/Sao_Paulo' });
const otherYear = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'full', timeZone: 'America/Sao_Paulo' });

function dayName(at: string, now: Date): string {
  const name = (dateOf(at).slice(0, 4) === dateOf(now).slice(0, 4) ? longDay : otherYear).format(new Date(at));
  return name.charAt(0).toUpperCase() + name.slice(1).replace('-feira', '');
}

interface DiaryProps {
  file: ArticlesOfFile;
  query: UseInfiniteQueryResult<InfiniteData<Entry[]>>;
  now: Date;
  /** What stands there before the first article. */
  empty: ReactNode;
  onRead: (entry: Entry) => void;
}

interface Line {
  entry: Entry;
  state: EntryState;
}

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** All articles, newest first, by day. */
export function Diary({ query, file, now, empty, onRead }: DiaryProps) {
  const [params, setParams] = useSearchParams();
  const [sought, setSought] = useState('');
  const chosen: Filter | null = filters.find((filter) => texts.parameters[filter] === params.get(parameter)) ?? null;
  const choose = (filter: Filter | null) =>
    setParams(
      (before) => {
        if (filter === null) before.delete(parameter);
        else before.set(parameter, texts.parameters[filter]);
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  return (
    <section aria-labelledby="diary" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div>
        <h2 id="diary" className="text-xl">
          {texts.title}
        </h2>
        <p className="mt-1 text-md text-muted">{pageTexts.lede}</p>
      </div>
      {query.isPending && (
        <div role="status" aria-label={pageTexts.loading} className="grid gap-3">
          <Skeleton className="h-14" />
          <Skeleton className="h-18" />
          <Skeleton className="h-18" />
          <Skeleton className="h-18" />
        </div>
      )}
      {query.isLoadingError && <Failure text={pageTexts.loadFailed} onRetry={() => void query.refetch()} />}
      {query.data && query.data.pages[0]?.length === 0 && <Card>{empty}</Card>}
      {query.data && query.data.pages[0]!.length > 0 && (
        <Entries
          file={file}
          entries={query.data.pages.flat()}
          now={now}
          chosen={chosen}
          onChoose={choose}
          sought={sought}
          onSeek={setSought}
          onRead={onRead}
          more={
            query.hasNextPage && (
              <Button variant="quiet" isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {texts.more}
              </Button>
            )
          }
        />
      )}
    </section>
  );
}

interface EntriesProps {
  file: ArticlesOfFile;
  entries: readonly Entry[];
  now: Date;
  chosen: Filter | null;
  onChoose: (filter: Filter | null) => void;
  sought: string;
  onSeek: (sought: string) => void;
  onRead: (entry: Entry) => void;
  more: ReactNode;
}

function Entries({ file, entries, now, chosen, onChoose, sought, onSeek, onRead, more }: EntriesProps) {
  const [openId, setOpenId] = useState<string | null>(null);
  const [edited, setEdited] = useState<Entry | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const lines: Line[] = entries.map((entry) => ({ entry, state: stateOf(entry, now) }));
  const count = (filter: Filter) => lines.filter(({ state }) => state.kind === filter).length;
  const words = fold(sought.trim());
  const isShown = (entry: Entry, { kind }: EntryState = stateOf(entry, now)) =>
    (chosen === null || kind === chosen) && (words === '' || fold(`${titleOf(entry)} ${entry.run.keyword}`).includes(words));
  const shown = lines.filter(({ entry, state }) => isShown(entry, state));
  const content = (label: string, number: number) => (
    <>
      {label} <FilterCount>{formatCount(number)}</FilterCount>
    </>
  );
  return (
    <Card className="overflow-hidden p-0! sm:p-0!">
      <div className="flex flex-wrap items-center gap-2 px-3 py-3 sm:px-4.5">
        <FilterButtons
          label={texts.filters}
          chosen={chosen}
          onChoose={onChoose}
          className="max-w-full"
          filters={[
            { value: null, content: content(texts.filter.all, lines.length) },
            ...filters.map((filter) => ({ value: filter, content: content(texts.filter[filter], count(filter)) })),
          ]}
        />
        <SearchInput label={texts.search} value={sought} onChange={onSeek} className="min-w-0 flex-[1_1_14rem] lg:ml-auto lg:max-w-72" />
        <CsvButton {...file} isShown={(entry) => isShown(entry)} isDisabled={shown.length === 0} />
      </div>
      {shown.length === 0 && (
        <div className="grid justify-items-center gap-2 border-t border-line px-5 py-10 text-center">
          <h3 className="text-md font-semibold font-stretch-normal">{texts.nothing.title}</h3>
          <p className="text-md text-muted">{texts.nothing.text}</p>
          <Button
            variant="secondary"
            onClick={() => {
              onSeek('');
              onChoose(null);
            }}
          >
            {texts.nothing.clear}
          </Button>
        </div>
      )}
      {shown.map(({ entry, state }, index) => {
        const at = dueAt(entry);
        const before = shown[index - 1];
        const isFirst = !before || dateOf(dueAt(before.entry)) !== dateOf(at);
        return (
          <div key={entry.run.id}>
            {isFirst && (
              <p className="border-t border-line px-4 pt-5 pb-2 text-sm font-semibold sm:px-6">
                <time dateTime={dateOf(at)}>{dayName(at, now)}</time>
              </p>
            )}
            <EntryLine
              entry={entry}
              state={state}
              isFirst={isFirst}
              now={now}
              isOpen={openId === entry.run.id}
              onToggle={(isOpen) => setOpenId((open) => (isOpen ? entry.run.id : open === entry.run.id ? null : open))}
              onRead={() => onRead(entry)}
              onEdit={() => setEdited(entry)}
              onAsk={(about) => setQuestion({ entry, about })}
            />
          </div>
        );
      })}
      <div className="flex min-h-15 flex-wrap items-center justify-between gap-2 border-t border-line px-4 py-2 text-sm text-muted sm:px-6">
        <span role="status">{texts.shown(formatCount(shown.length))}</span>
        {more}
      </div>
      <EditDialog entry={edited} onClose={() => setEdited(null)} />
      <SureDialog question={question} onClose={() => setQuestion(null)} />
    </Card>
  );
}
