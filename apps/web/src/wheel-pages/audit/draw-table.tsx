import { FileUp } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { Button } from '../../components/ui/button';
import { FilterButtons, FilterCount, SearchInput } from '../../components/ui/filter-bar';
import { Lamp, type LampState } from '../../components/ui/lamp';
import { classes } from '../../lib/classes';
import { formatCount } from '../../lib/format';
import type { AuditDraw, DrawState } from './audit-report';
import { chooseTexts, drawTableTexts as texts } from './texts';
import type { VerifiedAudit } from './verify-audit';

const pageSize = 10;

const instant = new Intl.DateTimeFormat('pt-BR', {
  day: '2-digit',
  month: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZone: 'America/Sao_Paulo',
});
/** A file may say anything. */
const formatInstant = (at: string) => (Number.isNaN(Date.parse(at)) ? at : instant.format(new Date(at)));

const lamps: Record<DrawState, LampState> = { holds: 'on', differs: 'stop', sealed: 'off', unchecked: 'off' };

type Filter = 'all' | 'differ';

interface DrawTableProps {
  audit: VerifiedAudit;
  /** Number to begin with: the visitor's own draw. */
  firstNumber: number | null;
  onOther: () => void;
}

/** The draws of the file, newest first. */
export function DrawTable({ audit, firstNumber, onOther }: DrawTableProps) {
  const { report } = audit;
  const faulty = report.fault?.kind === 'draw' ? report.fault.number : null;
  const [filter, setFilter] = useState<Filter>(faulty !== null && firstNumber === null ? 'differ' : 'all');
  const [typed, setTyped] = useState(firstNumber === null ? '' : String(firstNumber));
  const titleId = useId();
  /** Null until the worker has answered for the first time. */
  const [shown, setDraws] = useState<AuditDraw[] | null>(null);
  const draws = shown ?? [];
  const wanted = typed.replace(/\D/g, '');
  useEffect(() => {
    let isCurrent = true;
    const before = filter === 'differ' ? (faulty ?? 0) + 1 : wanted === '' ? null : Number(wanted) + 1;
    // Around a fault, the last draw that holds is shown beside it.
    const count = filter === 'differ' ? (faulty === null ? 0 : 2) : wanted === '' ? pageSize : 1;
    void audit.draws({ before, count }).then((found) => {
      if (isCurrent) setDraws(wanted === '' || filter === 'differ' ? found : found.filter(({ number }) => number === Number(wanted)));
    });
    return () => {
      isCurrent = false;
    };
  }, [audit, filter, wanted, faulty]);
  const last = draws.at(-1)?.number ?? 1;
  const hasMore = filter === 'all' && wanted === '' && draws.length > 0 && last > 1 && draws.length < report.draws;
  const showMore = async () => {
    const more = await audit.draws({ before: last, count: pageSize });
    setDraws([...draws, ...more]);
  };
  return (
    <section aria-labelledby={titleId} className="mt-10">
      <h2 id={titleId} className="text-xl">
        {texts.title}
      </h2>
      <p className="mt-1 mb-4 text-sm text-muted">{filter === 'differ' && faulty !== null ? texts.aroundFault : texts.text}</p>
      <div className="lit overflow-hidden rounded-panel shadow-2">
        <div className="flex flex-wrap items-center gap-3 p-4 md:px-5">
          <FilterButtons<Filter>
            label={texts.filters}
            filters={[
              { value: 'all', content: filterContent(texts.all, report.draws) },
              { value: 'differ', content: filterContent(texts.differ, faulty === null ? 0 : 1) },
            ]}
            chosen={filter}
            onChoose={setFilter}
          />
          <SearchInput
            label={texts.search}
            placeholder={texts.placeholder}
            value={typed}
            onChange={(value) => {
              setTyped(value);
              setFilter('all');
            }}
            className="min-w-48 flex-1 md:mx-auto md:max-w-64"
          />
          <Button variant="secondary" onClick={onOther} className="md:ml-auto">
            <FileUp className="size-[18px]" aria-hidden />
            {chooseTexts.other}
          </Button>
        </div>
        {shown?.length === 0 && (
          <p role="status" className="px-5 pt-2 pb-6 text-muted">
            {filter === 'differ' ? texts.noDifference : texts.none}
          </p>
        )}
        {draws.length > 0 && (
          <table className="w-full text-md tabular-nums max-md:block">
            <thead className="text-left text-sm text-muted max-md:sr-only">
              <tr>
                {Object.values(texts.columns).map((column) => (
                  <th key={column} scope="col" className="py-2.5 pr-4 font-semibold first:pl-8 last:pr-8">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="max-md:block">
              {draws.map((draw) => (
                <DrawRow key={`${draw.number}-${draw.hash}`} draw={draw} isAlone={draws.length === 1} />
              ))}
            </tbody>
          </table>
        )}
        {hasMore && (
          <p className="grid place-items-center p-4 shadow-[0_-1px_0_var(--line)]">
            <Button variant="quiet" onClick={() => void showMore()}>
              {texts.more}
            </Button>
          </p>
        )}
      </div>
    </section>
  );
}

const filterContent = (name: string, count: number) => (
  <>
    {name} <FilterCount>{formatCount(count)}</FilterCount>
  </>
);

const cell = 'py-3 pr-4 align-top max-md:block max-md:py-0 max-md:pr-0 md:first:pl-8 md:last:pr-8';

function DrawRow({ draw: { number, at, prize, hash, isVoided, state }, isAlone }: { draw: AuditDraw; isAlone: boolean }) {
  return (
    <tr
      className={classes(
        'shadow-[0_-1px_0_var(--line)] max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-4 max-md:gap-y-1 max-md:px-5 max-md:py-3.5',
        state === 'differs' && 'bg-danger-soft',
      )}
    >
      <td className={classes(cell, 'whitespace-nowrap max-md:font-semibold')}>{texts.number(number)}</td>
      <td className={classes(cell, 'whitespace-nowrap text-muted max-md:text-sm', state === 'differs' && 'text-ink')}>
        {formatInstant(at)}
      </td>
      <td className={classes(cell, 'wrap-anywhere')}>
        {prize}
        {isVoided && <span className="block text-sm text-muted">{texts.voided}</span>}
      </td>
      {/* Somebody who looks for one number compares it with a receipt: the whole hash. */}
      <td
        className={classes(
          cell,
          'text-muted max-md:order-last max-md:col-span-2 max-md:text-sm',
          isAlone && 'wrap-anywhere',
          state === 'differs' && 'text-ink',
        )}
      >
        {isAlone ? hash : `${hash.slice(0, 4)}…${hash.slice(-4)}`}
      </td>
      <td className={classes(cell, 'whitespace-nowrap')}>
        <Lamp state={lamps[state]}>{texts.states[state]}</Lamp>
      </td>
    </tr>
  );
}
